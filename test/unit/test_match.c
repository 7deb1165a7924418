/*
 * test_match.c
 *		Random rule sets against random bodies, in every setting.
 *
 * In each world (worlds.h) many small rule sets are drawn, and against each
 * of them many bodies of pieces of patterns; see ruleset.c on how they are
 * made nasty and subject.c on the settings.
 */
#include <stdlib.h>
#include <string.h>

#include "subject.h"
#include "tap.h"
#include "worlds.h"

#define MAX_BODY 3000

/* The size of a body: mostly short, often around a vector or a block. */
static size_t
body_size(Rng *rng)
{
	static const uint16_t near[] = {8, 16, 32, 64, 128, 256, 1024};

	if (rng_chance(rng, 60))
		return rng_below(rng, 40);
	if (rng_chance(rng, 80))
		return near[rng_below(rng, 7)] + rng_below(rng, 9) - 4;
	return rng_below(rng, MAX_BODY);
}

static bool
check_rules(Subject *subject, const World *world, Rng *rng, int bodies)
{
	static uint8_t body[MAX_BODY];
	int			i;

	for (i = 0; i < bodies; i++)
	{
		size_t		size = text_random(subject->rules, rng, &world->letters,
									   body, body_size(rng));
		AcKind		kind = (AcKind) rng_below(rng, 3);

		if (!subject_agrees(subject, rng, kind, body, size))
			return false;
		if (size < 80 && i % 8 == 0 &&
			!subject_agrees_cut(subject, kind, body, size))
			return false;
	}
	return true;
}

static void
check_world(const World *world, RuleSet *set)
{
	Rng			rng = {tap_seed()};
	uint64_t	rounds = tap_count(300, 10000) / tap_share() + 1;
	uint64_t	round;
	bool		good = true;

	for (round = 0; good && round < rounds; round++)
	{
		uint32_t	count = rng_below(&rng, rng_chance(&rng, 80) ? 6 : 40);
		uint32_t	longest = 1 + rng_below(&rng, rng_chance(&rng, 80) ? 6 : 40);
		Subject		subject;

		ruleset_clear(set, world->options);
		ruleset_random(set, &rng, &world->letters, count, longest);
		world_open(&subject, world, set, &rng);
		good = check_rules(&subject, world, &rng, 20);
		good = subject_close(&subject) && good;
	}
	tap_ok(good, "%s, options 0x%02X, encoding %d: %d rule sets agree",
		   world->letters.name, world->options, (int) world->encoding,
		   (int) round);
}

/* Thousands of patterns, so that tables and filters are of another kind. */
static void
check_many(const World *world, RuleSet *set, uint32_t count, uint32_t longest)
{
	static uint8_t body[MAX_BODY];
	Rng			rng = {tap_seed() + count};
	Subject		subject;
	bool		good = true;
	int			i;

	ruleset_clear(set, world->options);
	ruleset_random(set, &rng, &world->letters, count, longest);
	world_open(&subject, world, set, &rng);
	for (i = 0; good && i < 12; i++)
	{
		size_t		size = text_random(&set->rules, &rng, &world->letters, body,
									   rng_below(&rng, 600));

		good = subject_agrees(&subject, &rng, (AcKind) (i % 3), body, size);
	}
	good = subject_close(&subject) && good;
	tap_ok(good, "%s, options 0x%02X: %u patterns of up to %u letters agree",
		   world->letters.name, world->options, count, longest);
}

/*
 * A pattern at every place of a body without any other match, the shortest
 * pattern being 1 to 40 bytes long: what a filter skips, it must not miss.
 */
static void
check_places(RuleSet *set)
{
	static const Letters rare = {"rare", 10, NULL, '0'};
	static uint8_t body[400];
	Rng			rng = {tap_seed()};
	bool		good = true;
	uint32_t	shortest;

	for (shortest = 1; good && shortest <= 40; shortest++)
	{
		uint8_t		pattern[80];
		Subject		subject;
		uint32_t	n;
		size_t		at;

		ruleset_clear(set, 0);
		for (n = 1 + rng_below(&rng, 30); n > 0; n--)
		{
			uint32_t	size = shortest + rng_below(&rng, 20);

			for (at = 0; at < size; at++)
				letters_put(&rare, &rng, pattern + at);
			ruleset_add(set, pattern, size);
		}
		subject_open(&subject, &set->rules, shortest % 16);
		for (at = 0; good && at + 64 < 300; at++)
		{
			AcSpan		hit = ruleset_pattern(&set->rules,
											  rng_below(&rng, set->rules.count));
			size_t		size = at + hit.size + rng_below(&rng, 4);

			memset(body, 'x', sizeof(body));
			memcpy(body + at, hit.data, hit.size);
			good = subject_agrees(&subject, &rng, (AcKind) rng_below(&rng, 3),
								  body, size);
		}
		good = subject_close(&subject) && good;
	}
	tap_ok(good, "one match at every place, shortest pattern 1 to 40 bytes");
}

