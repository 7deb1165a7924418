/*
 * peer_ac.c
 *		The automaton of this project, used in place and accelerated.
 *
 * Linked with one build of the core into one object of which only peer_ac()
 * stays visible, so that several builds of the core fit into one process.
 * VARIANT is appended to the names of the peers.  With NO_FILTER the core
 * is made to believe that no filter can help (the core's own function is made
 * weak when linking): the automaton alone.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <openssl/evp.h>

#include "ac_core.h"
#include "bench.h"

#ifndef VARIANT
#define VARIANT ""
#endif

#if defined(NO_FILTER) && __has_include("ac_filter.h")
#include "ac_filter.h"

AcStatus
acore_filter_begin(uint32_t keys, const uint32_t short_keys[AC_SHORT_KEYS],
				   const AcHost *host, AcFilterBuilder **builder)
{
	(void) keys;
	(void) short_keys;
	(void) host;
	*builder = NULL;
	return AC_OK;
}
#endif

typedef struct Ours
{
	uint8_t    *image;
	size_t		image_size;
	size_t		held;			/* bytes beside the image */
	double		verify;
	double		load;
	AcAutomaton automaton;
	AcScanner  *scanner;
} Ours;

/* ---------- the host ---------- */

static void *
host_allocate(void *context, size_t size)
{
	(void) context;
	return malloc(size);
}

static void
host_release(void *context, void *pointer, size_t size)
{
	(void) context;
	(void) size;
	free(pointer);
}

static bool
host_interrupted(void *context)
{
	(void) context;
	return false;
}

/* Castagnoli's polynomial; the server has the instruction too. */
__attribute__((target("sse4.2")))
static uint32_t
crc32c_by_instruction(const uint8_t *byte, size_t size)
{
	uint64_t	crc = UINT32_MAX;

	for (; size >= 8; byte += 8, size -= 8)
	{
		uint64_t	word;

		memcpy(&word, byte, 8);
		crc = __builtin_ia32_crc32di(crc, word);
	}
	for (; size > 0; byte++, size--)
		crc = __builtin_ia32_crc32qi((uint32_t) crc, *byte);
	return ~(uint32_t) crc;
}

static uint32_t
host_crc32c(void *context, const void *data, size_t size)
{
	(void) context;
	return crc32c_by_instruction(data, size);
}

static void
host_sha256(void *context, const AcSpan *parts, int nparts, uint8_t digest[32])
{
	EVP_MD_CTX *sha = must(EVP_MD_CTX_new());
	int			i;

	(void) context;
	EVP_DigestInit_ex(sha, EVP_sha256(), NULL);
	for (i = 0; i < nparts; i++)
		EVP_DigestUpdate(sha, parts[i].data, parts[i].size);
	EVP_DigestFinal_ex(sha, digest, NULL);
	EVP_MD_CTX_free(sha);
}

static const AcHost host = {
	NULL, host_allocate, host_release, host_interrupted, host_crc32c,
	host_sha256
};

/* ---------- the peer ---------- */

static void
check(AcStatus status, const char *what)
{
	if (status >= 0)
		return;
	fprintf(stderr, "ac: %s failed: %d\n", what, status);
	exit(1);
}

static double
seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}

/* What is timed as building: the image alone, as it is stored. */
static void *
build(const Set *set)
{
	Ours	   *ours = must(calloc(1, sizeof(Ours)));
	AcRules		rules = {set->count, 0, set->pool, set->offsets, NULL};

	check(acore_build(&rules, &host, 0, SIZE_MAX, &ours->image,
					  &ours->image_size), "building");
	return ours;
}

static void
load(Ours *ours, bool accelerate)
{
	size_t		before = memory_now();
	double		start = seconds();

	check(acore_verify(ours->image, ours->image_size, &host), "verifying");
	ours->verify = seconds() - start;
	check(acore_open(ours->image, ours->image_size, &host, &ours->automaton),
		  "opening");
	if (accelerate)
		check(acore_accelerate(&ours->automaton), "accelerating");
	ours->load = seconds() - start;
	ours->held = memory_now() - before;
	check(acore_scanner_create(&ours->automaton, AC_ALL, AC_ENC_BYTES, false,
							   NULL, &ours->scanner), "making a scanner");
}

static void
unload(Ours *ours)
{
	if (ours->scanner == NULL)
		return;
	acore_scanner_free(ours->scanner);
	acore_close(&ours->automaton);
	ours->scanner = NULL;
}

static void
destroy(void *automaton)
{
	Ours	   *ours = automaton;

	unload(ours);
	free(ours->image);
	free(ours);
}

/* Loads again, so that repeated calls give repeated measurements. */
static void
extra(void *automaton, Extra *figures, bool accelerate)
{
	Ours	   *ours = automaton;

	unload(ours);
	load(ours, accelerate);
	figures->verify = ours->verify;
	figures->load = ours->load;
	figures->image = ours->image_size;
	figures->states = ours->automaton.info.states;
}

static void
extra_in_place(void *automaton, Extra *figures)
{
	extra(automaton, figures, false);
}

static void
extra_accelerated(void *automaton, Extra *figures)
{
	extra(automaton, figures, true);
}

static size_t
size_in_place(void *automaton)
{
	return ((Ours *) automaton)->image_size;
}

/* The image stays beside what is derived from it. */
static size_t
size_accelerated(void *automaton)
{
	Ours	   *ours = automaton;

	return ours->image_size + ours->held;
}

static Found
all(void *automaton, const uint8_t *text, size_t size)
{
	AcScanner  *scanner = ((Ours *) automaton)->scanner;
	Found		found = {0, 0};
	AcMatch		match;

	acore_scan_start(scanner);
	acore_scan_feed(scanner, text, size, true);
	while (acore_scan_next(scanner, &match) == AC_MATCH)
	{
		found.count++;
		found.sum += 2 * match.end - match.start;
	}
	return found;
}

static bool
any(void *automaton, const uint8_t *text, size_t size)
{
	AcScanner  *scanner = ((Ours *) automaton)->scanner;
	AcMatch		match;

	acore_scan_start(scanner);
	acore_scan_feed(scanner, text, size, true);
	return acore_scan_next(scanner, &match) == AC_MATCH;
}

static const Peer peers[] = {
	{"ac" VARIANT, build, destroy, size_accelerated, all, any,
	extra_accelerated, 0},
	{"ac in place" VARIANT, build, destroy, size_in_place, all, any,
	extra_in_place, 200000},
};

const Peer *
peer_ac(int index)
{
	return index < 2 ? &peers[index] : NULL;
}
