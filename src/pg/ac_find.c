/*
 * ac_find.c
 *		Answers that are rows: ac_matches and ac_find.
 *
 * Both return a value a call: the scan goes on from one row to the next, so a
 * LIMIT in a SELECT list stops it, and no match is kept.  The first call of a
 * body looks for a match with the scanner at hand; where there is none it
 * answers "no rows" and has built nothing.  Only with a match does the scan
 * become a Rows that lives on: it takes the scanner out of the entry, so that
 * other calls in between do not disturb it, and a callback gives it back when
 * the caller loses interest.
 *
 * The caller keeps the arguments as they are until the last row (that is how
 * the server calls such functions), so a body in place is not copied; one that
 * was detoasted lives in a context of its own.
 *
 * ac_find over the rules {he,she,he} and the body "she":
 *
 *		match (0, 3) she: slots of its key: entry 2			-> row (1,3,2,she)
 *		match (1, 3) he: slots of its key: entries 1 and 3	-> row (2,2,1,he)
 *															-> row (2,2,3,he)
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "executor/executor.h"
#include "funcapi.h"

#include "ac_match.h"

PG_FUNCTION_INFO_V1(ac_matches);
PG_FUNCTION_INFO_V1(ac_matches_bytea);
PG_FUNCTION_INFO_V1(ac_find);
PG_FUNCTION_INFO_V1(ac_find_bytea);

/* What a call site keeps of its rows (AcCall.extra). */
typedef struct Rows
{
	AcCall	   *call;
	TupleDesc	tupdesc;		/* blessed; NULL before the first row */
	MemoryContext context;		/* of a detoasted body; NULL until needed */
	ExprContext *econtext;		/* of the running scan; NULL if none runs */
	bool		bytes;
	AcKind		kind;
	AcScan		scan;
	AcMatch		match;
	uint32		slot;			/* next slot of the match, for ac_find */
	uint32		slots;			/* how many are left */
} Rows;

/* ---------- life of a scan ---------- */

static Rows *
rows_get(FunctionCallInfo fcinfo)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	AcCall	   *call;

	if (rsinfo == NULL || !IsA(rsinfo, ReturnSetInfo) ||
		(rsinfo->allowedModes & SFRM_ValuePerCall) == 0 ||
		fcinfo->flinfo == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("set-valued function called in context that cannot accept a set")));
	call = ac_call(fcinfo);
	if (unlikely(call->extra == NULL))
	{
		Rows	   *rows = (Rows *) MemoryContextAllocZero(call->context,
														   sizeof(Rows));

		rows->call = call;
		call->extra = rows;
	}
	return (Rows *) call->extra;
}

/* The context of what must outlive this call. */
static MemoryContext
rows_context(Rows *rows)
{
	if (rows->context == NULL)
		rows->context = AllocSetContextCreate(rows->call->context, "ac rows",
											  ALLOCSET_SMALL_SIZES);
	return rows->context;
}

/* The scan ends: it is exhausted, or nobody wants the rest. */
static void
rows_end(Rows *rows)
{
	rows->econtext = NULL;
	rows->slots = 0;
	ac_scanner_return(rows->call);
	if (rows->context != NULL)
		MemoryContextReset(rows->context);
}

static void
rows_shutdown(Datum argument)
{
	rows_end((Rows *) DatumGetPointer(argument));
}

/* There are rows: the scan lives on until the last or the shutdown. */
static void
rows_hold(Rows *rows, FunctionCallInfo fcinfo, AcEntry *entry, AcMode mode)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;

	if (rows->tupdesc == NULL)
	{
		MemoryContext old = MemoryContextSwitchTo(rows->call->context);
		TupleDesc	tupdesc;

		if (get_call_result_type(fcinfo, NULL, &tupdesc) != TYPEFUNC_COMPOSITE)
			elog(ERROR, "return type must be a row type");
		rows->tupdesc = BlessTupleDesc(tupdesc);
		MemoryContextSwitchTo(old);
	}
	RegisterExprContextCallback(rsinfo->econtext, rows_shutdown,
								PointerGetDatum(rows));
	rows->econtext = rsinfo->econtext;
	ac_scanner_lend(rows->call, entry, rows->kind, mode);
}

/* Moves to the first match of a new body, or to the next match. */
static bool
rows_start(Rows *rows, FunctionCallInfo fcinfo, bool bytes)
{
	AcEntry    *entry = ac_get_entry(fcinfo, 0);
	AcMode		mode = bytes ? AC_MODE_BYTES : AC_MODE_CHARS;
	struct varlena *body = (struct varlena *)
	DatumGetPointer(PG_GETARG_DATUM(1));
	MemoryContext old = CurrentMemoryContext;
	bool		found;

	ac_check_body(entry, bytes);
	rows->kind = ac_kind_arg(fcinfo, 2);
	rows->bytes = bytes;
	if (VARATT_IS_EXTERNAL(body) || VARATT_IS_COMPRESSED(body))
		MemoryContextSwitchTo(rows_context(rows));
	ac_scan_start(&rows->scan, entry, rows->kind, mode, PG_GETARG_DATUM(1));
	found = ac_scan_next(&rows->scan, &rows->match);
	MemoryContextSwitchTo(old);
	if (found)
		rows_hold(rows, fcinfo, entry, mode);
	else if (rows->scan.body.owned != NULL)
		MemoryContextReset(rows->context);
	return found;
}

