/*
 * ac_scan.h
 *		Matching one body: a scanner of the core over a datum of the server.
 *
 * A body that stands in the row uncompressed is read in place.  One that is
 * compressed is detoasted first.  One that stands out of line, uncompressed
 * and longer than 1 MB, is read slice by slice, so that memory stays flat and
 * a scan that stops early has not read the rest.
 *
 *		AcScan		scan;
 *
 *		ac_scan_start(&scan, entry, AC_ALL, AC_MODE_CHARS, body);
 *		while (ac_scan_next(&scan, &match))
 *			...
 *		ac_scan_end(&scan);
 *
 * A scan left by an error needs no end: its memory belongs to the current
 * context, the scanner to the entry.
 */
#ifndef AC_SCAN_H
#define AC_SCAN_H

#include "ac_cache.h"

#pragma GCC visibility push(hidden)

/* A body and the window of it that is in memory. */
typedef struct AcBody
{
	struct varlena *value;		/* as it arrived */
	struct varlena *owned;		/* detoasted copy or slice; NULL if in place */
	const uint8 *window;		/* its bytes [from, to) */
	size_t		from;
	size_t		to;
	size_t		size;			/* of the whole body */
} AcBody;

typedef struct AcScan
{
	AcScanner  *scanner;
	const AcAutomaton *automaton;
	AcBody		body;
} AcScan;

/* Opens a body that does not stand in the row uncompressed. */
void		ac_body_open_toasted(AcBody *body, struct varlena *value);

/* Moves the window of a body to the next slice. */
void		ac_body_advance(AcBody *body, size_t history);

/*
 * The bytes [start, end) of a body, which the window or the stored value
 * hold.  *copy receives what the caller has to pfree, or NULL.
 */
const uint8 *ac_body_bytes(const AcBody *body, size_t start, size_t end,
						   struct varlena **copy);

/* Feeds the next slice of a sliced body to its scanner. */
void		ac_scan_feed(AcScan *scan);

static inline void
ac_body_open(AcBody *body, Datum datum)
{
	struct varlena *value = (struct varlena *) DatumGetPointer(datum);

	if (unlikely(VARATT_IS_EXTERNAL(value) || VARATT_IS_COMPRESSED(value)))
	{
		ac_body_open_toasted(body, value);
		return;
	}
	body->value = value;
	body->owned = NULL;
	body->window = (const uint8 *) VARDATA_ANY(value);
	body->from = 0;
	body->size = body->to = VARSIZE_ANY_EXHDR(value);
}

static inline void
ac_body_close(AcBody *body)
{
	if (unlikely(body->owned != NULL))
		pfree(body->owned);
	body->owned = NULL;
}

static inline void
ac_scan_start(AcScan *scan, AcEntry *entry, AcKind kind, AcMode mode,
			  Datum body)
{
	ac_body_open(&scan->body, body);
	scan->automaton = &entry->automaton;
	scan->scanner = ac_scanner_begin(entry, kind, mode, scan->body.size);
	acore_scan_feed(scan->scanner, scan->body.window, scan->body.to,
					scan->body.to == scan->body.size);
}

/* The next match, or false at the end of the body. */
static inline bool
ac_scan_next(AcScan *scan, AcMatch *match)
{
	for (;;)
	{
		AcStatus	status = acore_scan_next(scan->scanner, match);

		if (status == AC_MATCH)
			return true;
		if (likely(status == AC_DONE))
			return false;
		ac_check(status);
		ac_scan_feed(scan);
	}
}

static inline void
ac_scan_end(AcScan *scan)
{
	ac_body_close(&scan->body);
}

#pragma GCC visibility pop

#endif							/* AC_SCAN_H */
