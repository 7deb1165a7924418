/*
 * test_filter.c
 *		The filter: what it promises, and what runs behind it.
 *
 * First the filter alone, with and without AVX2.  For every place to look from
 * and to look to, the answer may not be later than the first occurrence allows
 * (ac_filter.h).  Texts are de Bruijn sequences, in which every word of some
 * length occurs between all others, and random ones; they stand at the edges
 * of readable memory.
 *
 * Then the engine behind the filter, below the scanner and with it, against
 * the walk in place: rare matches in long texts and dense ones in turns, so
 * that the filter is left out and taken again.
 */
#include <stdlib.h>
#include <string.h>

#include "ac_cpu.h"
#include "ac_engine.h"
#include "ac_filter.h"
#include "edge.h"
#include "hits.h"
#include "subject.h"
#include "tap.h"
#include "worlds.h"

#define MAX_TEXT	600
#define MAX_CUTS	16
#define NEVER		SIZE_MAX

static bool has_twin;			/* asking the processor takes long */

/* A filter over keys, without a trie. */
typedef struct Filtered
{
	TestHost	host;
	const AcRules *keys;
	AcFilter   *filter;			/* NULL: none can help */
	size_t		ends[MAX_TEXT]; /* where the first key that begins here ends */
} Filtered;

static AcStatus
make_filter(Filtered *f)
{
	uint32_t	short_keys[AC_SHORT_KEYS] = {0};
	AcFilterBuilder *builder;
	AcStatus	status;
	uint32_t	i;

	for (i = 0; i < f->keys->count; i++)
	{
		AcSpan		key = ruleset_pattern(f->keys, i);

		if (key.size < AC_SHORT_KEYS)
			short_keys[key.size]++;
	}
	status = acore_filter_begin(f->keys->count, short_keys, &f->host.host, &builder);
	if (status != AC_OK || builder == NULL)
		return status;
	for (i = 0; i < f->keys->count && status == AC_OK; i++)
	{
		AcSpan		key = ruleset_pattern(f->keys, i);

		status = acore_filter_add(builder, key.data, (uint32_t) key.size);
	}
	if (status == AC_OK)
		return acore_filter_finish(builder, &f->filter);
	acore_filter_abandon(builder);
	return status;
}

static AcStatus
filter_open(Filtered *f, const RuleSet *keys)
{
	memset(f, 0, sizeof(*f));
	test_host_init(&f->host);
	f->keys = &keys->rules;
	return make_filter(f);
}

static bool
filter_close(Filtered *f)
{
	if (f->filter != NULL)
		acore_filter_free(f->filter, &f->host.host);
	if (f->host.current != 0)
		tap_note("leaked %zu bytes", f->host.current);
	return f->host.current == 0 && f->host.faults == 0;
}

/* Notes where keys occur, by comparing all of them everywhere. */
static void
find_ends(Filtered *f, const uint8_t *text, size_t size)
{
	size_t		at;
	uint32_t	i;

	if (size > MAX_TEXT)
		tap_bail("text of %zu bytes is too long", size);
	for (at = 0; at < size; at++)
	{
		f->ends[at] = NEVER;
		for (i = 0; i < f->keys->count; i++)
		{
			AcSpan		key = ruleset_pattern(f->keys, i);

			if (key.size <= size - at && at + key.size < f->ends[at] &&
				memcmp(text + at, key.data, key.size) == 0)
				f->ends[at] = at + key.size;
		}
	}
}

/*
 * Looks from a place on.  "begin" is where the first occurrence at or behind
 * it begins, or NEVER.
 */
static bool
looks_right(const Filtered *f, const uint8_t *text, size_t from, size_t to,
			size_t begin)
{
	int			twin;

	for (twin = 0; twin < 1 + has_twin; twin++)
	{
		uint32_t	asked = 3;
		size_t		place = (twin == 0 ? acore_filter_next_scalar :
							 acore_filter_next_avx2) (f->filter, text, from,
													  to, &asked);

		if (place >= from && place <= to && asked >= 3 &&
			(begin == NEVER || (place < to && place <= begin +
								acore_filter_look_back(f->filter))))
			continue;
		tap_note("%s, from %zu to %zu, occurrence at %ld, look back %u: %zu",
				 twin == 0 ? "scalar" : "avx2", from, to, (long) begin,
				 acore_filter_look_back(f->filter), place);
		print_case(f->keys, text, to);
		return false;
	}
	return true;
}

