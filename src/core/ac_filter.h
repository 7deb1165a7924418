/*
 * ac_filter.h
 *		Finding the places where an occurrence may stand, without stepping.
 */
#ifndef AC_FILTER_H
#define AC_FILTER_H

#include "ac_core.h"

#pragma GCC visibility push(hidden)

typedef struct AcFilter AcFilter;
typedef struct AcFilterBuilder AcFilterBuilder;

/* Lengths that acore_filter_begin wants to know the keys of. */
#define AC_SHORT_KEYS	8

/*
 * Building: begin, add every key, finish.  Keys that begin with another key
 * need not be added.  "keys" counts them all, short_keys[i] the ones of i
 * bytes.
 *
 * acore_filter_begin sets *builder to NULL where no filter can help.
 * acore_filter_add answers AC_E_TOO_LARGE when there are too many keys for
 * one to help.  acore_filter_finish sets *filter; it frees the builder
 * whatever it answers, as acore_filter_abandon does.  Errors: AC_E_MEMORY.
 */
AcStatus	acore_filter_begin(uint32_t keys,
							   const uint32_t short_keys[AC_SHORT_KEYS],
							   const AcHost *host, AcFilterBuilder **builder);
AcStatus	acore_filter_add(AcFilterBuilder *builder, const uint8_t *key,
							 uint32_t length);
AcStatus	acore_filter_finish(AcFilterBuilder *builder, AcFilter **filter);
void		acore_filter_abandon(AcFilterBuilder *builder);
void		acore_filter_free(AcFilter *filter, const AcHost *host);

/*
 * How far in front of a place that acore_filter_next answers an occurrence can
 * begin, bytes.
 */
uint32_t	acore_filter_look_back(const AcFilter *filter);

/*
 * The first place at or behind "from" that looks like the inside of an
 * occurrence, or "to".  Every occurrence in text[.. to) that begins at or
 * behind "from", and begins behind the last place answered, has such a place:
 * at most look_back bytes behind its beginning, or one byte in front of it.
 * Nothing outside of text[0 .. to) is read.  *asked grows by the comparisons
 * that this took.
 */
size_t		acore_filter_next(const AcFilter *filter, const uint8_t *text,
							  size_t from, size_t to, uint32_t *asked);

/* Its twins: without and with AVX2 (ac_cpu.h), for the tests. */
size_t		acore_filter_next_scalar(const AcFilter *filter,
									 const uint8_t *text, size_t from,
									 size_t to, uint32_t *asked);
size_t		acore_filter_next_avx2(const AcFilter *filter,
								   const uint8_t *text, size_t from,
								   size_t to, uint32_t *asked);

#pragma GCC visibility pop

#endif							/* AC_FILTER_H */
