/*
 * test_linear.c
 *		Time and memory grow with the input and not faster.
 *
 * Work is counted in polls (the core polls after about as much work each
 * time), which is exact and the same on every machine, and in processor time,
 * which notices work that the core forgets to count.  Four times the text may
 * cost about four times as much; a quadratic matcher would need sixteen times,
 * so that the bound in between is far from both.
 */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "subject.h"
#include "tap.h"
#include "worlds.h"

/* Fills a body that is hard for a rule set. */
typedef void (*Fill) (uint8_t *body, size_t size);

typedef void (*Rules) (RuleSet *set, uint32_t scale);

static void
fill_a(uint8_t *body, size_t size)
{
	memset(body, 'a', size);
}

/* é, of two bytes */
static void
fill_e_acute(uint8_t *body, size_t size)
{
	size_t		i;

	for (i = 0; i < size; i++)
		body[i] = i % 2 == 0 ? 0xc3 : 0xa9;
}

/* a^99 b, again and again */
static void
fill_broken_a(uint8_t *body, size_t size)
{
	size_t		i;

	for (i = 0; i < size; i++)
		body[i] = i % 100 == 99 ? 'b' : 'a';
}

/* abaababa...: each prefix is followed by the prefix before it */
static void
fill_fibonacci(uint8_t *body, size_t size)
{
	size_t		last = 1;
	size_t		have = 2;

	memcpy(body, "ab", 2);
	while (have < size)
	{
		size_t		more = last < size - have ? last : size - have;

		memcpy(body + have, body, more);
		last = have;
		have += more;
	}
}

/* a^1 ... a^scale: scale matches at every position */
static void
rules_nested(RuleSet *set, uint32_t scale)
{
	uint8_t    *letters = test_malloc(scale);
	uint32_t	i;

	memset(letters, 'a', scale);
	for (i = 1; i <= scale; i++)
		ruleset_add(set, letters, i);
	free(letters);
}

/* a^scale b: no match in a text of a, but for ever almost one */
static void
rules_almost(RuleSet *set, uint32_t scale)
{
	uint8_t    *letters = test_malloc(scale + 1);

	memset(letters, 'a', scale);
	letters[scale] = 'b';
	ruleset_add(set, letters, scale + 1);
	free(letters);
}

/* a and a^scale b: after each a the leftmost kinds have to look ahead */
static void
rules_lookahead(RuleSet *set, uint32_t scale)
{
	rules_almost(set, scale);
	ruleset_add_text(set, "a");
}

/* é^scale: at every position a match whose characters are to be counted */
static void
rules_e_acute(RuleSet *set, uint32_t scale)
{
	uint8_t    *letters = test_malloc(2 * (size_t) scale);

	fill_e_acute(letters, 2 * (size_t) scale);
	ruleset_add(set, letters, 2 * (size_t) scale);
	free(letters);
}

/* c a^i b for many i: every failure falls back through all of them */
static void
rules_fallback(RuleSet *set, uint32_t scale)
{
	uint8_t    *letters = test_malloc(scale + 2);
	uint32_t	i;

	memset(letters, 'a', scale + 2);
	for (i = scale; i > 0; i -= 1 + i / 20)
	{
		letters[i] = 'c';
		ruleset_add(set, letters, i + 1);
		letters[i] = 'a';
	}
	free(letters);
}

/* a prefix of the Fibonacci word and one letter that breaks it */
static void
rules_fibonacci(RuleSet *set, uint32_t scale)
{
	uint8_t    *letters = test_malloc(scale + 2);

	fill_fibonacci(letters, scale + 1);
	letters[scale] = 'c';
	ruleset_add(set, letters, scale + 1);
	free(letters);
}

static const struct
{
	const char *name;
	Rules		rules;
	uint32_t	small;
	uint32_t	large;
	Fill		fill;
	bool		scale_free;		/* whether the scale must not cost time */
	bool		chars;			/* positions are characters */
}			cases[] = {
	{"a^1 ... a^64 in a^n", rules_nested, 8, 64, fill_a, false, false},
	{"a^m b in a^n", rules_almost, 50, 5000, fill_a, true, false},
	{"a^m b in (a^99 b)^n", rules_almost, 50, 5000, fill_broken_a, true, false},
	{"é^m in é^n", rules_e_acute, 50, 10000, fill_e_acute, true, true},
	{"a, a^m b in a^n", rules_lookahead, 50, 5000, fill_a, true, false},
	{"a^i c in (a^99 b)^n", rules_fallback, 50, 2000, fill_broken_a, true, false},
	{"Fibonacci words", rules_fibonacci, 50, 5000, fill_fibonacci, true, false}
};

