/*
 * ac_pieces.c
 *		Disjoint pieces out of matches, twice over.
 *
 * A replacing function looks at the pieces twice: to count the bytes of its
 * result, then to write it.  The first walk keeps up to MAX_KEPT of them, more
 * than a megabyte of text has as a rule, in room that serves row after row; so
 * the body is scanned once.  Only where there are more the second walk scans it
 * again, lest memory grows with the matches without a limit.
 *
 * Merging.  All matches come by their end, but a later one may start earlier:
 *
 *		body		a b c d e f g h
 *		matches		  |---|				b..c
 *						  |---|			d..e: touches, stays apart
 *					|-------------|		a..g: swallows both
 *
 * The pieces so far stand in a row, ordered and disjoint.  A new match takes
 * up from the end of the row all pieces that it overlaps and becomes the last
 * piece itself; each match is added once and taken up at most once, so this is
 * linear.  A match that ends at "end" starts at end - reach or later, reach
 * being the length of the longest possible match; what lies before is settled
 * and leaves the row at its front.  So the row holds no more pieces than the
 * longest pattern has bytes.
 */
#include "postgres.h"

#include "access/detoast.h"

#include "ac_pieces.h"

/* One byte of a folded pattern may stand for so many bytes of text: k and the
 * KELVIN SIGN. */
#define FOLDED_REACH	3

/* How many pieces are kept for the second walk: 1.3 MB. */
#define MAX_KEPT		65536

AcPieceRoom *
ac_pieces_room(FunctionCallInfo fcinfo)
{
	AcCall	   *call = ac_call(fcinfo);

	if (call->extra == NULL)
	{
		AcPieceRoom *room = (AcPieceRoom *)
		MemoryContextAllocZero(call->context, sizeof(AcPieceRoom));

		room->context = call->context;
		call->extra = room;
	}
	return (AcPieceRoom *) call->extra;
}

static void
array_grow(AcPieceRoom *room, AcPieceArray *array)
{
	size_t		capacity = Max(16, array->capacity * 2);
	Size		size = capacity * sizeof(AcPiece);

	array->data = (AcPiece *)
		(array->data == NULL ? MemoryContextAlloc(room->context, size) :
		 repalloc_huge(array->data, size));
	array->capacity = capacity;
}

static void
pieces_rewind(AcPieces *pieces)
{
	pieces->first = 0;
	pieces->last = 0;
	pieces->settled = 0;
	pieces->exhausted = false;
}

void
ac_pieces_start(AcPieces *pieces, FunctionCallInfo fcinfo, AcKind kind,
				AcMode mode)
{
	AcEntry    *entry = ac_get_entry(fcinfo, 0);

	ac_check_body(entry, false);
	pieces->entry = entry;
	pieces->kind = kind;
	pieces->datum = PG_GETARG_DATUM(1);
	pieces->room = NULL;
	pieces->count = 0;
	pieces->again = false;
	pieces->next_kept = 0;
	pieces->reach = (size_t) entry->automaton.info.max_len *
		((entry->automaton.info.options & AC_FOLD_UNICODE) != 0 ?
		 FOLDED_REACH : 1);
	pieces_rewind(pieces);
	ac_scan_start(&pieces->scan, entry, kind, mode, pieces->datum);
	pieces->room = ac_pieces_room(fcinfo);
}

/* ---------- merging ---------- */

/* Makes room behind the last pending piece. */
static void
pending_reserve(AcPieces *pieces)
{
	AcPieceArray *pending = &pieces->room->pending;

	if (pieces->last < pending->capacity)
		return;
	if (pieces->first > pending->capacity / 2)
	{
		pieces->last -= pieces->first;
		memmove(pending->data, pending->data + pieces->first,
				pieces->last * sizeof(AcPiece));
		pieces->first = 0;
	}
	else
		array_grow(pieces->room, pending);
}

/* Adds a match behind the pending pieces, merged with those it overlaps. */
static void
pending_add(AcPieces *pieces, const AcMatch *match)
{
	AcPiece    *piece;
	AcPiece		merged;

	merged.start = (uint32) match->start;
	merged.end = (uint32) match->end;
	merged.char_start = (uint32) match->char_start;
	merged.char_end = (uint32) (match->char_start + match->char_len);
	merged.key = match->key;
	while (pieces->last > pieces->first)
	{
		piece = &pieces->room->pending.data[pieces->last - 1];
		if (piece->end <= merged.start)
			break;
		if (piece->start < merged.start)
		{
			merged.start = piece->start;
			merged.char_start = piece->char_start;
		}
		pieces->last--;
	}
	pending_reserve(pieces);
	pieces->room->pending.data[pieces->last++] = merged;
	pieces->settled = match->end - Min(match->end, pieces->reach);
}

/* The next piece that no match to come can change. */
static bool
next_merged(AcPieces *pieces, AcPiece *piece)
{
	AcMatch		match = {0};

	for (;;)
	{
		if (pieces->first < pieces->last)
		{
			*piece = pieces->room->pending.data[pieces->first];
			if (pieces->exhausted || piece->end <= pieces->settled)
			{
				pieces->first++;
				return true;
			}
		}
		else if (pieces->exhausted)
			return false;
		if (ac_scan_next(&pieces->scan, &match))
			pending_add(pieces, &match);
		else
			pieces->exhausted = true;
	}
}

static bool
next_match(AcPieces *pieces, AcPiece *piece)
{
	AcMatch		match;

	if (!ac_scan_next(&pieces->scan, &match))
		return false;
	piece->start = (uint32) match.start;
	piece->end = (uint32) match.end;
	piece->key = match.key;
	return true;
}

/* ---------- walking ---------- */

/* Counts a piece of the first walk, and keeps it. */
static inline void
keep(AcPieces *pieces, const AcPiece *piece)
{
	AcPieceArray *kept = &pieces->room->kept;

	if (pieces->count < MAX_KEPT)
	{
		if (pieces->count == kept->capacity)
			array_grow(pieces->room, kept);
		kept->data[pieces->count] = *piece;
	}
	pieces->count++;
}

bool
ac_pieces_next(AcPieces *pieces, AcPiece *piece)
{
	if (pieces->again && pieces->count <= MAX_KEPT)
	{
		if (pieces->next_kept == pieces->count)
			return false;
		*piece = pieces->room->kept.data[pieces->next_kept++];
		return true;
	}
	if (!(pieces->kind == AC_ALL ? next_merged(pieces, piece) :
		  next_match(pieces, piece)))
		return false;
	if (!pieces->again)
		keep(pieces, piece);
	return true;
}

const uint8 *
ac_pieces_again(AcPieces *pieces)
{
	AcBody	   *body = &pieces->scan.body;
	bool		in_slices = body->from > 0 || body->to < body->size;

	pieces->again = true;
	pieces_rewind(pieces);
	if (in_slices)
	{
		ac_body_close(body);
		body->owned = detoast_attr(body->value);
		body->window = (const uint8 *) VARDATA_ANY(body->owned);
		body->from = 0;
		body->to = body->size;
	}
	if (pieces->count > MAX_KEPT)
	{
		acore_scan_start(pieces->scan.scanner);
		acore_scan_feed(pieces->scan.scanner, body->window, body->size, true);
	}
	return body->window;
}

void
ac_pieces_end(AcPieces *pieces)
{
	ac_scan_end(&pieces->scan);
}
