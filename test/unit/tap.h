/*
 * tap.h
 *		Test results in the Test Anything Protocol, and random numbers.
 *
 * Every test program understands
 *
 *		--seed N	the seed of its random tests (else AC_TEST_SEED, else the time)
 *		--count N	how many random rounds (else AC_TEST_COUNT, else its default)
 *		--long		the long mode (else AC_TEST_LONG=1)
 *		--share N	only every N-th case of an exhaustive test (else
 *					AC_TEST_SHARE, else 1), for builds that run slowly
 *
 * and prints the seed, so that a failure can be run again.
 */
#ifndef TAP_H
#define TAP_H

#include <stdbool.h>
#include <stdint.h>

#define TAP_PRINTF(text, first) __attribute__((format(printf, text, first)))

extern void tap_start(int argc, char **argv);
extern uint64_t tap_seed(void);
extern bool tap_long(void);
extern uint64_t tap_count(uint64_t quick, uint64_t longer);
extern uint32_t tap_share(void);

/* One test: "ok" or "not ok". */
extern bool tap_ok(bool good, const char *name,...) TAP_PRINTF(2, 3);

/* A test that cannot be run here; counts as passed, and is shown. */
extern void tap_skip(const char *name, const char *reason);

/* A comment line. */
extern void tap_note(const char *text,...) TAP_PRINTF(1, 2);

/* Ends the program: the run makes no sense any more. */
extern void tap_bail(const char *text,...) TAP_PRINTF(1, 2)
			__attribute__((noreturn));

/* Prints the plan; the exit status of the program. */
extern int	tap_finish(void);

/* SplitMix64: any state is a good one, so that a seed can be anything. */
typedef struct Rng
{
	uint64_t	state;
} Rng;

extern uint64_t rng_next(Rng *rng);
extern uint32_t rng_below(Rng *rng, uint32_t bound);	/* 0 .. bound - 1 */
extern bool rng_chance(Rng *rng, uint32_t percent);

#endif							/* TAP_H */
