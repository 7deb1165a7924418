/*
 * ac_pg.h
 *		What the files of the glue share.
 *
 * The glue stands between PostgreSQL and the core (ac_core.h).  A value of
 * type acautomaton is a varlena whose data is an image; a function reaches the
 * automaton in it by ac_get_automaton() (ac_cache.h), and everything that
 * makes a new value goes through an AcRuleSet (below), where each rule of
 * building is checked by one function whatever way the rules came.
 */
#ifndef AC_PG_H
#define AC_PG_H

#include "postgres.h"

#include "fmgr.h"
#include "lib/stringinfo.h"
#include "utils/array.h"
#include "utils/memutils.h"
#include "utils/palloc.h"

#include "ac_compat.h"
#include "ac_core.h"

#pragma GCC visibility push(hidden)

/* The largest datum, its header included: 1 GB - 1 byte. */
#define AC_MAX_DATUM	((size_t) MaxAllocSize)

/* The name of the type in messages. */
#define AC_TYPE_NAME	"acautomaton"

/* ---------- the datum ---------- */

/*
 * The header of an image alone, whatever the storage of the datum: of a value
 * out of line only the first chunk is read.  Leaves by ereport when the image
 * is damaged or of an unknown format.
 */
void		ac_peek_datum(Datum datum, AcInfo *info);

#define AC_GETARG_INFO(n, info) ac_peek_datum(PG_GETARG_DATUM(n), info)

/* ---------- the host (ac_host.c) ---------- */

/*
 * An AcHost over a memory context: allocations may be huge and are freed with
 * the context at the latest, interrupted() is CHECK_FOR_INTERRUPTS() and so
 * leaves by longjmp.  "host" must live as long as the handles made with it.
 */
void		ac_host_init(AcHost *host, MemoryContext context);

/* Raises the error that an AcStatus below zero stands for. */
void		ac_raise(AcStatus status) pg_attribute_noreturn();

/* The same for AC_E_FORMAT, naming the format. */
void		ac_raise_format(uint32 format) pg_attribute_noreturn();

static inline void
ac_check(AcStatus status)
{
	if (unlikely(status < 0))
		ac_raise(status);
}

/* The options that stand for the SQL options in this database. */
uint32		ac_options(bool is_bytea, bool ignore_case, bool whole_words);

/* ---------- making values (ac_rules.c) ---------- */

/*
 * A rule set that grows.  Pool and arrays may be huge; they belong to one
 * memory context, so that an aggregate can keep them from row to row.
 */
typedef struct AcRuleSet
{
	MemoryContext context;
	uint32		options;
	uint32		count;			/* entries so far */
	uint32		capacity;		/* entries that offsets and ids have room for */
	bool		ordinal;		/* all ids so far are 1 .. count */
	uint8	   *pool;
	size_t		pool_size;
	uint64	   *offsets;		/* capacity + 1; offsets[count] = pool in use */
	int64	   *ids;			/* NULL while ordinal */
	uint64		text_bytes;		/* of the patterns in text form */
	uint64		array_bytes;	/* of the patterns as text[] */
	uint64		id_bytes;		/* of the ids in text form */
} AcRuleSet;

void		ac_rules_init(AcRuleSet *rules, uint32 options,
						  MemoryContext context);

/* Makes room for so many more entries and bytes, exactly. */
void		ac_rules_reserve(AcRuleSet *rules, uint32 entries, size_t bytes);

/* Adds an entry; "subscript" is what an error calls it, counted from 1. */
void		ac_rules_add(AcRuleSet *rules, const void *pattern, size_t size,
						 int64 id, int64 subscript);

/* Compiles the rules into a datum in the current context. */
Datum		ac_rules_build(const AcRuleSet *rules);

/* Releases what the rule set holds, before its context does. */
void		ac_rules_free(AcRuleSet *rules);

/* Errors of building that more than one way in can meet. */
void		ac_error_null(const char *what, int64 subscript)
			pg_attribute_noreturn();

/* Arrays as the SQL functions take them: one dimension, no NULL inside. */
uint32		ac_check_array(ArrayType *array, const char *what);
int64	   *ac_ids_from_array(ArrayType *array, uint32 *count);
void		ac_rules_add_arrays(AcRuleSet *rules, ArrayType *patterns,
								ArrayType *ids);

/* ---------- showing patterns ---------- */

/*
 * A pattern as a text datum: as it is, or \x… in hex for bytea automata.
 */
Datum		ac_pattern_datum(uint32 options, const void *pattern, size_t size);

#pragma GCC visibility pop

#endif							/* AC_PG_H */