static bool
rows_next(Rows *rows)
{
	MemoryContext old = CurrentMemoryContext;
	bool		found;

	if (rows->scan.body.owned != NULL)
		MemoryContextSwitchTo(rows->context);
	found = ac_scan_next(&rows->scan, &rows->match);
	MemoryContextSwitchTo(old);
	if (!found)
	{
		UnregisterExprContextCallback(rows->econtext, rows_shutdown,
									  PointerGetDatum(rows));
		rows_end(rows);
	}
	return found;
}

static inline bool
rows_move(Rows *rows, FunctionCallInfo fcinfo, bool bytes)
{
	return rows->econtext == NULL ? rows_start(rows, fcinfo, bytes) :
		rows_next(rows);
}

/* ---------- rows ---------- */

static Datum
no_more_rows(FunctionCallInfo fcinfo)
{
	((ReturnSetInfo *) fcinfo->resultinfo)->isDone = ExprEndResult;
	PG_RETURN_NULL();
}

static Datum
row(Rows *rows, FunctionCallInfo fcinfo, Datum *values)
{
	bool		nulls[4] = {false, false, false, false};
	const AcMatch *match = &rows->match;

	if (rows->bytes)
	{
		values[0] = Int32GetDatum((int32) match->start + 1);
		values[1] = Int32GetDatum((int32) (match->end - match->start));
	}
	else
	{
		values[0] = Int32GetDatum((int32) match->char_start + 1);
		values[1] = Int32GetDatum((int32) match->char_len);
	}
	((ReturnSetInfo *) fcinfo->resultinfo)->isDone = ExprMultipleResult;
	return HeapTupleGetDatum(heap_form_tuple(rows->tupdesc, values, nulls));
}

/* (pos, len) */
static inline Datum
matches(FunctionCallInfo fcinfo, bool bytes)
{
	Rows	   *rows = rows_get(fcinfo);
	Datum		values[2];

	if (!rows_move(rows, fcinfo, bytes))
		return no_more_rows(fcinfo);
	return row(rows, fcinfo, values);
}

/*
 * Where the entry of a key that was given first stands among its slots, which
 * are ordered by (id, entry).
 */
static uint32
first_given_slot(const AcAutomaton *automaton, uint32 key)
{
	uint32		low;
	uint32		high = acore_key_slots(automaton, key, &low) - 1;
	uint32		entry = acore_key_first(automaton, key);
	int64		id = acore_entry_id(automaton, entry);

	high += low;
	while (low < high)
	{
		uint32		middle = low + (high - low) / 2;
		uint32		other = acore_slot_entry(automaton, middle);
		int64		other_id = acore_entry_id(automaton, other);

		if (other_id < id || (other_id == id && other < entry))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* (pos, len, id, pattern): a row for each slot, or for the winner's alone */
static inline Datum
find(FunctionCallInfo fcinfo, bool bytes)
{
	Rows	   *rows = rows_get(fcinfo);
	const AcAutomaton *automaton;
	Datum		values[4];

	if (rows->slots == 0)
	{
		if (!rows_move(rows, fcinfo, bytes))
			return no_more_rows(fcinfo);
		automaton = rows->scan.automaton;
		if (rows->kind == AC_ALL)
			rows->slots = acore_key_slots(automaton, rows->match.key,
										  &rows->slot);
		else
		{
			rows->slots = 1;
			rows->slot = first_given_slot(automaton, rows->match.key);
		}
	}
	automaton = rows->scan.automaton;
	values[2] = Int64GetDatum(acore_entry_id(automaton,
											 acore_slot_entry(automaton,
															  rows->slot)));
	values[3] = ac_slot_pattern(&rows->scan, rows->match.start,
								rows->match.end, rows->slot);
	rows->slot++;
	rows->slots--;
	return row(rows, fcinfo, values);
}

Datum
ac_matches(PG_FUNCTION_ARGS)
{
	return matches(fcinfo, false);
}

Datum
ac_matches_bytea(PG_FUNCTION_ARGS)
{
	return matches(fcinfo, true);
}

Datum
ac_find(PG_FUNCTION_ARGS)
{
	return find(fcinfo, false);
}

Datum
ac_find_bytea(PG_FUNCTION_ARGS)
{
	return find(fcinfo, true);
}