#define CASES (sizeof(cases) / sizeof(cases[0]))

static double
seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double) now.tv_sec + (double) now.tv_nsec * 1e-9;
}

typedef struct Cost
{
	double		seconds;		/* the best of several runs */
	uint64_t	polls;
} Cost;

static Cost
scan_cost(Subject *subject, int twin, AcKind kind, const uint8_t *body,
		  size_t size)
{
	AcScanner  *scanner = subject_scanner(subject, twin, kind);
	Cost		cost = {1e9, 0};
	int			run;

	for (run = 0; run < 2; run++)
	{
		double		start = seconds();
		AcStatus	status;
		AcMatch		match;

		test_host_reset(&subject->host);
		acore_scan_start(scanner);
		acore_scan_feed(scanner, body, size, true);
		while ((status = acore_scan_next(scanner, &match)) == AC_MATCH)
			;
		if (status != AC_DONE)
			tap_bail("a scan ended with %d", (int) status);
		start = seconds() - start;
		if (start < cost.seconds)
			cost.seconds = start;
		cost.polls = subject->host.polls;
	}
	return cost;
}

/* Whether "after" is at most "factor" times "before". */
static bool
within(const char *what, Cost before, Cost after, double factor)
{
	bool		good = (double) after.polls <=
		(double) before.polls * factor + 20 &&
		after.seconds <= before.seconds * factor + 0.005;

	if (!good)
		tap_note("%s: %" PRIu64 " polls, %.4f s -> %" PRIu64 " polls, %.4f s",
				 what, before.polls, before.seconds, after.polls,
				 after.seconds);
	return good;
}

static void
check_case(size_t c, RuleSet *set, uint8_t *body, size_t size)
{
	Subject		small;
	Subject		large;
	RuleSet		other;
	bool		good = true;
	int			twin;
	int			kind;

	/* where there are many matches a byte, fewer bytes do */
	if (!cases[c].scale_free)
		size /= 8;
	ruleset_init(&other, 0);
	ruleset_clear(set, 0);
	cases[c].rules(&other, cases[c].small);
	cases[c].rules(set, cases[c].large);
	subject_open(&small, &other.rules, 0);
	subject_open(&large, &set->rules, 0);
	small.want_chars = large.want_chars = cases[c].chars;
	if (cases[c].chars)
		small.encoding = large.encoding = AC_ENC_UTF8;
	cases[c].fill(body, size);
	for (twin = 0; twin < TWINS; twin++)
		for (kind = 0; kind < 3; kind++)
		{
			Cost		part;
			Cost		whole;
			int			attempts = 0;

			/* a machine of others may stand still for a while, not each time */
			do
			{
				part = scan_cost(&large, twin, (AcKind) kind, body, size / 4);
				whole = scan_cost(&large, twin, (AcKind) kind, body, size);
			} while (!within("4 times the text", part, whole, 8) &&
					 ++attempts < 4);
			good = attempts < 4 && good;
			if (cases[c].scale_free)
				good = within("longer patterns",
							  scan_cost(&small, twin, (AcKind) kind, body, size),
							  whole, 12) && good;
			tap_note("%s, %s, %s: %.1f ns a byte, %" PRIu64 " polls",
					 cases[c].name, twin == PLAIN ? "in place" : "accelerated",
					 kind_name((AcKind) kind),
					 whole.seconds / (double) size * 1e9, whole.polls);
		}
	good = subject_close(&small) && good;
	good = subject_close(&large) && good;
	ruleset_free(&other);
	tap_ok(good, "linear in the text: %s", cases[c].name);
}

/* Words of 1 to 23 letters that share beginnings, as a dictionary has them. */
static void
dictionary(RuleSet *set, Rng *rng, uint32_t count)
{
	uint8_t		word[32];
	uint32_t	size = 0;

	ruleset_clear(set, 0);
	while (set->rules.count < count)
	{
		uint32_t	kept = rng_below(rng, size + 1);
		uint32_t	wanted = 3 + rng_below(rng, 7) + rng_below(rng, 7);

		/* mostly go on from the word before, as a sorted list does */
		if (rng_chance(rng, 60) && size > 2)
			kept = size - 1 - rng_below(rng, 2);
		for (size = kept; size < wanted; size++)
			word[size] = (uint8_t) "etaoinshrdlucmfw"[rng_below(rng, 16)];
		ruleset_add(set, word, size);
	}
}

