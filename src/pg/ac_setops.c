/*
 * ac_setops.c
 *		ac_union, ac_add, ac_remove and ac_remove_ids.
 *
 * An automaton cannot be changed in place, so each operation reads the rules
 * back, gathers those that belong into the result in their order, and compiles
 * them.  What is there already is asked of a hash table, so the time is linear
 * in the rules:
 *
 *		function			an entry stays or comes, unless	the table holds
 *		ac_union			the left has (pattern, id)		the left side
 *		ac_add				pattern is there				what is there so far
 *		ac_add with ids		(pattern, id) is there			what is there so far
 *		ac_remove			its pattern is named			the names
 *		ac_remove_ids		its id is named					the ids
 *
 * Patterns are compared by the bytes that were given, also under ignore_case.
 *
 * The table uses linear probing over numbers of entries.  Its hash has a seed
 * that is drawn for each table, lest somebody chooses patterns that all fall
 * into one place.
 */
#include "ac_rules.h"

#include "common/hashfn.h"
#include "common/int.h"
#include "miscadmin.h"

#include "ac_cache.h"

PG_FUNCTION_INFO_V1(ac_union);
PG_FUNCTION_INFO_V1(ac_add);
PG_FUNCTION_INFO_V1(ac_remove);
PG_FUNCTION_INFO_V1(ac_remove_ids);

/* ---------- a table of entries ---------- */

/* What of an entry is the key of a table. */
typedef enum TableKey
{
	BY_PATTERN = 1,
	BY_ID = 2,
	BY_BOTH = BY_PATTERN | BY_ID
} TableKey;

typedef struct Entry
{
	const uint8_t *pattern;
	size_t		size;
	int64		id;
} Entry;

typedef struct Table
{
	TableKey	key;
	uint64		seed;
	uint64		mask;			/* places - 1; a power of two less one */
	uint32	   *places;			/* number of an entry + 1, or 0 */
	Entry	   *entries;
	uint32		count;
} Table;

/* An empty table with room for so many entries, at most half full. */
static void
table_init(Table *table, TableKey key, uint64 room)
{
	uint64		places = 16;

	while (places < 2 * room)
		places *= 2;
	table->key = key;
	table->mask = places - 1;
	table->places = palloc_extended(places * sizeof(uint32),
									MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	table->entries = palloc_extended((room + 1) * sizeof(Entry),
									 MCXT_ALLOC_HUGE);
	table->count = 0;
	if (!pg_strong_random(&table->seed, sizeof(table->seed)))
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not generate random values")));
}

static uint64
entry_hash(const Table *table, const Entry *entry)
{
	uint64		seed = table->seed;

	if (table->key & BY_ID)
		seed = DatumGetUInt64(hash_any_extended((const unsigned char *) &entry->id,
												sizeof(entry->id), seed));
	if (table->key & BY_PATTERN)
		seed = DatumGetUInt64(hash_any_extended(entry->pattern,
												(int) entry->size, seed));
	return seed;
}

static bool
same_entry(const Table *table, const Entry *a, const Entry *b)
{
	if ((table->key & BY_ID) && a->id != b->id)
		return false;
	return (table->key & BY_PATTERN) == 0 ||
		(a->size == b->size && memcmp(a->pattern, b->pattern, a->size) == 0);
}

/* The place where an entry is, or where it would go. */
static uint32 *
table_place(const Table *table, const Entry *entry)
{
	uint64		at = entry_hash(table, entry) & table->mask;

	while (table->places[at] != 0 &&
		   !same_entry(table, &table->entries[table->places[at] - 1], entry))
		at = (at + 1) & table->mask;
	return &table->places[at];
}

/* Puts an entry in; answers whether it was new.  Its pattern is not copied. */
static bool
table_add(Table *table, const Entry *entry)
{
	uint32	   *place = table_place(table, entry);

	CHECK_FOR_INTERRUPTS();
	if (*place != 0)
		return false;
	table->entries[table->count++] = *entry;
	*place = table->count;
	return true;
}

/* ---------- rules ---------- */

static Entry
rules_entry(const AcRules *rules, uint32 i)
{
	Entry		entry;

	entry.pattern = rules->pool + rules->offsets[i];
	entry.size = rules->offsets[i + 1] - rules->offsets[i];
	entry.id = rules->ids != NULL ? rules->ids[i] : (int64) i + 1;
	return entry;
}

static void
append(AcRuleSet *result, const Entry *entry)
{
	ac_rules_add(result, entry->pattern, entry->size, entry->id,
				 (int64) result->count + 1);
}

/* Begins a result with all entries of "rules". */
static void
begin_with(AcRuleSet *result, const AcRules *rules)
{
	uint32		i;

	ac_rules_init(result, rules->options, CurrentMemoryContext);
	ac_rules_reserve(result, rules->count, rules->offsets[rules->count]);
	for (i = 0; i < rules->count; i++)
	{
		Entry		entry = rules_entry(rules, i);

		append(result, &entry);
	}
}

static void
table_add_rules(Table *table, const AcRules *rules)
{
	uint32		i;

	for (i = 0; i < rules->count; i++)
	{
		Entry		entry = rules_entry(rules, i);

		(void) table_add(table, &entry);
	}
}

/* Adds those entries of "rules" to a result that are not in the table. */
static void
append_missing(AcRuleSet *result, const Table *table, const AcRules *rules)
{
	uint32		i;

	for (i = 0; i < rules->count; i++)
	{
		Entry		entry = rules_entry(rules, i);

		if (*table_place(table, &entry) == 0)
			append(result, &entry);
	}
}

/* ---------- union ---------- */

static void
check_same_options(uint32 a, uint32 b)
{
	if ((a ^ b) & AC_BYTEA)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("cannot unite an acautomaton of text patterns with one of bytea patterns")));
	if (a != b)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("cannot unite values of type acautomaton that have different options"),
				 errhint("Build both with the same ignore_case and whole_words.")));
}

