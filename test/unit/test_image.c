/*
 * test_image.c
 *		What an image holds: header, rules, keys; and that nothing but the rules
 *		decides its bytes.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ac_image.h"
#include "subject.h"
#include "tap.h"
#include "worlds.h"

/* A key as the test computes it: an entry and its folded bytes. */
typedef struct Folded
{
	uint8_t    *bytes;
	size_t		size;
	int64_t		id;
	uint32_t	entry;
} Folded;

static int
by_key(const Folded *a, const Folded *b)
{
	size_t		common = a->size < b->size ? a->size : b->size;
	int			order = memcmp(a->bytes, b->bytes, common);

	if (order != 0)
		return order;
	return a->size < b->size ? -1 : a->size > b->size;
}

static int
by_slot(const void *x, const void *y)
{
	const Folded *a = x;
	const Folded *b = y;
	int			order = by_key(a, b);

	if (order != 0)
		return order;
	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	return a->entry < b->entry ? -1 : a->entry > b->entry;
}

/* The entries in the order of their slots, by sorting. */
static Folded *
fold_all(const AcRules *rules)
{
	Folded	   *all = test_malloc(rules->count * sizeof(Folded));
	uint32_t	i;

	for (i = 0; i < rules->count; i++)
	{
		AcSpan		pattern = ruleset_pattern(rules, i);

		all[i].bytes = test_malloc(pattern.size * AC_FOLD_GROWTH);
		all[i].size = ruleset_folded(rules, i, all[i].bytes);
		all[i].id = ruleset_id(rules, i);
		all[i].entry = i;
	}
	if (rules->count > 1)
		qsort(all, rules->count, sizeof(Folded), by_slot);
	return all;
}

static bool
slot_agrees(const Subject *subject, const AcAutomaton *automaton, uint32_t slot,
			const Folded *want)
{
	AcSpan		given = ruleset_pattern(subject->rules, want->entry);
	bool		respelled = given.size != want->size ||
		memcmp(given.data, want->bytes, given.size) != 0;
	AcSpan		spelling = {NULL, 0};

	if (acore_slot_entry(automaton, slot) != want->entry ||
		acore_entry_id(automaton, want->entry) != want->id ||
		acore_slot_spelling(automaton, slot, &spelling) != respelled)
		return false;
	return !respelled ||
		(spelling.size == given.size &&
		 memcmp(spelling.data, given.data, given.size) == 0);
}

/* Keys, slots, ids and spellings against the sorted entries. */
static bool
keys_agree(const Subject *subject, int twin)
{
	const AcAutomaton *automaton = &subject->automaton[twin];
	uint32_t	count = subject->rules->count;
	Folded	   *all = fold_all(subject->rules);
	bool		good = true;
	uint32_t	key = 0;
	uint32_t	slot;
	uint32_t	i;

	for (slot = 0; good && slot < count; key++)
	{
		uint32_t	first = UINT32_MAX;
		uint32_t	winner = UINT32_MAX;
		uint32_t	end = slot;

		while (end < count && by_key(&all[slot], &all[end]) == 0)
		{
			if (all[end].entry < winner)
				winner = all[end].entry;
			good = good && slot_agrees(subject, automaton, end, &all[end]);
			end++;
		}
		good = good &&
			acore_key_slots(automaton, key, &first) == end - slot &&
			first == slot && acore_key_first(automaton, key) == winner;
		slot = end;
	}
	for (i = 0; i < count; i++)
		free(all[i].bytes);
	free(all);
	if (!good)
		tap_note("key %u, slot %u differ", key - 1, slot);
	return good;
}

static bool
info_agrees(const Subject *subject, const AcInfo *info)
{
	const AcRules *rules = subject->rules;
	uint32_t	min_len = rules->count > 0 ? UINT32_MAX : 0;
	uint32_t	max_len = 0;
	uint32_t	i;

	for (i = 0; i < rules->count; i++)
	{
		uint32_t	len = (uint32_t) ruleset_pattern(rules, i).size;

		min_len = len < min_len ? len : min_len;
		max_len = len > max_len ? len : max_len;
	}
	return info->format == 1 && info->options == rules->options &&
		info->patterns == rules->count &&
		info->states == oracle_states(rules) &&
		info->min_len == min_len && info->max_len == max_len &&
		info->pattern_bytes == rules->offsets[rules->count] &&
		info->image_bytes == subject->image_size;
}

