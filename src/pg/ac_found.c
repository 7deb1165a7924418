/*
 * ac_found.c
 *		Which rules match: ac_ids, ac_found.
 *
 * A key counts once however often it occurs, so the call site keeps a bit for
 * each key and a list of the keys whose bit is set.  The list serves to clear
 * the bits again, so that a row costs its own matches and not the number of
 * patterns; both are allocated at the first match and then reused.  After an
 * error in between the bits are "dirty" and cleared one and all.
 *
 * Example: rules {he,she,he} with ids {7,8,9}, body "she, he".  Matches: key
 * "she", key "he", key "he" again.  List: she, he.  ac_ids sorts the ids of
 * their entries: {7,8,9}; ac_found sorts their patterns by the first entry
 * that has them: {he,she}.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/array.h"

#include "ac_match.h"

PG_FUNCTION_INFO_V1(ac_ids);
PG_FUNCTION_INFO_V1(ac_ids_bytea);
PG_FUNCTION_INFO_V1(ac_found);
PG_FUNCTION_INFO_V1(ac_found_bytea);

/* A key and where it was first seen. */
typedef struct Found
{
	uint32		key;
	size_t		start;
	size_t		end;
} Found;

/* What a call site keeps (AcCall.extra). */
typedef struct Seen
{
	MemoryContext context;
	uint64	   *bits;			/* one a key */
	size_t		words;			/* of bits */
	bool		dirty;			/* not all bits are zero */
	Found	   *list;
	size_t		count;
	size_t		capacity;
} Seen;

/* ---------- distinct keys ---------- */

static Seen *
seen_get(FunctionCallInfo fcinfo)
{
	AcCall	   *call = ac_call(fcinfo);
	Seen	   *seen = (Seen *) call->extra;

	if (unlikely(seen == NULL))
	{
		seen = (Seen *) MemoryContextAllocZero(call->context, sizeof(Seen));
		seen->context = call->context;
		call->extra = seen;
	}
	seen->count = 0;
	return seen;
}

/* Makes the bits ready for rules of so many patterns. */
static void
seen_prepare(Seen *seen, uint32 patterns)
{
	size_t		words = ((size_t) patterns + 63) / 64;

	if (words > seen->words)
	{
		if (seen->bits != NULL)
			pfree(seen->bits);
		seen->bits = NULL;
		seen->words = 0;
		seen->bits = (uint64 *)
			MemoryContextAllocExtended(seen->context, words * sizeof(uint64),
									   MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
		seen->words = words;
	}
	else if (seen->dirty)
		memset(seen->bits, 0, seen->words * sizeof(uint64));
	seen->dirty = true;
}

static void
seen_grow(Seen *seen)
{
	size_t		capacity = Max(16, seen->capacity * 2);

	if (seen->list == NULL)
		seen->list = (Found *) MemoryContextAlloc(seen->context,
												  capacity * sizeof(Found));
	else
		seen->list = (Found *) repalloc_huge(seen->list,
											 capacity * sizeof(Found));
	seen->capacity = capacity;
}

static inline void
seen_add(Seen *seen, const AcMatch *match)
{
	uint64	   *word = &seen->bits[match->key / 64];
	uint64		bit = UINT64CONST(1) << (match->key % 64);

	if ((*word & bit) != 0)
		return;
	*word |= bit;
	if (seen->count == seen->capacity)
		seen_grow(seen);
	seen->list[seen->count].key = match->key;
	seen->list[seen->count].start = match->start;
	seen->list[seen->count].end = match->end;
	seen->count++;
}

/* Lists the distinct keys of a body; the caller ends the scan. */
static inline Seen *
seen_scan(FunctionCallInfo fcinfo, AcScan *scan, bool bytes)
{
	AcEntry    *entry = ac_get_entry(fcinfo, 0);
	Seen	   *seen = seen_get(fcinfo);
	AcMatch		match;
	size_t		i;

	ac_check_body(entry, bytes);
	ac_scan_start(scan, entry, AC_ALL, bytes ? AC_MODE_BYTES : AC_MODE_TEXT,
				  PG_GETARG_DATUM(1));
	if (!ac_scan_next(scan, &match))
		return seen;
	seen_prepare(seen, entry->automaton.info.patterns);
	do
	{
		seen_add(seen, &match);
	} while (ac_scan_next(scan, &match));
	for (i = 0; i < seen->count; i++)
		seen->bits[seen->list[i].key / 64] = 0;
	seen->dirty = false;
	return seen;
}

/* How many entries the keys have. */
static size_t
seen_entries(const Seen *seen, const AcAutomaton *automaton)
{
	size_t		entries = 0;
	size_t		i;
	uint32		slot;

	for (i = 0; i < seen->count; i++)
		entries += acore_key_slots(automaton, seen->list[i].key, &slot);
	return entries;
}

/* ---------- ids ---------- */

static int
compare_ids(const void *a, const void *b)
{
	int64		x = *(const int64 *) a;
	int64		y = *(const int64 *) b;

	return (x > y) - (x < y);
}

/* The ids of all entries of the keys, sorted, each once. */
static size_t
collect_ids(const Seen *seen, const AcAutomaton *automaton, int64 *ids)
{
	size_t		count = 0;
	size_t		distinct = 0;
	size_t		i;

	for (i = 0; i < seen->count; i++)
	{
		uint32		slot;
		uint32		slots = acore_key_slots(automaton, seen->list[i].key,
											&slot);

		while (slots-- > 0)
			ids[count++] = acore_entry_id(automaton,
										  acore_slot_entry(automaton, slot++));
	}
	qsort(ids, count, sizeof(int64), compare_ids);
	for (i = 0; i < count; i++)
	{
		if (distinct == 0 || ids[i] != ids[distinct - 1])
			ids[distinct++] = ids[i];
	}
	return distinct;
}

/* A bigint[] in one piece. */
static ArrayType *
ids_array(const int64 *ids, size_t count)
{
	size_t		size = ARR_OVERHEAD_NONULLS(1) + count * sizeof(int64);
	ArrayType  *array;

	if (count == 0)
		return construct_empty_array(INT8OID);
	if (size > AC_MAX_DATUM)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("array of ids exceeds the limit of 1 GB")));
	array = (ArrayType *) palloc(size);
	SET_VARSIZE(array, size);
	array->ndim = 1;
	array->dataoffset = 0;
	array->elemtype = INT8OID;
	ARR_DIMS(array)[0] = (int) count;
	ARR_LBOUND(array)[0] = 1;
	memcpy(ARR_DATA_PTR(array), ids, count * sizeof(int64));
	return array;
}