Datum
ac_union(PG_FUNCTION_ARGS)
{
	AcRules		left;
	AcRules		right;
	AcRuleSet	result;
	Table		table;

	ac_extract(ac_get_automaton(fcinfo, 0), &left);
	ac_extract(ac_get_automaton(fcinfo, 1), &right);
	check_same_options(left.options, right.options);

	table_init(&table, BY_BOTH, left.count);
	table_add_rules(&table, &left);
	begin_with(&result, &left);
	append_missing(&result, &table, &right);
	PG_RETURN_DATUM(ac_rules_build(&result));
}

/* ---------- add ---------- */

static int64
max_id(const AcRules *rules)
{
	int64		max;
	uint32		i;

	if (rules->ids == NULL)
		return rules->count;
	max = rules->ids[0];
	for (i = 1; i < rules->count; i++)
		max = Max(max, rules->ids[i]);
	return max;
}

/* Adds new entries to result; last_id NULL: under the ids they have. */
static void
append_new(AcRuleSet *result, Table *table, const AcRules *more,
		   int64 *last_id)
{
	uint32		i;

	for (i = 0; i < more->count; i++)
	{
		Entry		entry = rules_entry(more, i);

		if (!table_add(table, &entry))
			continue;
		if (last_id != NULL && pg_add_s64_overflow(*last_id, 1, last_id))
			ereport(ERROR,
					(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
					 errmsg("next id of acautomaton is out of range for type bigint"),
					 errhint("Give the new patterns ids of their own.")));
		if (last_id != NULL)
			entry.id = *last_id;
		append(result, &entry);
	}
}

/* Takes patterns, and ids or none, as a text automaton would. */
static AcRules
rules_from_arrays(AcRuleSet *given, ArrayType *patterns, ArrayType *ids)
{
	const int64 *id_values = NULL;
	uint32		nids = 0;

	if (ids != NULL)
		id_values = ac_ids_from_array(ids, &nids);
	ac_rules_init(given, ac_options(false, false, false),
				  CurrentMemoryContext);
	ac_rules_add_array(given, patterns, id_values, nids);
	return ac_rules_view(given);
}

Datum
ac_add(PG_FUNCTION_ARGS)
{
	const AcAutomaton *automaton;
	bool		with_ids = !PG_ARGISNULL(2);
	AcRules		rules;
	AcRules		more;
	AcRuleSet	given;
	AcRuleSet	result;
	Table		table;
	int64		last_id;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(1))
		PG_RETURN_NULL();
	automaton = ac_get_automaton(fcinfo, 0);
	ac_require_kind(automaton->info.options, false);
	more = rules_from_arrays(&given, PG_GETARG_ARRAYTYPE_P(1),
							 with_ids ? PG_GETARG_ARRAYTYPE_P(2) : NULL);
	ac_extract(automaton, &rules);
	last_id = max_id(&rules);

	table_init(&table, with_ids ? BY_BOTH : BY_PATTERN,
			   (uint64) rules.count + more.count);
	table_add_rules(&table, &rules);
	begin_with(&result, &rules);
	append_new(&result, &table, &more, with_ids ? NULL : &last_id);
	PG_RETURN_DATUM(ac_rules_build(&result));
}

/* ---------- remove ---------- */

static Datum
build_without(const AcAutomaton *automaton, const Table *table)
{
	AcRules		rules;
	AcRuleSet	result;

	ac_extract(automaton, &rules);
	ac_rules_init(&result, rules.options, CurrentMemoryContext);
	append_missing(&result, table, &rules);
	return ac_rules_build(&result);
}

Datum
ac_remove(PG_FUNCTION_ARGS)
{
	const AcAutomaton *automaton = ac_get_automaton(fcinfo, 0);
	AcRules		names;
	AcRuleSet	given;
	Table		table;

	ac_require_kind(automaton->info.options, false);
	names = rules_from_arrays(&given, PG_GETARG_ARRAYTYPE_P(1), NULL);
	table_init(&table, BY_PATTERN, names.count);
	table_add_rules(&table, &names);
	PG_RETURN_DATUM(build_without(automaton, &table));
}

Datum
ac_remove_ids(PG_FUNCTION_ARGS)
{
	const AcAutomaton *automaton = ac_get_automaton(fcinfo, 0);
	uint32		count;
	const int64 *ids = ac_ids_from_array(PG_GETARG_ARRAYTYPE_P(1), &count);
	Table		table;
	uint32		i;

	table_init(&table, BY_ID, count);
	for (i = 0; i < count; i++)
	{
		Entry		entry = {(const uint8_t *) "", 0, ids[i]};

		(void) table_add(&table, &entry);
	}
	PG_RETURN_DATUM(build_without(automaton, &table));
}
