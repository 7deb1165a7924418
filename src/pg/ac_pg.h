/*
 * ac_pg.h
 *		What the files of the glue share.
 *
 * The glue stands between PostgreSQL and the core (ac_core.h).  A value of
 * type acautomaton is a varlena whose data is an image; a function reaches the
 * automaton in it by ac_get_automaton() (ac_cache.h).  Everything that makes a
 * new value goes through an AcRuleSet (ac_rules.h), where each rule of building
 * is checked by one function whatever way the rules came.
 */
#ifndef AC_PG_H
#define AC_PG_H

#include "postgres.h"

#include "fmgr.h"
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
pg_noreturn void ac_raise(AcStatus status);

/* The same for AC_E_FORMAT, naming the format. */
pg_noreturn void ac_raise_format(uint32 format);

static inline void
ac_check(AcStatus status)
{
	if (unlikely(status < 0))
		ac_raise(status);
}

/* The options that stand for the SQL options in this database. */
uint32		ac_options(bool is_bytea, bool ignore_case, bool whole_words);

/* ---------- showing patterns ---------- */

/*
 * A pattern as a text datum in the current context: as it is, or \x… in hex
 * when "options" says that it is bytea.
 */
Datum		ac_pattern_datum(uint32 options, const void *pattern, size_t size);

/* Requires text patterns (or bytea patterns) of a value; else 42804. */
void		ac_require_kind(uint32 options, bool is_bytea);

#pragma GCC visibility pop

#endif							/* AC_PG_H */