/* Header, verification, keys and the rules read back. */
static bool
image_agrees(Subject *subject)
{
	AcHost	   *host = &subject->host.host;
	const uint8_t *image = subject->block + subject->prefix;
	AcInfo		info;
	AcRules		rules;
	void	   *block = NULL;
	size_t		size = 0;
	bool		good;

	good = acore_verify(image, subject->image_size, host) == AC_OK &&
		acore_verify_structure(image, subject->image_size, host) == AC_OK &&
		acore_peek(image, AC_HEADER_SIZE, &info) == AC_OK &&
		info_agrees(subject, &info) &&
		info_agrees(subject, &subject->automaton[PLAIN].info) &&
		keys_agree(subject, PLAIN) && keys_agree(subject, FAST);
	if (acore_extract(&subject->automaton[PLAIN], &rules, &block, &size) !=
		AC_OK)
		return false;
	good = good && ruleset_equal(subject->rules, &rules);
	host->release(host->context, block, size);
	if (!good)
		print_case(subject->rules, NULL, 0);
	return good;
}

static bool
round_trip(const AcRules *rules, size_t prefix)
{
	Subject		subject;
	bool		good;

	subject_open(&subject, rules, prefix);
	good = image_agrees(&subject);
	return subject_close(&subject) && good;
}

/* Gives all entries ids: a few, many, or from the ends of the range. */
static void
random_ids(RuleSet *set, Rng *rng)
{
	uint32_t	how = rng_below(rng, 4);
	uint32_t	i;

	for (i = 0; i < set->rules.count; i++)
		set->ids[i] = how == 0 ? (int64_t) rng_next(rng) :
			how == 1 ? (int64_t) rng_below(rng, 4) :
			how == 2 ? (rng_chance(rng, 50) ? INT64_MIN : INT64_MAX) :
			INT64_MAX - rng_below(rng, 100);
	set->rules.ids = set->ids;
}

static void
check_round_trips(RuleSet *set)
{
	Rng			rng = {tap_seed()};
	size_t		w;

	for (w = 0; w < world_count; w++)
	{
		uint64_t	rounds = tap_count(200, 5000);
		uint64_t	round;
		bool		good = true;

		for (round = 0; good && round < rounds; round++)
		{
			ruleset_clear(set, worlds[w].options);
			ruleset_random(set, &rng, &worlds[w].letters, rng_below(&rng, 30),
						   1 + rng_below(&rng, 12));
			if (rng_chance(&rng, 50))
				random_ids(set, &rng);
			good = round_trip(&set->rules, rng_below(&rng, 17));
		}
		tap_ok(good, "%s, options 0x%02X: header, keys and rules come back",
			   worlds[w].letters.name, worlds[w].options);
	}
}

static void
check_special(RuleSet *set)
{
	static const int64_t ids[] = {INT64_MAX, INT64_MIN, 0, -1, 1, INT64_MIN};
	static uint8_t letters[1 << 20];
	Rng			rng = {tap_seed()};
	uint32_t	i;

	ruleset_clear(set, 0);
	tap_ok(round_trip(&set->rules, 0), "no pattern at all");
	ruleset_add_text(set, "x");
	tap_ok(round_trip(&set->rules, 1), "one letter");
	ruleset_clear(set, AC_BYTEA);
	for (i = 0; i < 6; i++)
		ruleset_add_id(set, "same", 4, ids[i]);
	tap_ok(round_trip(&set->rules, 3), "one pattern, ids from end to end");
	ruleset_clear(set, 0);
	for (i = 0; i < 100000; i++)
		ruleset_add(set, "again and again", 15);
	tap_ok(round_trip(&set->rules, 0), "100,000 copies of one pattern");
	ruleset_clear(set, AC_BYTEA);
	for (i = 0; i < 256; i++)
	{
		uint8_t		byte = (uint8_t) (255 - i);

		ruleset_add(set, &byte, 1);
	}
	tap_ok(round_trip(&set->rules, 0), "every byte");
	for (i = 0; i < sizeof(letters); i++)
		letters[i] = (uint8_t) ('a' + rng_below(&rng, 3));
	ruleset_clear(set, 0);
	ruleset_add(set, letters, sizeof(letters));
	tap_ok(round_trip(&set->rules, 0), "one pattern of a megabyte");
	memset(letters, 'a', sizeof(letters));
	ruleset_clear(set, 0);
	ruleset_add(set, letters, sizeof(letters));
	tap_ok(round_trip(&set->rules, 0), "one pattern of a megabyte of \"a\"");
	ruleset_clear(set, 0);
	for (i = 0; i < 300; i++)
	{
		letters[1900 + i / 3] = (uint8_t) ('b' + i % 3);
		ruleset_add(set, letters, 2000);
	}
	tap_ok(round_trip(&set->rules, 0), "long shared prefixes");
}