/* From every place on to the end of a text; f->ends are known. */
static bool
looks_right_from_all(const Filtered *f, const uint8_t *text, size_t to)
{
	size_t		begin = NEVER;
	size_t		from;

	for (from = to + 1; from-- > 0;)
	{
		if (from < to && f->ends[from] <= to)
			begin = from;
		if (!looks_right(f, text, from, to, begin))
			return false;
	}
	return true;
}

/*
 * The same to the last "tails" + 1 ends of a text, at the edge of memory, and
 * with the text's start there.
 */
static bool
text_looks_right(Filtered *f, const uint8_t *text, size_t size, size_t tails)
{
	size_t		to;

	find_ends(f, text, size);
	for (to = size; size - to <= tails; to--)
	{
		if (!looks_right_from_all(f, edge_end(text, to), to))
			return false;
		if (to == 0)
			break;
	}
	return looks_right_from_all(f, edge_start(text, size), size);
}

/* ---------- every word ---------- */

typedef struct Words
{
	RuleSet    *keys;
	const char *letters;
	uint32_t	base;			/* letters */
	uint8_t		text[MAX_TEXT];
	size_t		size;
	uint32_t	sets;			/* of words, tried or left to another share */
	uint32_t	filters;		/* that were tried */
	bool		good;
} Words;

static uint32_t
words_of(const Words *w, uint32_t length)
{
	uint32_t	words = 1;

	while (length-- > 0)
		words *= w->base;
	return words;
}

/*
 * A text that holds every word of "order" letters: letter by letter the
 * greatest one that makes a word not seen before.
 */
static void
de_bruijn(Words *w, uint32_t order)
{
	uint32_t	words = words_of(w, order);
	uint8_t    *seen = test_malloc(words);
	uint32_t	word = 0;
	uint32_t	letter = w->base;

	memset(seen, 0, words);
	seen[0] = 1;
	memset(w->text, w->letters[0], order);
	w->size = order;
	while (letter-- > 0)
	{
		uint32_t	next = word * w->base % words + letter;

		if (seen[next])
			continue;
		seen[next] = 1;
		word = next;
		w->text[w->size++] = (uint8_t) w->letters[letter];
		letter = w->base;
	}
	free(seen);
	if (w->size != words + order - 1)
		tap_bail("a de Bruijn sequence of %zu letters", w->size);
}

/* Adds one of the words of a length. */
static void
add_word(Words *w, uint32_t length, uint32_t number)
{
	uint8_t		word[16];
	uint32_t	i;

	for (i = 0; i < length; i++, number /= w->base)
		word[i] = (uint8_t) w->letters[number % w->base];
	ruleset_add(w->keys, word, length);
}

/* The words added are a set; begins the next one. */
static void
try_words(Words *w, size_t tails)
{
	static Filtered f;

	if (w->good && w->sets++ % tap_share() == 0)
	{
		w->good = filter_open(&f, w->keys) == AC_OK;
		if (w->good && f.filter != NULL)
		{
			w->filters++;
			w->good = text_looks_right(&f, w->text, w->size, tails);
		}
		w->good = filter_close(&f) && w->good;
	}
	ruleset_clear(w->keys, 0);
}

/* Keys that do not occur: with few keys the filter is of another kind. */
static void
add_crowd(Words *w)
{
	uint8_t		key[12];
	int			i;

	for (i = 0; i < 20; i++)
	{
		memset(key, 'A' + i, sizeof(key));
		ruleset_add(w->keys, key, sizeof(key));
	}
}

/* Each word alone, each two of a length, and all of one length or two. */
static void
check_words(RuleSet *keys, const char *letters, uint32_t base, uint32_t order,
			uint32_t paired)
{
	Words		w = {.keys = keys, .letters = letters, .base = base,
	.good = true};
	uint32_t	length;
	uint32_t	i;
	uint32_t	j;

	de_bruijn(&w, order);
	ruleset_clear(keys, 0);
	for (length = 3; length <= order; length++)
	{
		for (i = 0; i < words_of(&w, length); i++)
		{
			add_word(&w, length, i);
			try_words(&w, 40);
			add_word(&w, length, i);
			add_crowd(&w);
			try_words(&w, 40);
			for (j = 0; j < i && length <= paired; j++)
			{
				add_word(&w, length, i);
				add_word(&w, length, j);
				if ((i + j) % 2 == 0)
					add_crowd(&w);
				try_words(&w, 0);
			}
		}
		for (j = length; j <= order; j++)
		{
			for (i = 0; i < words_of(&w, length); i++)
				add_word(&w, length, i);
			for (i = 0; j > length && i < words_of(&w, j); i += 1 + i % 5)
				add_word(&w, j, i);
			try_words(&w, 40);
		}
	}
	tap_ok(w.good && w.filters > 0, "%u letters: words of 3 to %u letters in "
		   "a text of all of them, %u filters", base, order, w.filters);
}

