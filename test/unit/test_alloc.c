/*
 * test_alloc.c
 *		Out of memory, and interrupted, at every point where that can be.
 *
 * Each operation is run once to count its allocations and polls, then again
 * with the first of them failing, the second, and so on.  It must say so, leave
 * nothing allocated, and work when it is tried again.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "subject.h"
#include "tap.h"
#include "worlds.h"

/* What an operation works on. */
typedef struct Stage
{
	TestHost	host;
	const AcRules *rules;
	AcKind		kind;
	uint8_t    *block;
	size_t		size;
	AcAutomaton automaton;
	const uint8_t *body;
	size_t		body_size;
} Stage;

typedef AcStatus (*Operation) (Stage *stage);

static AcStatus
op_build(Stage *stage)
{
	uint8_t    *block;
	size_t		size;
	AcStatus	status = acore_build(stage->rules, &stage->host.host, 4,
									 SUBJECT_LIMIT, &block, &size);

	if (status == AC_OK)
		stage->host.host.release(&stage->host, block, size + 4);
	else if (block != NULL)
		tap_bail("a block in spite of an error");
	return status;
}

static AcStatus
op_verify(Stage *stage)
{
	return acore_verify(stage->block, stage->size, &stage->host.host);
}

static AcStatus
op_open(Stage *stage)
{
	AcAutomaton automaton;
	AcStatus	status = acore_open(stage->block, stage->size,
									&stage->host.host, &automaton);

	if (status == AC_OK)
		acore_close(&automaton);
	return status;
}

static AcStatus
op_extract(Stage *stage)
{
	AcRules		rules;
	void	   *block;
	size_t		size;
	AcStatus	status = acore_extract(&stage->automaton, &rules, &block, &size);

	if (status == AC_OK)
		stage->host.host.release(&stage->host, block, size);
	return status;
}

/* Scans the body with a new scanner. */
static AcStatus
scan_with(Stage *stage, const AcAutomaton *automaton)
{
	AcEncoding	encoding = stage->rules->options & AC_FOLD_UNICODE ?
		AC_ENC_UTF8 : AC_ENC_BYTES;
	AcScanner  *scanner;
	AcMatch		match;
	AcStatus	status = acore_scanner_create(automaton, stage->kind, encoding,
											  true, NULL, &scanner);

	if (status != AC_OK)
		return status;
	acore_scan_start(scanner);
	acore_scan_feed(scanner, stage->body, stage->body_size, true);
	while ((status = acore_scan_next(scanner, &match)) == AC_MATCH)
		;
	acore_scanner_free(scanner);
	return status == AC_DONE ? AC_OK : status;
}

static AcStatus
op_scan(Stage *stage)
{
	return scan_with(stage, &stage->automaton);
}

/* A handle that could not be accelerated is as usable as before. */
static AcStatus
op_accelerate(Stage *stage)
{
	AcAutomaton automaton;
	AcStatus	status = acore_open(stage->block, stage->size,
									&stage->host.host, &automaton);

	if (status != AC_OK)
		return status;
	status = acore_accelerate(&automaton);
	if (status != AC_OK)
	{
		stage->host.fail_at = 0;
		stage->host.interrupt_at = 0;
		if (scan_with(stage, &automaton) != AC_OK)
			tap_bail("the handle is not usable");
	}
	else
		status = scan_with(stage, &automaton);
	acore_close(&automaton);
	return status;
}

static const struct
{
	const char *name;
	Operation	run;
}			operations[] = {
	{"build", op_build}, {"verify", op_verify}, {"open", op_open},
	{"extract", op_extract}, {"scan", op_scan}, {"accelerate", op_accelerate}
};

#define OPERATIONS (sizeof(operations) / sizeof(operations[0]))

static void
stage_set(Stage *stage, const AcRules *rules, const uint8_t *body, size_t size)
{
	memset(stage, 0, sizeof(*stage));
	test_host_init(&stage->host);
	stage->rules = rules;
	stage->body = body;
	stage->body_size = size;
	if (acore_build(rules, &stage->host.host, 0, SUBJECT_LIMIT, &stage->block,
					&stage->size) != AC_OK ||
		acore_open(stage->block, stage->size, &stage->host.host,
				   &stage->automaton) != AC_OK)
		tap_bail("could not set the stage");
}

