/*
 * ac_rules.h
 *		Rule sets on their way into a value (ac_rules.c), and how long they are
 *		in the forms that leave the server (ac_text.c).
 */
#ifndef AC_RULES_H
#define AC_RULES_H

#include "ac_pg.h"

#pragma GCC visibility push(hidden)

/* COPY may double each byte of the text form; the result must stay below
 * 1 GB. */
#define AC_MAX_TEXT_FORM	((uint64) 511 * 1024 * 1024)

/* Sums over the entries of a rule set. */
typedef struct AcSizes
{
	uint64		count;
	uint64		pattern_bytes;	/* as they are */
	uint64		text_bytes;		/* quoted, each with its comma or brace */
	uint64		array_bytes;	/* as elements of an array */
	uint64		id_bytes;		/* as decimals, each with its comma or brace */
} AcSizes;

/*
 * A rule set that grows.  Pool and arrays may be huge; they belong to one
 * memory context, so that an aggregate can keep them from row to row.
 */
typedef struct AcRuleSet
{
	MemoryContext context;
	uint32		options;
	bool		by_row;			/* errors count input rows, not subscripts */
	bool		ordinal;		/* all ids so far are 1 .. count */
	uint32		count;			/* entries so far */
	uint32		capacity;		/* entries that offsets and ids have room for */
	uint8	   *pool;
	size_t		pool_used;
	size_t		pool_size;
	uint64	   *offsets;		/* capacity + 1; offsets[count] = pool_used */
	int64	   *ids;			/* NULL while ordinal */
	AcSizes		sizes;
} AcRuleSet;

void		ac_rules_init(AcRuleSet *rules, uint32 options,
						  MemoryContext context);

/* Makes room for so many more entries and bytes, exactly. */
void		ac_rules_reserve(AcRuleSet *rules, uint32 entries, size_t bytes);

/*
 * Adds an entry.  "subscript" is what an error calls it: counted from 1, or
 * the number of the input row.
 */
void		ac_rules_add(AcRuleSet *rules, const void *pattern, size_t size,
						 int64 id, int64 subscript);

/* Adds the elements of a text[] or bytea[]; ids NULL: 1 .. n. */
void		ac_rules_add_array(AcRuleSet *rules, ArrayType *patterns,
							   const int64 *ids, uint32 nids);

/* Shows what was gathered as the core takes it. */
AcRules		ac_rules_view(const AcRuleSet *rules);

/* Compiles the rules into a datum in the current context. */
Datum		ac_rules_build(const AcRuleSet *rules);

/*
 * Reads the rules of an automaton back into the current context; ids is NULL
 * where they are 1 .. n.
 */
void		ac_extract(const AcAutomaton *automaton, AcRules *rules);

/* ---------- checks that more than one way in needs ---------- */

/* The number of elements of an array of at most one dimension; else 2202E. */
uint32		ac_check_array(ArrayType *array, const char *what);

/* As many ids as patterns; else 2202E. */
void		ac_check_id_count(uint32 ids, uint32 patterns);

/* 22004; rules may be NULL. */
pg_noreturn void ac_error_null(const AcRuleSet *rules, const char *what,
							   int64 subscript);

/* The ids of a bigint[], in place; a NULL among them is 22004. */
const int64 *ac_ids_from_array(ArrayType *array, uint32 *count);

/* A walk through a one-dimensional array of varlena elements. */
typedef struct AcArrayWalk
{
	char	   *next;
	bits8	   *nulls;
	int64		subscript;		/* of the element that was given last */
} AcArrayWalk;

void		ac_array_start(AcArrayWalk *walk, ArrayType *array);

/* The next element, NULL for a NULL. */
struct varlena *ac_array_next(AcArrayWalk *walk);

/* ---------- sizes (ac_text.c) ---------- */

void		ac_sizes_add_pattern(AcSizes *sizes, uint32 options,
								 const uint8_t *pattern, size_t size);
void		ac_sizes_add_id(AcSizes *sizes, int64 id);

/* Bytes of the text form, its final zero not counted. */
uint64		ac_text_form_bytes(const AcSizes *sizes, uint32 options,
							   bool ordinal);

#pragma GCC visibility pop

#endif							/* AC_RULES_H */