/* ---------- random keys ---------- */

/*
 * Keys of least letters and more.  Some begin as another one does, and the
 * shortest length is used much or little.
 */
static void
add_keys(RuleSet *keys, Rng *rng, const Letters *letters, uint32_t count,
		 uint32_t least, uint32_t most)
{
	uint32_t	shortest = rng_below(rng, 100);
	uint8_t		key[4 * 64];

	for (; count > 0; count--)
	{
		uint32_t	left = least;
		size_t		size = 0;

		if (!rng_chance(rng, shortest))
			left += rng_below(rng, most - least + 1);
		if (keys->rules.count > 0 && letters->letter == NULL &&
			rng_chance(rng, 30))
		{
			AcSpan		other = ruleset_pattern(&keys->rules,
												rng_below(rng, keys->rules.count));

			size = rng_below(rng, (uint32_t) (other.size < left ?
											  other.size : left) + 1);
			memcpy(key, other.data, size);
			left -= (uint32_t) size;
		}
		for (; left > 0; left--)
			size += letters_put(letters, rng, key + size);
		ruleset_add(keys, key, size);
	}
}

static void
check_random(RuleSet *keys, const Letters *letters, uint32_t least)
{
	static Filtered f;
	Rng			rng = {tap_seed() + 100 * letters->count + least};
	uint64_t	rounds = tap_count(100, 5000) / tap_share() + 1;
	uint32_t	filters = 0;
	bool		good = true;

	for (; good && rounds > 0; rounds--)
	{
		uint8_t		text[MAX_TEXT];
		size_t		size;

		ruleset_clear(keys, AC_BYTEA);
		add_keys(keys, &rng, letters, 1 + rng_below(&rng, 40), least,
				 least + rng_below(&rng, 20));
		size = text_random(&keys->rules, &rng, letters, text,
						   rng_below(&rng, rng_chance(&rng, 80) ? 100 : 400));
		good = filter_open(&f, keys) == AC_OK;
		if (good && f.filter != NULL)
		{
			filters++;
			good = text_looks_right(&f, text, size, 3);
		}
		good = filter_close(&f) && good;
	}
	tap_ok(good && filters > 0, "%u random letters, keys of %u letters and "
		   "more: %u filters", letters->count, least, filters);
}

/* One occurrence, at each place of a text that has nothing else. */
static void
check_places(RuleSet *keys)
{
	static const Letters digits = {"digits", 10, NULL, '0'};
	static Filtered f;
	Rng			rng = {tap_seed()};
	uint32_t	least;
	bool		good = true;

	for (least = 3; good && least <= 24; least++)
	{
		size_t		at;

		ruleset_clear(keys, 0);
		add_keys(keys, &rng, &digits, 1 + rng_below(&rng, 30), least,
				 least + 8);
		good = filter_open(&f, keys) == AC_OK;
		for (at = 0; good && f.filter != NULL && at < 120; at++)
		{
			AcSpan		key = ruleset_pattern(f.keys,
											  rng_below(&rng, f.keys->count));
			uint8_t		text[MAX_TEXT];

			memset(text, 'x', sizeof(text));
			memcpy(text + at, key.data, key.size);
			good = text_looks_right(&f, text, at + key.size +
									rng_below(&rng, 40), 0);
		}
		good = filter_close(&f) && good;
	}
	tap_ok(good, "one occurrence at each place, keys of 3 to 32 letters");
}

