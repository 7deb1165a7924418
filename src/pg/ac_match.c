/*
 * ac_match.c
 *		Answers that are one value: ac_contains with its operators, ac_count,
 *		ac_instr.
 *
 * Each function exists for bodies of text and of bytea.  They differ in what
 * rules they take and in what a position counts, so each pair shares one inline
 * function with a constant "bytes".
 *
 * A row costs a comparison of the rules' identity (ac_cache.h), the scan, and
 * nothing else; in particular no allocation.
 */
#include "postgres.h"

#include "utils/builtins.h"

#include "ac_match.h"

PG_FUNCTION_INFO_V1(ac_contains);
PG_FUNCTION_INFO_V1(ac_contains_bytea);
PG_FUNCTION_INFO_V1(ac_contained);
PG_FUNCTION_INFO_V1(ac_contained_bytea);
PG_FUNCTION_INFO_V1(ac_count);
PG_FUNCTION_INFO_V1(ac_count_bytea);
PG_FUNCTION_INFO_V1(ac_instr);
PG_FUNCTION_INFO_V1(ac_instr_bytea);

/* ---------- arguments ---------- */

AcKind
ac_kind_arg(FunctionCallInfo fcinfo, int argno)
{
#define KIND(name) {name, sizeof(name) - 1}
	static const struct
	{
		const char *name;
		size_t		size;
	}			kinds[AC_KINDS] =
	{KIND("all"), KIND("leftmost-longest"), KIND("leftmost-first")};
#undef KIND
	const text *kind = PG_GETARG_TEXT_PP(argno);
	const char *name = VARDATA_ANY(kind);
	size_t		size = VARSIZE_ANY_EXHDR(kind);
	int			i;

	/* asked for every row: most names differ in their length */
	for (i = 0; i < AC_KINDS; i++)
	{
		if (kinds[i].size == size && memcmp(kinds[i].name, name, size) == 0)
			return (AcKind) i;
	}
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("unrecognized kind of match: \"%s\"",
					text_to_cstring(kind)),
			 errhint("Kinds are \"all\", \"leftmost-longest\" and \"leftmost-first\".")));
}

void
ac_check_body_slow(uint32 options, bool bytes)
{
	if (!bytes)
		ac_require_kind(options, false);
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("acautomaton with options cannot be matched against bytea"),
			 errdetail("The options ignore_case and whole_words of text patterns are about characters."),
			 errhint("Convert the body to text, or build the rules with ac_build_bytea().")));
}

/* ---------- patterns ---------- */

Datum
ac_slot_pattern(const AcScan *scan, size_t start, size_t end, uint32 slot)
{
	const AcAutomaton *automaton = scan->automaton;
	uint32		options = automaton->info.options;
	struct varlena *copy;
	uint8	   *folded = NULL;
	AcSpan		pattern;
	Datum		result;

	if (acore_slot_spelling(automaton, slot, &pattern))
		return ac_pattern_datum(options, pattern.data, pattern.size);
	pattern.size = end - start;
	pattern.data = ac_body_bytes(&scan->body, start, end, &copy);
	if ((options & AC_FOLD_MASK) != 0)
	{
		folded = (uint8 *) palloc(pattern.size * AC_FOLD_GROWTH);
		pattern.size = acore_fold(options, pattern.data, pattern.size, folded);
		pattern.data = folded;
	}
	result = ac_pattern_datum(options, pattern.data, pattern.size);
	if (folded != NULL)
		pfree(folded);
	if (copy != NULL)
		pfree(copy);
	return result;
}

/* ---------- is there a match ---------- */

static inline Datum
contains(FunctionCallInfo fcinfo, int rules, int body, bool bytes)
{
	AcEntry    *entry = ac_get_entry(fcinfo, rules);
	AcScan		scan;
	AcMatch		match;
	bool		found;

	ac_check_body(entry, bytes);
	ac_scan_start(&scan, entry, AC_ALL,
				  bytes ? AC_MODE_BYTES : AC_MODE_TEXT,
				  PG_GETARG_DATUM(body));
	found = ac_scan_next(&scan, &match);
	ac_scan_end(&scan);
	PG_RETURN_BOOL(found);
}

Datum
ac_contains(PG_FUNCTION_ARGS)
{
	return contains(fcinfo, 0, 1, false);
}

Datum
ac_contains_bytea(PG_FUNCTION_ARGS)
{
	return contains(fcinfo, 0, 1, true);
}

Datum
ac_contained(PG_FUNCTION_ARGS)
{
	return contains(fcinfo, 1, 0, false);
}

Datum
ac_contained_bytea(PG_FUNCTION_ARGS)
{
	return contains(fcinfo, 1, 0, true);
}

/* ---------- how many matches ---------- */

static inline Datum
count(FunctionCallInfo fcinfo, bool bytes)
{
	AcEntry    *entry = ac_get_entry(fcinfo, 0);
	AcKind		kind = ac_kind_arg(fcinfo, 2);
	AcScan		scan;
	AcMatch		match;
	int64		found = 0;

	ac_check_body(entry, bytes);
	ac_scan_start(&scan, entry, kind, bytes ? AC_MODE_BYTES : AC_MODE_TEXT,
				  PG_GETARG_DATUM(1));
	while (ac_scan_next(&scan, &match))
		found++;
	ac_scan_end(&scan);
	PG_RETURN_INT64(found);
}

Datum
ac_count(PG_FUNCTION_ARGS)
{
	return count(fcinfo, false);
}

Datum
ac_count_bytea(PG_FUNCTION_ARGS)
{
	return count(fcinfo, true);
}

/* ---------- where is the first match ---------- */

/* No match starts before the first one of a leftmost kind. */
static inline Datum
instr(FunctionCallInfo fcinfo, bool bytes)
{
	AcEntry    *entry = ac_get_entry(fcinfo, 0);
	AcScan		scan;
	AcMatch		match;
	int32		pos = 0;

	ac_check_body(entry, bytes);
	ac_scan_start(&scan, entry, AC_LEFTMOST_FIRST,
				  bytes ? AC_MODE_BYTES : AC_MODE_CHARS, PG_GETARG_DATUM(1));
	if (ac_scan_next(&scan, &match))
		pos = (int32) (bytes ? match.start : match.char_start) + 1;
	ac_scan_end(&scan);
	PG_RETURN_INT32(pos);
}

Datum
ac_instr(PG_FUNCTION_ARGS)
{
	return instr(fcinfo, false);
}

Datum
ac_instr_bytea(PG_FUNCTION_ARGS)
{
	return instr(fcinfo, true);
}
