/*
 * ac_sort.h
 *		Sorting patterns into byte order.
 */
#ifndef AC_SORT_H
#define AC_SORT_H

#include "ac_core.h"
#include "ac_work.h"

#pragma GCC visibility push(hidden)

/*
 * Fills order[0 .. rules->count) with the entries ordered by the bytes of
 * their patterns, then id, then given order.
 *
 * Time: linear in the bytes of the patterns that have to be looked at to tell
 * them apart.  Errors: AC_E_MEMORY, AC_E_INTERRUPTED.
 */
AcStatus	acore_sort(const AcRules *rules, const AcHost *host,
					   uint32_t *order);

#pragma GCC visibility pop

#endif							/* AC_SORT_H */