static bool
stage_clear(Stage *stage)
{
	acore_close(&stage->automaton);
	stage->host.host.release(&stage->host, stage->block, stage->size);
	return stage->host.current == 0 && stage->host.faults == 0;
}

/* One run that is to end with "want" and to leave memory as it was. */
static bool
run_one(Stage *stage, Operation run, AcStatus want)
{
	size_t		before = stage->host.current;
	AcStatus	status = run(stage);

	if (status == want && stage->host.current == before &&
		stage->host.faults == 0)
		return true;
	tap_note("status %d instead of %d, %zu bytes in use, %zu before",
			 (int) status, (int) want, stage->host.current, before);
	return false;
}

/* At which of n points to fail: all of them, or a sample of about 40. */
static uint64_t
next_point(uint64_t point, uint64_t n)
{
	return point + (n <= 40 || tap_long() ? 1 : 1 + n / 40);
}

static uint64_t
fail_everywhere(Stage *stage, Operation run, bool *good)
{
	uint64_t	points;
	uint64_t	k;

	test_host_reset(&stage->host);
	*good = *good && run_one(stage, run, AC_OK);
	points = stage->host.allocations;
	for (k = 1; *good && k <= points; k = next_point(k, points))
	{
		test_host_reset(&stage->host);
		stage->host.fail_at = k;
		*good = run_one(stage, run, AC_E_MEMORY);
		test_host_reset(&stage->host);
		stage->host.fail_at = k;
		stage->host.fail_on = true;
		*good = *good && run_one(stage, run, AC_E_MEMORY);
		if (!*good)
			tap_note("when allocation %" PRIu64 " of %" PRIu64 " failed", k,
					 points);
	}
	test_host_reset(&stage->host);
	*good = *good && run_one(stage, run, AC_OK);
	return points;
}

static uint64_t
interrupt_everywhere(Stage *stage, Operation run, bool *good)
{
	uint64_t	points;
	uint64_t	k;

	test_host_reset(&stage->host);
	*good = *good && run_one(stage, run, AC_OK);
	points = stage->host.polls;
	for (k = 1; *good && k <= points; k = next_point(k, points))
	{
		test_host_reset(&stage->host);
		stage->host.interrupt_at = k;
		*good = run_one(stage, run, AC_E_INTERRUPTED);
		if (!*good)
			tap_note("when poll %" PRIu64 " of %" PRIu64 " said so", k, points);
	}
	test_host_reset(&stage->host);
	*good = *good && run_one(stage, run, AC_OK);
	return points;
}

static void
random_rules(RuleSet *set, Rng *rng, const World *world, uint32_t count)
{
	uint32_t	i;

	ruleset_clear(set, world->options);
	ruleset_random(set, rng, &world->letters, count, 12);
	for (i = 0; i < count; i++)
		set->ids[i] = (int64_t) rng_next(rng) >> rng_below(rng, 64);
	if (count % 2 == 0)
		set->rules.ids = set->ids;
}

static void
check_failures(RuleSet *set)
{
	static const uint32_t counts[] = {0, 1, 2, 30, 301, 2000};
	static const int in_worlds[] = {WORLD_ABC, WORLD_AZ, WORLD_BYTES_FOLD,
	WORLD_FOLD};
	static uint8_t body[1500];
	Rng			rng = {tap_seed()};
	size_t		o,
				w,
				c;

	for (o = 0; o < OPERATIONS; o++)
	{
		uint64_t	points = 0;
		bool		good = true;

		for (w = 0; w < 4; w++)
			for (c = 0; c < 6; c++)
			{
				const World *world = &worlds[in_worlds[w]];
				Stage		stage;
				size_t		size;

				random_rules(set, &rng, world, counts[c]);
				size = text_random(&set->rules, &rng, &world->letters, body,
								   sizeof(body));
				stage_set(&stage, &set->rules, body, size);
				stage.kind = (AcKind) (c % 3);
				points += fail_everywhere(&stage, operations[o].run, &good);
				stage.kind = (AcKind) ((c + 1) % 3);
				points += fail_everywhere(&stage, operations[o].run, &good);
				good = stage_clear(&stage) && good;
			}
		tap_ok(good, "%s: each of %" PRIu64 " allocations may fail",
			   operations[o].name, points);
	}
}

