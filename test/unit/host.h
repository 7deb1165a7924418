/*
 * host.h
 *		The surroundings of the core in tests: an AcHost that counts, checks
 *		and, on demand, fails.
 *
 * Set fail_at to k to make the k-th allocation from now on fail (and all
 * later ones if fail_on is set), interrupt_at to make the k-th poll answer
 * true.  Both count from test_host_reset().  With "timed" set, "gap" becomes
 * the longest time that the core worked without a poll.
 */
#ifndef TEST_HOST_H
#define TEST_HOST_H

#include "ac_core.h"

typedef struct TestHost
{
	AcHost		host;			/* what the core gets */
	size_t		current;		/* bytes allocated now */
	size_t		peak;			/* most of them ever since the reset */
	size_t		limit;			/* more than that is refused; 0: no limit */
	uint64_t	allocations;	/* since the reset */
	uint64_t	fail_at;		/* 0: never */
	bool		fail_on;
	uint64_t	polls;			/* since the reset */
	uint64_t	interrupt_at;	/* 0: never */
	bool		timed;			/* whether the next two are kept */
	double		polled;			/* when it was polled last */
	double		gap;			/* seconds of processor time since the reset */
	uint64_t	faults;			/* broken promises of the core */
	uint8_t		fill;			/* what fresh memory holds */
} TestHost;

extern void test_host_init(TestHost *host);
extern void test_host_reset(TestHost *host);

/* Notes that the core could be interrupted now, as a poll does. */
extern void test_host_poll(TestHost *host);

/* malloc, realloc and the like that never fail, for the tests themselves */
extern void *test_malloc(size_t size);
extern void *test_grow(void *pointer, size_t size);

/* Known-answer check of the checksum and the digest. */
extern bool test_host_sound(void);

#endif							/* TEST_HOST_H */
