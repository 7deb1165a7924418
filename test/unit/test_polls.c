/*
 * test_polls.c
 *		However large the rules, the core asks often whether to go on.
 *
 * Each operation runs on rule sets that are large in one way each: bytes of
 * one pattern, copies of one, short patterns, long ones that share all but
 * their ends, ids, spellings.  The host notes the longest processor time
 * between two polls, which is how late an answer to a cancel may be.
 */
#include <stdlib.h>
#include <string.h>

#include "subject.h"
#include "tap.h"
#include "worlds.h"

#define LATEST	0.025			/* seconds; an idle machine needs 0.005 */

static TestHost host;

static void
one_pattern(RuleSet *set, uint32_t bytes)
{
	uint8_t    *pattern = test_malloc(bytes);
	Rng			rng = {1};
	uint32_t	i;

	for (i = 0; i < bytes; i++)
		pattern[i] = (uint8_t) ('a' + rng_below(&rng, 3));
	ruleset_add(set, pattern, bytes);
	free(pattern);
}

static void
one_letter(RuleSet *set, uint32_t bytes)
{
	uint8_t    *pattern = test_malloc(bytes);

	memset(pattern, 'a', bytes);
	ruleset_add(set, pattern, bytes);
	free(pattern);
}

static void
copies(RuleSet *set, uint32_t bytes)
{
	uint32_t	i;

	for (i = 0; i < bytes / 16; i++)
		ruleset_add_id(set, "the same pattern", 16, (int64_t) (i ^ 0x5555));
	set->rules.ids = set->ids;
}

static void
words(RuleSet *set, uint32_t bytes)
{
	Rng			rng = {2};
	uint32_t	i;

	for (i = 0; i < bytes / 8; i++)
	{
		uint64_t	word = rng_next(&rng);

		ruleset_add_id(set, &word, sizeof(word), (int64_t) rng_next(&rng));
	}
	set->rules.ids = set->ids;
}

static void
shared_prefixes(RuleSet *set, uint32_t bytes)
{
	static uint8_t pattern[2000];
	uint32_t	i;

	memset(pattern, 'a', sizeof(pattern));
	for (i = 0; i < bytes / sizeof(pattern); i++)
	{
		pattern[sizeof(pattern) - 1 - i % 1000] ^= 3;
		ruleset_add(set, pattern, sizeof(pattern));
	}
}

static void
spellings(RuleSet *set, uint32_t bytes)
{
	char		pattern[16];
	uint32_t	i;

	for (i = 0; i < bytes / sizeof(pattern); i++)
	{
		memcpy(pattern, "STRA\xc3\x84\xc3\x84", 8);
		memset(pattern + 8, 'A' + (int) (i % 26), 4);
		memcpy(pattern + 12, &(uint32_t) {(i * 7919) & 0x3f3f3f3f}, 4);
		ruleset_add(set, pattern, sizeof(pattern));
	}
}

/* One long spelling that folds to something longer. */
static void
one_spelling(RuleSet *set, uint32_t bytes)
{
	uint8_t    *pattern = test_malloc(bytes);
	uint32_t	i;

	for (i = 0; i + 1 < bytes; i += 2)
		memcpy(pattern + i, "\xc8\xba", 2);
	ruleset_add(set, pattern, i);
	free(pattern);
}

static const struct
{
	const char *name;
	void		(*fill) (RuleSet *set, uint32_t bytes);
	uint32_t	options;
}			shapes[] = {
	{"one pattern", one_pattern, 0}, {"one letter", one_letter, 0},
	{"copies", copies, 0}, {"words", words, AC_BYTEA},
	{"shared prefixes", shared_prefixes, 0},
	{"spellings", spellings, AC_FOLD_UNICODE},
	{"one spelling", one_spelling, AC_FOLD_UNICODE}
};

#define SHAPES	(sizeof(shapes) / sizeof(shapes[0]))

/* Ends a stretch that must not have gone without a poll for long. */
static bool
in_time(const char *what, AcStatus status)
{
	double		gap;

	test_host_poll(&host);
	gap = host.gap;
	test_host_reset(&host);
	if (status == AC_OK && gap <= LATEST * tap_share())
		return true;
	tap_note("%s: status %d, %.1f ms without a poll", what, (int) status,
			 gap * 1000);
	return false;
}

static bool
handle_in_time(const uint8_t *image, size_t size)
{
	AcAutomaton automaton;
	AcRules		rules;
	void	   *block;
	size_t		block_size;
	bool		good;

	good = in_time("verify", acore_verify(image, size, &host.host));
	if (!in_time("open", acore_open(image, size, &host.host, &automaton)))
		return false;
	good = in_time("extract", acore_extract(&automaton, &rules, &block,
											&block_size)) && good;
	host.host.release(&host, block, block_size);
	test_host_reset(&host);
	good = in_time("accelerate", acore_accelerate(&automaton)) && good;
	acore_close(&automaton);
	return good;
}

/* Builds, and does all that can be done with the image. */
static bool
rules_in_time(const RuleSet *set, size_t *size)
{
	uint8_t    *image;
	bool		good;

	test_host_reset(&host);
	good = in_time("build", acore_build(&set->rules, &host.host, 0,
										SUBJECT_LIMIT, &image, size));
	good = handle_in_time(image, *size) && good;
	host.host.release(&host, image, *size);
	return good && host.current == 0 && host.faults == 0;
}

int
main(int argc, char **argv)
{
	uint32_t	bytes;
	RuleSet		set;
	size_t		i;

	tap_start(argc, argv);
	/* under the sanitizers it is about memory: they make time mean little */
	bytes = tap_long() ? 64u << 20 : tap_share() > 1 ? 256u << 10 : 8u << 20;
	test_host_init(&host);
	host.timed = true;
	ruleset_init(&set, 0);
	for (i = 0; i < SHAPES; i++)
	{
		size_t		size = 0;
		int			attempts = 1;

		ruleset_clear(&set, shapes[i].options);
		shapes[i].fill(&set, bytes);
		/* a machine of others may stand still for a while, not each time */
		while (!rules_in_time(&set, &size) && attempts < 4)
			attempts++;
		tap_ok(attempts < 4, "%s, image of %zu bytes: polls in time",
			   shapes[i].name, size);
	}
	ruleset_free(&set);
	return tap_finish();
}