static uint8_t *
build(const AcRules *rules, TestHost *host, size_t prefix, size_t *size)
{
	uint8_t    *block;

	if (acore_build(rules, &host->host, prefix, SUBJECT_LIMIT, &block, size) !=
		AC_OK)
		tap_bail("could not build");
	return block;
}

/* The same rules, other memory, another prefix, ids spelled out. */
static bool
same_bytes(RuleSet *set)
{
	TestHost	host;
	uint8_t    *block[3];
	size_t		size[3];
	bool		good;

	test_host_init(&host);
	host.fill = 0;
	block[0] = build(&set->rules, &host, 0, &size[0]);
	host.fill = 0xFF;
	block[1] = build(&set->rules, &host, 5, &size[1]);
	set->rules.ids = set->ids;	/* 1 .. n unless the test gave others */
	block[2] = build(&set->rules, &host, 1, &size[2]);
	good = size[0] == size[1] && size[0] == size[2] &&
		memcmp(block[0], block[1] + 5, size[0]) == 0 &&
		memcmp(block[0], block[2] + 1, size[0]) == 0;
	host.host.release(&host, block[0], size[0]);
	host.host.release(&host, block[1], size[1] + 5);
	host.host.release(&host, block[2], size[2] + 1);
	return good && host.current == 0 && host.faults == 0;
}

static void
check_determinism(RuleSet *set)
{
	Rng			rng = {tap_seed()};
	bool		good = true;
	size_t		w;

	for (w = 0; w < world_count; w++)
	{
		int			round;

		for (round = 0; good && round < 20; round++)
		{
			ruleset_clear(set, worlds[w].options);
			ruleset_random(set, &rng, &worlds[w].letters, rng_below(&rng, 60), 9);
			if (rng_chance(&rng, 50))
				random_ids(set, &rng);
			good = same_bytes(set);
		}
	}
	tap_ok(good, "equal rules give equal bytes, whatever memory held");
}

/* Rule sets of which no two may share a fingerprint. */
static void
check_fingerprints(RuleSet *set)
{
	static const struct
	{
		uint32_t	options;
		const char *patterns[3];
		int64_t		first_id;
	}			variants[] = {
		{0, {NULL}, 1}, {AC_BYTEA, {NULL}, 1},
		{0, {"ab", "c"}, 1}, {0, {"a", "bc"}, 1}, {0, {"abc"}, 1},
		{0, {"c", "ab"}, 1}, {0, {"ab", "c", "c"}, 1}, {0, {"ab", "c"}, 2},
		{AC_BYTEA, {"ab", "c"}, 1}, {AC_FOLD_ASCII, {"ab", "c"}, 1},
		{AC_FOLD_UNICODE, {"ab", "c"}, 1}, {AC_WORDS_ASCII, {"ab", "c"}, 1},
		{AC_WORDS_UNICODE, {"ab", "c"}, 1}, {AC_FOLD_ASCII, {"AB", "c"}, 1},
		{0, {"ab", "c"}, 257}, {0, {"ab", "c"}, -1}
	};
	enum
	{
		N = sizeof(variants) / sizeof(variants[0])
	};
	uint8_t		print[N][16];
	bool		good = true;
	int			i,
				j;

	for (i = 0; i < N; i++)
	{
		Subject		subject;

		ruleset_clear(set, variants[i].options);
		for (j = 0; j < 3 && variants[i].patterns[j] != NULL; j++)
			ruleset_add_id(set, variants[i].patterns[j],
						   strlen(variants[i].patterns[j]),
						   variants[i].first_id + j);
		subject_open(&subject, &set->rules, 0);
		memcpy(print[i], subject.automaton[PLAIN].info.fingerprint, 16);
		good = subject_close(&subject) && good;
		for (j = 0; j < i; j++)
			if (memcmp(print[i], print[j], 16) == 0)
			{
				tap_note("variants %d and %d share a fingerprint", i, j);
				good = false;
			}
	}
	tap_ok(good, "fingerprints tell %d rule sets apart", N);
}

