/*
 * ac_pieces.h
 *		The pieces of a body that a replacing function changes.
 *
 * Pieces are disjoint and come in the order of the body: the matches of a
 * leftmost kind, or all matches with those that overlap merged into one.
 */
#ifndef AC_PIECES_H
#define AC_PIECES_H

#include "ac_match.h"

#pragma GCC visibility push(hidden)

typedef struct AcPiece
{
	uint32		start;			/* bytes [start, end) of the body */
	uint32		end;
	uint32		char_start;		/* the same in characters, if asked for */
	uint32		char_end;
	uint32		key;			/* of the match, if not merged */
} AcPiece;

/* An array of pieces that grows. */
typedef struct AcPieceArray
{
	AcPiece    *data;
	size_t		capacity;
} AcPieceArray;

/* What a call site keeps (AcCall.extra): room that is used again. */
typedef struct AcPieceRoom
{
	MemoryContext context;
	AcPieceArray kept;			/* pieces for the second walk */
	AcPieceArray pending;		/* pieces that may still grow */
	void	   *extra;			/* whatever else the function keeps */
} AcPieceRoom;

/* A walk over the pieces of one body. */
typedef struct AcPieces
{
	AcEntry    *entry;
	AcKind		kind;			/* AC_ALL: merged */
	Datum		datum;			/* the body */
	AcScan		scan;
	AcPieceRoom *room;
	size_t		count;			/* pieces found so far */
	bool		again;			/* this is the second walk */
	size_t		next_kept;
	size_t		first;			/* pending pieces are [first, last) */
	size_t		last;
	size_t		reach;			/* bytes of the longest possible match */
	size_t		settled;		/* no match to come starts before */
	bool		exhausted;
} AcPieces;

AcPieceRoom *ac_pieces_room(FunctionCallInfo fcinfo);

/* Starts the first walk; AC_MODE_CHARS where pieces are to have characters. */
void		ac_pieces_start(AcPieces *pieces, FunctionCallInfo fcinfo,
							AcKind kind, AcMode mode);

/* The next piece, or false. */
bool		ac_pieces_next(AcPieces *pieces, AcPiece *piece);

/*
 * Starts the second walk, after the first has seen all pieces; the whole body
 * is in memory from here on.  Answers its bytes.
 */
const uint8 *ac_pieces_again(AcPieces *pieces);

void		ac_pieces_end(AcPieces *pieces);

#pragma GCC visibility pop

#endif							/* AC_PIECES_H */