static inline Datum
ids(FunctionCallInfo fcinfo, bool bytes)
{
	AcScan		scan;
	Seen	   *seen = seen_scan(fcinfo, &scan, bytes);
	int64		few[32];
	int64	   *all = few;
	size_t		entries = seen_entries(seen, scan.automaton);
	ArrayType  *array;

	if (entries > lengthof(few))
		all = (int64 *) palloc_extended(entries * sizeof(int64),
										MCXT_ALLOC_HUGE);
	array = ids_array(all, collect_ids(seen, scan.automaton, all));
	if (all != few)
		pfree(all);
	ac_scan_end(&scan);
	PG_RETURN_ARRAYTYPE_P(array);
}

/* ---------- patterns ---------- */

typedef struct Spelling
{
	uint32		entry;
	Datum		pattern;
} Spelling;

static int
compare_entries(const void *a, const void *b)
{
	uint32		x = ((const Spelling *) a)->entry;
	uint32		y = ((const Spelling *) b)->entry;

	return (x > y) - (x < y);
}

static int
compare_patterns(const Spelling *a, const Spelling *b)
{
	const void *x = DatumGetPointer(a->pattern);
	const void *y = DatumGetPointer(b->pattern);
	size_t		size_x = VARSIZE_ANY_EXHDR(x);
	size_t		size_y = VARSIZE_ANY_EXHDR(y);
	int			order = memcmp(VARDATA_ANY(x), VARDATA_ANY(y),
							   Min(size_x, size_y));

	return order != 0 ? order : (size_x > size_y) - (size_x < size_y);
}

/* By spelling, then as they were given. */
static int
compare_spellings(const void *a, const void *b)
{
	int			order = compare_patterns(a, b);

	return order != 0 ? order : compare_entries(a, b);
}

/*
 * Adds the spellings of a key, each once under the first entry that has it.
 * Where nothing folds there is one.
 */
static size_t
collect_spellings(const AcScan *scan, const Found *found, Spelling *out)
{
	const AcAutomaton *automaton = scan->automaton;
	uint32		slot;
	uint32		slots = acore_key_slots(automaton, found->key, &slot);
	uint32		i;
	size_t		distinct = 0;

	if ((automaton->info.options & AC_FOLD_MASK) == 0)
	{
		out->entry = acore_key_first(automaton, found->key);
		out->pattern = ac_slot_pattern(scan, found->start, found->end, slot);
		return 1;
	}
	for (i = 0; i < slots; i++)
	{
		out[i].entry = acore_slot_entry(automaton, slot + i);
		out[i].pattern = ac_slot_pattern(scan, found->start, found->end,
										 slot + i);
	}
	if (slots > 1)
		qsort(out, slots, sizeof(Spelling), compare_spellings);
	for (i = 0; i < slots; i++)
	{
		if (distinct == 0 || compare_patterns(&out[i], &out[distinct - 1]) != 0)
			out[distinct++] = out[i];
	}
	return distinct;
}

static ArrayType *
spellings_array(Spelling *spellings, size_t count)
{
	Datum	   *elements;
	size_t		i;

	if (count == 0)
		return construct_empty_array(TEXTOID);
	qsort(spellings, count, sizeof(Spelling), compare_entries);
	elements = (Datum *) palloc_extended(count * sizeof(Datum),
										 MCXT_ALLOC_HUGE);
	for (i = 0; i < count; i++)
		elements[i] = spellings[i].pattern;
	return construct_array(elements, (int) count, TEXTOID, -1, false,
						   TYPALIGN_INT);
}

static inline Datum
found(FunctionCallInfo fcinfo, bool bytes)
{
	AcScan		scan;
	Seen	   *seen = seen_scan(fcinfo, &scan, bytes);
	Spelling   *spellings = NULL;
	size_t		count = 0;
	size_t		i;

	if (seen->count > 0)
		spellings = (Spelling *)
			palloc_extended(seen_entries(seen, scan.automaton) *
							sizeof(Spelling), MCXT_ALLOC_HUGE);
	for (i = 0; i < seen->count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		count += collect_spellings(&scan, &seen->list[i], spellings + count);
	}
	ac_scan_end(&scan);
	PG_RETURN_ARRAYTYPE_P(spellings_array(spellings, count));
}

Datum
ac_ids(PG_FUNCTION_ARGS)
{
	return ids(fcinfo, false);
}

Datum
ac_ids_bytea(PG_FUNCTION_ARGS)
{
	return ids(fcinfo, true);
}

Datum
ac_found(PG_FUNCTION_ARGS)
{
	return found(fcinfo, false);
}

Datum
ac_found_bytea(PG_FUNCTION_ARGS)
{
	return found(fcinfo, true);
}