/* Paths of about 62 bytes out of a tree of directories. */
static void
paths(RuleSet *set, Rng *rng, uint32_t count)
{
	char		path[200];
	size_t		size[8] = {0};

	ruleset_clear(set, 0);
	while (set->rules.count < count)
	{
		uint32_t	level = rng_chance(rng, 80) ? 6 : rng_below(rng, 6);

		for (; level < 7; level++)
		{
			uint32_t	letters = 4 + rng_below(rng, 9);
			size_t		at = size[level];

			path[at++] = '/';
			while (letters-- > 0)
				path[at++] = (char) ('a' + rng_below(rng, 26));
			size[level + 1] = at;
		}
		ruleset_add(set, path, size[7]);
	}
}

/* Peak memory and time to build and to accelerate. */
static Cost
build_cost(const RuleSet *set, const char *what, double most_bytes, bool *good)
{
	double		bytes = (double) set->offsets[set->rules.count];
	TestHost	host;
	AcAutomaton automaton;
	uint8_t    *block;
	size_t		size;
	double		peak;
	Cost		cost;

	test_host_init(&host);
	cost.seconds = seconds();
	if (acore_build(&set->rules, &host.host, 0, SUBJECT_LIMIT, &block, &size) !=
		AC_OK)
		tap_bail("could not build");
	cost.seconds = seconds() - cost.seconds;
	cost.polls = host.polls;
	peak = (double) (host.peak - size) / bytes;
	tap_note("%u %s of %.0f bytes: image %.3f of them, built in %.1f ms, "
			 "%" PRIu64 " allocations, %.2f bytes a byte at the peak",
			 set->rules.count, what, bytes, (double) size / bytes,
			 cost.seconds * 1e3, host.allocations, peak);
	*good = *good && peak <= most_bytes;
	if (acore_open(block, size, &host.host, &automaton) != AC_OK)
		tap_bail("could not open");
	peak = (double) host.current;
	if (acore_accelerate(&automaton) != AC_OK)
		tap_bail("could not accelerate");
	tap_note("  accelerated by %.2f bytes a state",
			 ((double) host.current - peak) / automaton.info.states);
	acore_close(&automaton);
	host.host.release(&host, block, size);
	*good = *good && host.current == 0 && host.faults == 0;
	return cost;
}

static void
check_build(RuleSet *set)
{
	uint32_t	words = 100000 / tap_share();
	Rng			rng = {tap_seed()};
	Cost		part;
	Cost		whole;
	bool		good = true;
	uint32_t	i;

	dictionary(set, &rng, words / 8);
	part = build_cost(set, "words", 16, &good);
	dictionary(set, &rng, words);
	whole = build_cost(set, "words", 16, &good);
	tap_ok(good && within("8 times the words", part, whole, 24),
		   "words: build is linear, within 16 bytes a pattern byte");
	good = true;
	paths(set, &rng, words / 8);
	part = build_cost(set, "paths", 10, &good);
	paths(set, &rng, words);
	whole = build_cost(set, "paths", 10, &good);
	tap_ok(good && within("8 times the paths", part, whole, 24),
		   "paths: build is linear, within 10 bytes a pattern byte");
	for (i = 0; i < CASES; i++)
	{
		bool		nested = cases[i].rules == rules_nested;
		uint32_t	scale = (nested || cases[i].rules == rules_fallback ?
							 2000 : 800000) / tap_share();

		/* nested patterns: 4 times the scale is 16 times the bytes */
		good = true;
		ruleset_clear(set, 0);
		cases[i].rules(set, scale / 4);
		part = build_cost(set, cases[i].name, 100, &good);
		ruleset_clear(set, 0);
		cases[i].rules(set, scale);
		whole = build_cost(set, cases[i].name, 100, &good);
		tap_ok(good && within("4 times the scale", part, whole,
							  nested ? 40 : 10),
			   "build is linear: %s", cases[i].name);
	}
}

int
main(int argc, char **argv)
{
	size_t		size = (size_t) 1 << 19;
	uint8_t    *body;
	RuleSet		set;
	size_t		i;

	tap_start(argc, argv);
	if (tap_long())
		size *= 8;
	size /= tap_share();
	body = test_malloc(size);
	ruleset_init(&set, 0);
	for (i = 0; i < CASES; i++)
		check_case(i, &set, body, size);
	check_build(&set);
	ruleset_free(&set);
	free(body);
	return tap_finish();
}
