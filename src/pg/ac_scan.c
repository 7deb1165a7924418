/*
 * ac_scan.c
 *		Bodies that do not stand in their row as they are.
 *
 * The window of a sliced body moves on by SLICE bytes.  It holds in front of
 * the new bytes as many old ones as the scanner wants to look back at; they
 * are fetched again with the slice, so that both stand in one piece:
 *
 *		body	|------------------|=======|---------------|--------
 *		window					   from    to of before     to
 *								   history   new bytes
 *
 * A history longer than a slice makes the slice as long, which keeps the bytes
 * fetched in all below twice the body.
 */
#include "postgres.h"

#include "access/detoast.h"

#include "ac_scan.h"

/* Bodies above this size are read slice by slice, if that is cheap. */
#define SLICED_ABOVE	(1024 * 1024)
#define SLICE			(256 * 1024)

/* Sets the window to the bytes [from, to) of the stored value. */
static void
body_fetch(AcBody *body, size_t from, size_t to)
{
	ac_body_close(body);
	body->owned = detoast_attr_slice(body->value, (int32) from,
									 (int32) (to - from));
	if (VARSIZE_ANY_EXHDR(body->owned) != to - from)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_CORRUPTED),
				 errmsg("could not read bytes %zu to %zu of a value of %zu bytes",
						from, to, body->size)));
	body->window = (const uint8 *) VARDATA_ANY(body->owned);
	body->from = from;
	body->to = to;
}

void
ac_body_open_toasted(AcBody *body, struct varlena *value)
{
	body->value = value;
	body->owned = NULL;
	if (VARATT_IS_EXTERNAL_ONDISK(value))
	{
		size_t		raw = toast_raw_datum_size(PointerGetDatum(value)) - VARHDRSZ;

		/* compressed values cannot be sliced without starting over */
		if (raw > SLICED_ABOVE &&
			toast_datum_size(PointerGetDatum(value)) == raw)
		{
			body->size = raw;
			body_fetch(body, 0, SLICE);
			return;
		}
	}
	body->owned = detoast_attr(value);
	body->window = (const uint8 *) VARDATA_ANY(body->owned);
	body->from = 0;
	body->size = body->to = VARSIZE_ANY_EXHDR(body->owned);
}

void
ac_body_advance(AcBody *body, size_t history)
{
	size_t		new = Max(history, SLICE);

	body_fetch(body, body->to - Min(history, body->to),
			   body->to + Min(new, body->size - body->to));
}

const uint8 *
ac_body_bytes(const AcBody *body, size_t start, size_t end,
			  struct varlena **copy)
{
	*copy = NULL;
	if (likely(start >= body->from && end <= body->to))
		return body->window + (start - body->from);
	*copy = detoast_attr_slice(body->value, (int32) start,
							   (int32) (end - start));
	return (const uint8 *) VARDATA_ANY(*copy);
}

void
ac_scan_feed(AcScan *scan)
{
	AcBody	   *body = &scan->body;
	size_t		old_to = body->to;

	ac_body_advance(body, acore_scan_history(scan->scanner));
	acore_scan_feed(scan->scanner, body->window + (old_to - body->from),
					body->to - old_to, body->to == body->size);
}
