/*
 * ac_match.h
 *		What the functions that match and those that replace share.
 */
#ifndef AC_MATCH_H
#define AC_MATCH_H

#include "ac_scan.h"

#pragma GCC visibility push(hidden)

/* The kind that an argument names; else 22023. */
AcKind		ac_kind_arg(FunctionCallInfo fcinfo, int argno);

/* Leaves with the error if such a body cannot be matched against rules. */
void		ac_check_body_slow(uint32 options, bool bytes);

/*
 * Requires that rules can be matched against text, or against bytes.  Options
 * of text patterns are about characters, which bytes are not.
 */
static inline void
ac_check_body(const AcEntry *entry, bool bytes)
{
	uint32		options = entry->automaton.info.options;

	if ((options & AC_BYTEA) != 0 ? !bytes :
		bytes && (options & (AC_FOLD_MASK | AC_WORDS_MASK)) != 0)
		ac_check_body_slow(options, bytes);
}

/*
 * The pattern in a slot, as it was given: text, or bytea in hex.  [start, end)
 * is a match of its key in the body that "scan" has open.
 */
Datum		ac_slot_pattern(const AcScan *scan, size_t start, size_t end,
							uint32 slot);

#pragma GCC visibility pop

#endif							/* AC_MATCH_H */
