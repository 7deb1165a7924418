/*
 * ac_module.c
 *		What happens when the server loads the library: its setting is defined.
 *
 * ac.cache_size is known from the first call of any function on, or from the
 * start of the session with session_preload_libraries.  A smaller value takes
 * effect at once, not at the next look-up.
 */
#include "postgres.h"

#include <limits.h>

#include "fmgr.h"
#include "utils/guc.h"

#include "ac_compat.h"
#include "ac_module.h"

int			ac_cache_size;

PGDLLEXPORT void _PG_init(void);

static void
assign_cache_size(int newval, void *extra)
{
	(void) extra;
	ac_cache_shrink(newval);
}

void
_PG_init(void)
{
	DefineCustomIntVariable("ac.cache_size",
							"Memory that one backend may hold in cached automata.",
							"Zero means that no automaton outlives the query that used it.",
							&ac_cache_size,
							64 * 1024,
							0,
							MAX_KILOBYTES,
							PGC_USERSET,
							GUC_UNIT_KB,
							NULL,
							assign_cache_size,
							NULL);
	MarkGUCPrefixReserved("ac");
}