/* A filter that points everywhere would keep its promise too. */
static void
check_worth(RuleSet *keys)
{
	static const Letters letters = {"a to z", 26, NULL, 'a'};
	static const Letters others = {"A to Z", 26, NULL, 'A'};
	static Filtered f;
	Rng			rng = {tap_seed()};
	size_t		size = 100000;
	uint8_t    *text = test_malloc(size);
	uint32_t	asked = 0;
	size_t		places = 0;
	size_t		foreign;
	size_t		at;

	ruleset_clear(keys, 0);
	add_keys(keys, &rng, &letters, 100, 8, 20);
	if (filter_open(&f, keys) != AC_OK || f.filter == NULL)
		tap_bail("100 keys of 8 letters and more get no filter");
	for (at = 0; at < size; at++)
		letters_put(&letters, &rng, text + at);
	for (at = 0; (at = acore_filter_next(f.filter, text, at, size, &asked)) <
		 size; at++)
		places++;
	tap_ok(places < 100 && asked < 10000, "random letters are skipped: %zu "
		   "places of %zu, %u comparisons", places, size, asked);
	for (at = 0; at < size; at++)
		letters_put(&others, &rng, text + at);
	foreign = acore_filter_next(f.filter, text, 0, size, &asked);
	tap_ok(foreign == size, "letters of no key are skipped: up to %zu of %zu",
		   foreign, size);
	tap_ok(filter_close(&f), "the filter is released");
	free(text);
}

/* Too many keys for any filter to help. */
static void
check_too_many(RuleSet *keys)
{
	static const Letters letters = {"a to z", 26, NULL, 'a'};
	static Filtered f;
	Rng			rng = {tap_seed()};
	AcStatus	status;

	ruleset_clear(keys, 0);
	add_keys(keys, &rng, &letters, 200000, 8, 8);
	status = filter_open(&f, keys);
	tap_ok(filter_close(&f) && status == AC_E_TOO_LARGE && f.filter == NULL,
		   "200,000 keys are too many: status %d", (int) status);
}

/* ---------- the engine behind the filter ---------- */

/*
 * Text that has matches now and then: runs of letters that are in no key,
 * and of pieces of keys.
 */
static size_t
text_sparse(const AcRules *rules, Rng *rng, const Letters *letters,
			uint8_t *text, size_t room)
{
	static const Letters filler = {"filler", 15, NULL, '!'};
	uint32_t	dense = rng_below(rng, 60);
	size_t		size = 0;

	while (size < room)
	{
		size_t		run = 1 + rng_below(rng, rng_chance(rng, 20) ? 6000 : 60);

		if (run > room - size)
			run = room - size;
		if (rng_chance(rng, dense))
		{
			size_t		used = text_random(rules, rng, letters, text + size,
										   run);

			if (used == 0)
				break;
			size += used;
		}
		else
			for (; run > 0; run--)
				size += letters_put(&filler, rng, text + size);
	}
	return size;
}

static size_t
some_cuts(Rng *rng, size_t size, size_t *cuts)
{
	size_t		n = rng_below(rng, MAX_CUTS);
	size_t		at = 0;
	size_t		i;

	for (i = 0; i < n; i++)
	{
		at += rng_below(rng, rng_chance(rng, 50) ? 20 : (uint32_t) (size - at) + 1);
		if (at > size)
			break;
		cuts[i] = at;
	}
	return i;
}

/* Hits with the filter, in one piece, in two cut anywhere, and in many. */
static bool
runs_right(Run *run, Run *plain, Rng *rng, const uint8_t *text, size_t size)
{
	size_t		cuts[MAX_CUTS];
	bool		good = run_text(plain, text, size, NULL, 0);
	size_t		at;

	for (at = 0; good && at <= size && size < 200; at++)
	{
		run->room = rng_chance(rng, 30) ? 1 + rng_below(rng, 3) : AC_HITS;
		good = run_text(run, text, size, &at, 1) &&
			run_agrees(run, &plain->found);
		if (!good)
			tap_note("  cut at %zu", at);
	}
	for (at = 0; good && at < 4; at++)
	{
		size_t		ncuts = at == 0 ? 0 : some_cuts(rng, size, cuts);

		good = run_text(run, text, size, cuts, ncuts) &&
			run_agrees(run, &plain->found);
		for (; !good && ncuts > 0; ncuts--)
			tap_note("  cut at %zu", cuts[ncuts - 1]);
	}
	return good;
}

static bool
same_matches(const MatchList *a, const MatchList *b, bool chars)
{
	size_t		i = 0;

	while (i < a->count && i < b->count &&
		   a->items[i].start == b->items[i].start &&
		   a->items[i].end == b->items[i].end &&
		   a->items[i].key == b->items[i].key &&
		   (!chars || (a->items[i].char_start == b->items[i].char_start &&
					   a->items[i].char_len == b->items[i].char_len)))
		i++;
	return i == a->count && i == b->count;
}

