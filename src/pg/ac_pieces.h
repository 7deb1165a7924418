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
	size_t		start;			/* bytes [start, end) of the body */
	size_t		end;
	size_t		char_start;		/* the same in characters, if merged */
	size_t		char_end;
	uint32		key;			/* of the match, if not merged */
} AcPiece;

/* How many pieces of a body are kept for the second look at them. */
#define AC_KEPT_PIECES	256

/* What a call site keeps (AcCall.extra): room that is used again. */
typedef struct AcPieceRoom
{
	MemoryContext context;
	AcPiece		kept[AC_KEPT_PIECES];
	AcPiece    *pending;		/* pieces that may still grow */
	size_t		capacity;
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

/* Starts the first walk. */
void		ac_pieces_start(AcPieces *pieces, FunctionCallInfo fcinfo,
							AcKind kind);

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
