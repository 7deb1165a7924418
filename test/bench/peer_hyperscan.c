/*
 * peer_hyperscan.c
 *		Hyperscan 5, through its interface for literals.
 *
 * Patterns are compiled without flags: every match is reported with its end,
 * and the start follows from the length of the pattern, which is cheaper
 * than to have the library keep it.  One scratch space, reused.
 *
 * Whether anything matches is asked in two ways: by leaving at the first
 * report, and from a database compiled with HS_FLAG_SINGLEMATCH besides.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hs/hs.h>

#include "bench.h"

typedef struct Hyperscan
{
	hs_database_t *database;
	hs_scratch_t *scratch;
	size_t		size;
	uint32_t   *lengths;
	Found		found;
} Hyperscan;

static void *
compile(const Set *set, unsigned int flag)
{
	Hyperscan  *hyperscan = must(calloc(1, sizeof(Hyperscan)));
	const char **literals = must(malloc(set->count * sizeof(char *)));
	size_t	   *lengths = must(malloc(set->count * sizeof(size_t)));
	unsigned int *flags = must(malloc(set->count * sizeof(int)));
	unsigned int *ids = must(malloc(set->count * sizeof(int)));
	hs_compile_error_t *error = NULL;
	size_t		scratch = 0;
	uint32_t	i;

	hyperscan->lengths = must(malloc(set->count * sizeof(uint32_t)));
	for (i = 0; i < set->count; i++)
	{
		literals[i] = (const char *) set->pool + set->offsets[i];
		lengths[i] = set->offsets[i + 1] - set->offsets[i];
		hyperscan->lengths[i] = (uint32_t) lengths[i];
		flags[i] = flag;
		ids[i] = i;
	}
	if (hs_compile_lit_multi(literals, flags, ids, lengths, set->count,
							 HS_MODE_BLOCK, NULL, &hyperscan->database,
							 &error) != HS_SUCCESS ||
		hs_alloc_scratch(hyperscan->database, &hyperscan->scratch) != HS_SUCCESS)
	{
		fprintf(stderr, "hyperscan: %s\n", error ? error->message : "no scratch");
		exit(1);
	}
	hs_database_size(hyperscan->database, &hyperscan->size);
	hs_scratch_size(hyperscan->scratch, &scratch);
	hyperscan->size += scratch;
	free(literals);
	free(lengths);
	free(flags);
	free(ids);
	return hyperscan;
}

static void *
build(const Set *set)
{
	return compile(set, 0);
}

static void *
build_single(const Set *set)
{
	return compile(set, HS_FLAG_SINGLEMATCH);
}

static void
destroy(void *automaton)
{
	Hyperscan  *hyperscan = automaton;

	hs_free_scratch(hyperscan->scratch);
	hs_free_database(hyperscan->database);
	free(hyperscan->lengths);
	free(hyperscan);
}

static size_t
size_of(void *automaton)
{
	return ((Hyperscan *) automaton)->size;
}

static int
count(unsigned int id, unsigned long long from, unsigned long long to,
	  unsigned int flags, void *context)
{
	Hyperscan  *hyperscan = context;

	(void) from;
	(void) flags;
	hyperscan->found.count++;
	hyperscan->found.sum += to + hyperscan->lengths[id];
	return 0;
}

static int
leave(unsigned int id, unsigned long long from, unsigned long long to,
	  unsigned int flags, void *context)
{
	(void) id;
	(void) from;
	(void) to;
	(void) flags;
	*(bool *) context = true;
	return 1;
}

static Found
all(void *automaton, const uint8_t *text, size_t size)
{
	Hyperscan  *hyperscan = automaton;

	hyperscan->found = (Found) {0, 0};
	hs_scan(hyperscan->database, (const char *) text, (unsigned int) size, 0,
			hyperscan->scratch, count, hyperscan);
	return hyperscan->found;
}

static bool
any(void *automaton, const uint8_t *text, size_t size)
{
	Hyperscan  *hyperscan = automaton;
	bool		found = false;

	hs_scan(hyperscan->database, (const char *) text, (unsigned int) size, 0,
			hyperscan->scratch, leave, &found);
	return found;
}

static const Peer peers[] = {
	{"Hyperscan", build, destroy, size_of, all, any, NULL, 200000},
	{"Hyperscan single-match", build_single, destroy, size_of, NULL, any, NULL,
	5000},
};

const Peer *
peer_hyperscan(int index)
{
	return index < 2 ? &peers[index] : NULL;
}
