/*
 * ac_skip.h
 *		Running the engine only where the filter points.
 */
#ifndef AC_SKIP_H
#define AC_SKIP_H

#include "ac_engine.h"
#include "ac_filter.h"

#pragma GCC visibility push(hidden)

/* As acore_run in ac_step.h. */
size_t		acore_skip_run(const AcEngine *engine, AcCursor *cursor,
						   const uint8_t *text, size_t from, size_t to,
						   AcHits *hits);

/* As acore_run_ahead in ac_step.h. */
size_t		acore_skip_ahead(const AcEngine *engine, AcCursor *cursor,
							 const uint8_t *text, size_t to);

#pragma GCC visibility pop

#endif							/* AC_SKIP_H */