static void
check_interrupts(RuleSet *set)
{
	Rng			rng = {tap_seed()};
	size_t		room = tap_long() ? 1 << 21 : 200000;
	uint32_t	patterns = tap_long() ? 20000 : 10000;
	uint8_t    *body = test_malloc(room);
	Stage		stage;
	size_t		o;
	size_t		size;
	int			kind;

	ruleset_clear(set, AC_FOLD_UNICODE);
	ruleset_random(set, &rng, &worlds[WORLD_FOLD].letters, patterns, 12);
	ruleset_random(set, &rng, &worlds[WORLD_AZ].letters, patterns, 12);
	size = text_random(&set->rules, &rng, &worlds[WORLD_AZ].letters, body, room);
	stage_set(&stage, &set->rules, body, size);
	for (o = 0; o < OPERATIONS; o++)
		for (kind = 0; kind < (operations[o].run == op_scan ? 3 : 1); kind++)
		{
			bool		good = true;
			uint64_t	points;

			stage.kind = (AcKind) kind;
			points = interrupt_everywhere(&stage, operations[o].run, &good);
			tap_ok(good, "%s%s: each of %" PRIu64 " polls may interrupt",
				   operations[o].name, operations[o].run != op_scan ? "" :
				   kind == 0 ? ", all" : ", leftmost", points);
			/* opening reads no more than the header */
			if (operations[o].run != op_open)
				tap_ok(points > 0, "%s polls", operations[o].name);
		}
	tap_ok(stage_clear(&stage), "nothing is left behind");
	free(body);
}

/*
 * Scanning allocates nothing: never by kind "all" without folding, else only
 * when it sees a body that asks for more than any before.
 */
static void
check_scan_allocations(RuleSet *set)
{
	static uint8_t body[20000];
	Rng			rng = {tap_seed()};
	size_t		w;

	for (w = 0; w < world_count; w++)
	{
		const World *world = &worlds[w];
		Subject		subject;
		bool		good = true;
		int			kind;
		int			twin;
		int			round;
		size_t		size;

		ruleset_clear(set, world->options);
		ruleset_random(set, &rng, &world->letters, 200, 12);
		size = text_random(&set->rules, &rng, &world->letters, body,
						   sizeof(body));
		world_open(&subject, world, set, &rng);
		for (kind = 0; kind < 3; kind++)
			for (twin = 0; twin < TWINS; twin++)
				for (round = 0; round < 2; round++)
				{
					AcScanner  *scanner = subject_scanner(&subject, twin,
														  (AcKind) kind);

					test_host_reset(&subject.host);
					scan_whole(scanner, body, size, &subject.found);
					if (round == 1 || (kind == AC_ALL &&
									   !(world->options & AC_FOLD_UNICODE)))
						good = good && subject.host.allocations == 0;
				}
		good = subject_close(&subject) && good;
		tap_ok(good, "%s, options 0x%02X: scanning allocates nothing",
			   world->letters.name, world->options);
	}
}

/* A handle is one block of the same size for any image. */
static void
check_open(RuleSet *set)
{
	Rng			rng = {tap_seed()};
	size_t		bytes[2];
	bool		good = true;
	int			i;

	for (i = 0; i < 2; i++)
	{
		Stage		stage;
		AcAutomaton automaton;

		random_rules(set, &rng, &worlds[WORLD_AZ], i == 0 ? 1 : 20000);
		stage_set(&stage, &set->rules, NULL, 0);
		test_host_reset(&stage.host);
		bytes[i] = stage.host.current;
		good = good && acore_open(stage.block, stage.size, &stage.host.host,
								  &automaton) == AC_OK &&
			stage.host.allocations == 1;
		bytes[i] = stage.host.current - bytes[i];
		acore_close(&automaton);
		good = stage_clear(&stage) && good;
	}
	tap_ok(good && bytes[0] == bytes[1] && bytes[0] <= 4096,
		   "opening allocates one block of %zu bytes", bytes[0]);
}

int
main(int argc, char **argv)
{
	RuleSet		set;

	tap_start(argc, argv);
	ruleset_init(&set, 0);
	check_failures(&set);
	check_interrupts(&set);
	check_scan_allocations(&set);
	check_open(&set);
	ruleset_free(&set);
	return tap_finish();
}