static void
check_alignment(RuleSet *set)
{
	Rng			rng = {tap_seed()};
	bool		good = true;
	size_t		at;

	ruleset_clear(set, AC_FOLD_UNICODE);
	ruleset_random(set, &rng, &worlds[WORLD_FOLD].letters, 300, 12);
	random_ids(set, &rng);
	for (at = 0; good && at < 16; at++)
	{
		static uint8_t body[500];
		size_t		size = text_random(&set->rules, &rng,
									   &worlds[WORLD_FOLD].letters, body, 500);
		Subject		subject;

		subject_open(&subject, &set->rules, at);
		good = image_agrees(&subject) &&
			subject_agrees(&subject, &rng, (AcKind) (at % 3), body, size);
		good = subject_close(&subject) && good;
	}
	tap_ok(good, "an image is read and matched at every alignment");
}

/* The limit is exact, and passing it leaves nothing behind. */
static void
check_limit(RuleSet *set)
{
	Rng			rng = {tap_seed()};
	TestHost	host;
	uint8_t    *block;
	size_t		size;
	bool		good = true;
	size_t		limit;

	ruleset_clear(set, 0);
	ruleset_random(set, &rng, &worlds[WORLD_AZ].letters, 500, 12);
	test_host_init(&host);
	block = build(&set->rules, &host, 7, &size);
	host.host.release(&host, block, size + 7);
	for (limit = 0; limit < size + 7; limit += 1 + limit / 3)
		good = good &&
			acore_build(&set->rules, &host.host, 7, limit, &block, &size) ==
			AC_E_TOO_LARGE && block == NULL && host.current == 0;
	limit = size + 7;
	block = build(&set->rules, &host, 7, &size);
	host.host.release(&host, block, size + 7);
	good = good &&
		acore_build(&set->rules, &host.host, 7, size + 6, &block, &limit) ==
		AC_E_TOO_LARGE;
	good = good &&
		acore_build(&set->rules, &host.host, 7, size + 7, &block, &limit) ==
		AC_OK && limit == size;
	if (good)
		host.host.release(&host, block, size + 7);
	tap_ok(good && host.current == 0 && host.faults == 0,
		   "the size limit is exact");
}