/* Bodies longer than any block, buffer or polling interval of the core. */
static void
check_long(RuleSet *set)
{
	static const Letters ab = {"ab", 2, NULL, 'a'};
	size_t		room = 100000;
	uint8_t    *body = test_malloc(room);
	Rng			rng = {tap_seed()};
	bool		good = true;
	int			i;

	for (i = 0; good && i < 6; i++)
	{
		const Letters *letters = i % 2 == 0 ? &ab : &worlds[WORLD_FOLD].letters;
		Subject		subject;
		size_t		size;

		ruleset_clear(set, i % 2 == 0 ? 0 : AC_FOLD_UNICODE);
		/* long patterns: the oracle counts the characters before each match */
		ruleset_random(set, &rng, letters, 3, 60);
		subject_open(&subject, &set->rules, 0);
		size = text_random(&set->rules, &rng, letters, body, room);
		good = subject_agrees(&subject, &rng, (AcKind) (i / 2), body, size);
		good = subject_close(&subject) && good;
	}
	free(body);
	tap_ok(good, "bodies of 100,000 bytes");
}

/* Two scans that take turns on one handle know nothing of each other. */
static void
check_two_scanners(RuleSet *set)
{
	static const char *const text[2] = {"xabcabcab", "cababxbcabc"};
	Subject		subject;
	AcScanner  *scanner[2];
	size_t		found[2] = {0, 0};
	bool		done[2] = {false, false};
	bool		good = true;
	int			i;

	ruleset_clear(set, 0);
	ruleset_add_text(set, "abc");
	ruleset_add_text(set, "bc");
	ruleset_add_text(set, "ab");
	subject_open(&subject, &set->rules, 0);
	for (i = 0; i < 2; i++)
	{
		if (acore_scanner_create(&subject.automaton[FAST], AC_ALL, AC_ENC_BYTES,
								 false, NULL, &scanner[i]) != AC_OK)
			tap_bail("could not make a scanner");
		acore_scan_start(scanner[i]);
		acore_scan_feed(scanner[i], (const uint8_t *) text[i], strlen(text[i]),
						true);
	}
	for (i = 0; !done[0] || !done[1]; i = 1 - i)
	{
		AcMatch		match;
		AcStatus	status;

		if (done[i])
			continue;
		status = acore_scan_next(scanner[i], &match);
		if (status == AC_MATCH)
			found[i]++;
		else
			done[i] = true;
		good = good && (status == AC_MATCH || status == AC_DONE);
	}
	acore_scanner_free(scanner[0]);
	acore_scanner_free(scanner[1]);
	good = subject_close(&subject) && good;
	tap_ok(good && found[0] == 7 && found[1] == 6,
		   "two scanners on one handle take turns");
}

int
main(int argc, char **argv)
{
	RuleSet		set;
	size_t		i;

	tap_start(argc, argv);
	ruleset_init(&set, 0);
	for (i = 0; i < world_count; i++)
		check_world(&worlds[i], &set);
	check_many(&worlds[WORLD_ABC], &set, 2000, 8);
	check_many(&worlds[WORLD_AZ], &set, 4000, 12);
	check_many(&worlds[WORLD_AZ], &set, 70000 / tap_share(), 6);
	check_many(&worlds[WORLD_BYTES], &set, 3000, 3);
	check_many(&worlds[WORLD_BYTES_FOLD], &set, 3000, 10);
	check_many(&worlds[WORLD_FOLD], &set, 2000, 10);
	check_many(&worlds[WORLD_WORDS], &set, 2000, 10);
	check_places(&set);
	check_long(&set);
	check_two_scanners(&set);
	ruleset_free(&set);
	return tap_finish();
}