/* Matches of both twins, by each kind. */
static bool
scans_right(Subject *subject, Rng *rng, const uint8_t *text, size_t size)
{
	size_t		cuts[MAX_CUTS];
	size_t		ncuts = some_cuts(rng, size, cuts);
	int			kind;

	for (kind = AC_ALL; kind <= AC_LEFTMOST_FIRST; kind++)
	{
		MatchList	found[TWINS] = {{0}};
		bool		good = true;
		int			twin;

		for (twin = 0; twin < TWINS; twin++)
			good = scan_pieces(subject_scanner(subject, twin, (AcKind) kind),
							   text, size, cuts, twin == PLAIN ? 0 : ncuts,
							   &found[twin]) == AC_DONE && good;
		good = good && same_matches(&found[PLAIN], &found[FAST],
									subject->want_chars);
		free(found[PLAIN].items);
		free(found[FAST].items);
		if (!good)
		{
			tap_note("%s: the twins differ", kind_name((AcKind) kind));
			return false;
		}
	}
	return true;
}

/* A rule set of a world that has a filter; texts of all densities. */
static bool
check_rules(Subject *subject, const World *world, Rng *rng, size_t room)
{
	uint8_t    *text = test_malloc(room);
	Run			run;
	Run			plain;
	bool		good = true;
	int			i;

	run_init(&run, BY_FILTER, &subject->automaton[FAST]);
	run_init(&plain, BY_IMAGE, &subject->automaton[PLAIN]);
	for (i = 0; good && i < 8; i++)
	{
		size_t		size = text_sparse(subject->rules, rng, &world->letters,
									   text, i < 4 ? rng_below(rng, 200) : room);

		good = runs_right(&run, &plain, rng, text, size) &&
			(i % 4 != 0 || scans_right(subject, rng, text, size));
		if (!good)
			print_case(subject->rules, text, size);
	}
	run_free(&run);
	run_free(&plain);
	free(text);
	return good;
}

static void
check_world(RuleSet *keys, const World *world)
{
	Rng			rng = {tap_seed()};
	uint64_t	rounds = tap_count(20, 1000) / tap_share() + 1;
	uint32_t	filters = 0;
	bool		good = true;

	for (; good && rounds > 0; rounds--)
	{
		uint32_t	least = 3 + rng_below(&rng, rng_chance(&rng, 50) ? 4 : 10);
		Subject		subject;

		ruleset_clear(keys, world->options);
		add_keys(keys, &rng, &world->letters, 1 + rng_below(&rng, 50), least,
				 rng_chance(&rng, 50) ? least : least + rng_below(&rng, 30));
		world_open(&subject, world, keys, &rng);
		if (acore_engine_filter(subject.automaton[FAST].engine) != NULL)
		{
			filters++;
			good = check_rules(&subject, world, &rng,
							   1000 + rng_below(&rng, 30000));
		}
		good = subject_close(&subject) && good;
	}
	tap_ok(good && filters > 0, "%s, options 0x%02X, encoding %d: %u sets run "
		   "behind a filter", world->letters.name, world->options,
		   (int) world->encoding, filters);
}

int
main(int argc, char **argv)
{
	static const Letters letters[] = {
		{"ab", 2, NULL, 'a'}, {"a to d", 4, NULL, 'a'},
		{"a to z", 26, NULL, 'a'}, {"all bytes", 256, NULL, 0}
	};
	RuleSet		keys;
	uint32_t	least;
	size_t		i;

	tap_start(argc, argv);
	ruleset_init(&keys, 0);
	has_twin = acore_cpu_has_avx2();
	if (!has_twin)
		tap_skip("the twin with AVX2", "not compiled in or not in the processor");
	check_words(&keys, "ab", 2, 8, 5);
	check_words(&keys, "\0\377", 2, 8, 4);
	check_words(&keys, "abc", 3, 5, 3);
	check_words(&keys, "/ e1", 4, 4, 3);
	for (i = 0; i < sizeof(letters) / sizeof(letters[0]); i++)
		for (least = 3; least <= 9; least++)
			check_random(&keys, &letters[i], least);
	check_places(&keys);
	check_worth(&keys);
	check_too_many(&keys);
	for (i = 0; i < world_count; i++)
		check_world(&keys, &worlds[i]);
	ruleset_free(&keys);
	return tap_finish();
}