/* Images of another format, byte order or size. */
static void
check_foreign(RuleSet *set)
{
	TestHost	host;
	uint8_t    *image;
	uint8_t    *longer;
	uint8_t		kept[4];
	size_t		size;
	AcInfo		info;
	AcAutomaton automaton;
	bool		good = true;
	size_t		i;

	ruleset_clear(set, 0);
	ruleset_add_text(set, "pattern");
	test_host_init(&host);
	image = build(&set->rules, &host, 0, &size);
	for (i = 0; i < AC_HEADER_SIZE; i++)
		good = good && acore_peek(image, i, &info) == AC_E_DAMAGED;
	for (i = 0; i < size; i++)
		good = good && acore_verify(image, i, &host.host) == AC_E_DAMAGED &&
			acore_verify_structure(image, i, &host.host) == AC_E_DAMAGED;
	tap_ok(good, "a truncated image is damaged");

	image[AC_OFFSET_FORMAT]++;
	tap_ok(acore_peek(image, AC_HEADER_SIZE, &info) == AC_E_FORMAT &&
		   info.format == 2 &&
		   acore_verify(image, size, &host.host) == AC_E_FORMAT &&
		   acore_open(image, size, &host.host, &automaton) == AC_E_FORMAT,
		   "a future format is told from damage");
	image[AC_OFFSET_FORMAT]--;
	memcpy(kept, image, 4);
	for (i = 0; i < 4; i++)
		image[i] = kept[3 - i];
	tap_ok(acore_peek(image, AC_HEADER_SIZE, &info) < 0 &&
		   acore_verify(image, size, &host.host) < 0,
		   "another byte order is no image");
	memcpy(image, "none", 4);
	tap_ok(acore_verify(image, size, &host.host) == AC_E_DAMAGED,
		   "no image at all is damaged");
	memcpy(image, kept, 4);
	longer = test_malloc(size + 1);
	memcpy(longer, image, size);
	longer[size] = 0;
	good = acore_verify(image, size, &host.host) == AC_OK;
	host.host.release(&host, image, size);
	tap_ok(good && acore_verify(longer, size + 1, &host.host) == AC_E_DAMAGED,
		   "an image ends where it says");
	free(longer);
	tap_ok(host.current == 0 && host.faults == 0, "nothing is left behind");
}

/* Random ids cost their eight bytes and no more, small ones less. */
static void
check_id_size(RuleSet *set)
{
	Rng			rng = {tap_seed()};
	TestHost	host;
	size_t		size[3];
	int			i;

	/* distinct patterns: slots of one pattern have an order of their own */
	ruleset_clear(set, 0);
	for (i = 0; i < 2000; i++)
	{
		char		pattern[20];

		snprintf(pattern, sizeof(pattern), "%d %u", i * 7919 % 2003,
				 rng_below(&rng, 1000));
		ruleset_add_text(set, pattern);
	}
	test_host_init(&host);
	for (i = 0; i < 3; i++)
	{
		uint8_t    *block;
		uint32_t	n;

		for (n = 0; n < set->rules.count; n++)
			set->ids[n] = i == 1 ? (int64_t) rng_next(&rng) :
				INT64_MAX - 200 + rng_below(&rng, 200);
		set->rules.ids = i > 0 ? set->ids : NULL;
		block = build(&set->rules, &host, 0, &size[i]);
		host.host.release(&host, block, size[i]);
	}
	tap_note("%u patterns: %zu bytes, any ids %zu, close ids %zu",
			 set->rules.count, size[0], size[1], size[2]);
	tap_ok(size[1] <= size[0] + 2000 * 8 + 16, "ids cost at most 8 bytes each");
	tap_ok(size[2] <= size[0] + 2000 + 16, "ids within 256 cost a byte each");
}

/* A list of patterns, one a line, named by AC_TEST_LIST: its figures. */
static void
check_list(RuleSet *set)
{
	const char *path = getenv("AC_TEST_LIST");
	FILE	   *file = path != NULL ? fopen(path, "r") : NULL;
	static char line[1 << 16];
	Subject		subject;

	if (file == NULL)
		return;
	ruleset_clear(set, 0);
	while (fgets(line, sizeof(line), file) != NULL)
	{
		line[strcspn(line, "\n")] = '\0';
		if (line[0] != '\0')
			ruleset_add_text(set, line);
	}
	fclose(file);
	subject_open(&subject, &set->rules, 0);
	tap_note("%s: %u patterns of %" PRIu64 " bytes, %u states, image %zu bytes",
			 path, set->rules.count, subject.automaton[PLAIN].info.pattern_bytes,
			 subject.automaton[PLAIN].info.states, subject.image_size);
	tap_ok(image_agrees(&subject), "the list comes back");
	tap_ok(subject_close(&subject), "nothing is left behind");
}

int
main(int argc, char **argv)
{
	RuleSet		set;

	tap_start(argc, argv);
	ruleset_init(&set, 0);
	check_round_trips(&set);
	check_special(&set);
	check_determinism(&set);
	check_fingerprints(&set);
	check_alignment(&set);
	check_limit(&set);
	check_foreign(&set);
	check_id_size(&set);
	check_list(&set);
	ruleset_free(&set);
	return tap_finish();
}
