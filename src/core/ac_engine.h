/*
 * ac_engine.h
 *		The automaton unpacked for speed: what acore_accelerate() derives.
 */
#ifndef AC_ENGINE_H
#define AC_ENGINE_H

#include "ac_filter.h"
#include "ac_image.h"
#include "ac_step.h"

#pragma GCC visibility push(hidden)

/* Whether one is built at all: neither for the root alone nor for an image of
 * so many states that it would take gigabytes. */
bool		acore_engine_helps(const AcImage *image);

/* Derives the engine of an image; NULL where it does not help.  Errors:
 * AC_E_MEMORY, AC_E_INTERRUPTED. */
AcStatus	acore_engine_build(const AcImage *image, const AcHost *host,
							   AcEngine **engine);
void		acore_engine_free(AcEngine *engine, const AcHost *host);

/* As acore_run in ac_step.h, whether or not text follows. */
size_t		acore_engine_run(const AcEngine *engine, AcCursor *cursor,
							 const uint8_t *text, size_t from, size_t to,
							 AcHits *hits);

/* The depth of a state. */
uint32_t	acore_engine_depth(const AcEngine *engine, uint32_t state);

/* The filter that goes with the engine, or NULL. */
const AcFilter *acore_engine_filter(const AcEngine *engine);

/* The length of the longest key in bytes. */
uint32_t	acore_engine_max_depth(const AcEngine *engine);

#pragma GCC visibility pop

#endif							/* AC_ENGINE_H */
