/*
 * test_engine.c
 *		The engine against the walk in place, on rules that are hard on tables.
 *
 * Whatever acore_accelerate() makes of an image has to give the same hits in
 * the same order, and stand in a state of the same depth, wherever the text is
 * cut and however few hits are asked for at a time.  What is hard depends on
 * how states are laid out, so everything is tried: every number of children
 * at several depths, alphabets from one byte to all of them, outputs at every
 * byte, failure links of any length, keys and sets beyond 16 bits.
 */
#include <stdlib.h>
#include <string.h>

#include "ac_engine.h"
#include "hits.h"
#include "subject.h"
#include "tap.h"

/* A text as it grows. */
typedef struct Text
{
	uint8_t    *bytes;
	size_t		size;
	size_t		room;
} Text;

static void
text_add(Text *text, const void *bytes, size_t size)
{
	if (text->size + size > text->room)
	{
		text->room = 2 * text->room + size;
		text->bytes = test_grow(text->bytes, text->room);
	}
	memcpy(text->bytes + text->size, bytes, size);
	text->size += size;
}

static void
text_add_byte(Text *text, int byte)
{
	uint8_t		b = (uint8_t) byte;

	text_add(text, &b, 1);
}

static void
text_add_run(Text *text, int byte, size_t times)
{
	while (times-- > 0)
		text_add_byte(text, byte);
}

/* What is being tested. */
typedef struct Case
{
	RuleSet		keys;
	Text		text;
	Rng			rng;
	bool		many;			/* sets: fewer cuts of each text */
	uint32_t	sets;			/* made since the last report */
	size_t		hits;			/* expected in them */
	bool		good;
} Case;

/* Beyond this size a text is run whole, since each cut takes a run. */
#define LONG_TEXT	20000

/*
 * Runs the engine over the text whole and byte by byte, for some hits at a
 * time, and cut in two at c->cuts places.
 */
static bool
runs_right(Case *c, Run *engine, const Run *plain)
{
	static const uint8_t rooms[] = {AC_HITS, 1, 2, 7};
	const Text *text = &c->text;
	size_t		ncuts = text->size <= LONG_TEXT ? text->size : 0;
	size_t	   *cuts = test_malloc(ncuts * sizeof(size_t));
	size_t		step = 1 + text->size / (c->many ? 10 : 300);
	size_t		at;
	size_t		i;
	bool		good = true;

	for (at = 0; at < ncuts; at++)
		cuts[at] = at;
	for (i = 0; good && i < sizeof(rooms); i++)
	{
		engine->room = rooms[i];
		good = run_text(engine, text->bytes, text->size, NULL, 0) &&
			run_agrees(engine, &plain->found) &&
			run_text(engine, text->bytes, text->size, cuts, ncuts) &&
			run_agrees(engine, &plain->found);
	}
	for (at = rng_below(&c->rng, (uint32_t) step); good && at < ncuts;
		 at += step)
	{
		engine->room = 1 + rng_below(&c->rng, AC_HITS);
		good = run_text(engine, text->bytes, text->size, &at, 1) &&
			run_agrees(engine, &plain->found);
		if (!good)
			tap_note("  cut at %zu", at);
	}
	free(cuts);
	return good;
}

/* The walk in place: the depth at every byte, and the same hits whole. */
static bool
walk(const Case *c, Run *plain)
{
	const Text *text = &c->text;
	size_t	   *cuts = test_malloc(text->size * sizeof(size_t));
	Run			whole;
	size_t		at;
	bool		good;

	for (at = 0; at < text->size; at++)
		cuts[at] = at;
	run_init(&whole, BY_IMAGE, plain->automaton);
	good = run_text(plain, text->bytes, text->size, cuts, text->size) &&
		run_text(&whole, text->bytes, text->size, NULL, 0) &&
		run_agrees(&whole, &plain->found);
	run_free(&whole);
	free(cuts);
	return good;
}

/* Builds the keys and compares over the text. */
static void
compare(Case *c)
{
	Subject		subject;
	Run			engine;
	Run			plain;
	uint32_t	longest;

	subject_open(&subject, &c->keys.rules, c->sets % 16);
	run_init(&plain, BY_IMAGE, &subject.automaton[PLAIN]);
	run_init(&engine, BY_ENGINE, &subject.automaton[FAST]);
	if (subject.automaton[FAST].engine == NULL)
		tap_bail("there is no engine to test");
	longest = acore_engine_max_depth(engine.automaton->engine);
	c->good = longest == subject.automaton[PLAIN].info.max_len &&
		walk(c, &plain) && runs_right(c, &engine, &plain);
	c->hits += plain.found.count;
	run_free(&plain);
	run_free(&engine);
	if (!c->good)
		print_case(&c->keys.rules, c->text.bytes, c->text.size);
	c->good = subject_close(&subject) && c->good;
}

/*
 * Keys and text are complete: compares, and begins the next ones.  Of many
 * sets slow builds take a share.
 */
static void
check(Case *c)
{
	if (c->good && (!c->many || (c->sets + tap_seed()) % tap_share() == 0))
		compare(c);
	c->sets++;
	ruleset_clear(&c->keys, AC_BYTEA);
	c->text.size = 0;
}

static void
report(Case *c, const char *what)
{
	tap_ok(c->good && c->hits > 0, "%s: %u sets, %zu hits", what, c->sets,
		   c->hits);
	c->good = true;
	c->sets = 0;
	c->hits = 0;
	c->many = false;
}

/* ---------- few letters ---------- */

static void
text_add_letters(Case *c, uint32_t letters, size_t size)
{
	while (size-- > 0)
		text_add_byte(&c->text, 'a' + (int) rng_below(&c->rng, letters));
}

/* Every byte ends up to 64 keys. */
static void
check_powers(Case *c)
{
	uint8_t		power[64];
	size_t		n;

	memset(power, 'a', sizeof(power));
	for (n = 1; n <= 64; n++)
		ruleset_add(&c->keys, power, n);
	text_add_run(&c->text, 'a', 200);
	for (n = 0; n < 70; n += 3)
	{
		text_add_byte(&c->text, 'b');
		text_add_run(&c->text, 'a', n);
	}
	check(c);
	report(c, "a, aa, ... a^64");
}

/* All subsets of the 14 words of up to three letters. */
static void
check_subsets(Case *c)
{
	uint32_t	set;

	c->many = true;
	for (set = 1; c->good && set < 1u << 14; set++)
	{
		uint32_t	word;

		for (word = 0; word < 14; word++)
		{
			uint32_t	length = word < 2 ? 1 : word < 6 ? 2 : 3;
			uint32_t	bits = word - (length == 1 ? 0 : length == 2 ? 2 : 6);
			char		letters[3];
			uint32_t	i;

			for (i = 0; i < length; i++)
				letters[i] = (bits >> i) & 1 ? 'b' : 'a';
			if ((set >> word) & 1)
				ruleset_add(&c->keys, letters, length);
		}
		text_add_letters(c, 2 + set % 2, 80);
		check(c);
	}
	report(c, "all sets of words of up to 3 letters a and b");
}

/* All words of some lengths over the first letters of the alphabet. */
static void
add_words(Case *c, uint32_t base, uint32_t from, uint32_t to)
{
	uint8_t		word[16];
	uint32_t	words = base;
	uint32_t	length;
	uint32_t	n;
	uint32_t	i;

	for (length = 1; length <= to; length++, words *= base)
		for (n = 0; n < words && length >= from; n++)
		{
			uint32_t	rest = n;

			for (i = 0; i < length; i++, rest /= base)
				word[i] = (uint8_t) ('a' + rest % base);
			ruleset_add(&c->keys, word, length);
		}
}

static void
check_all_words(Case *c)
{
	static const uint8_t bounds[][3] = {
		{2, 1, 8}, {2, 10, 10}, {2, 3, 11}, {3, 1, 5}, {3, 6, 6}, {26, 2, 2},
		{26, 1, 3}
	};
	size_t		i;

	for (i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++)
	{
		add_words(c, bounds[i][0], bounds[i][1], bounds[i][2]);
		text_add_letters(c, bounds[i][0] + (i % 2), 1000);
		check(c);
	}
	report(c, "all words of some lengths");
}

/* Words in which each is the end of the one after the next. */
static void
check_fibonacci(Case *c)
{
	uint8_t		word[2][1000] = {"b", "a"};
	size_t		size[2] = {1, 1};
	int			n;

	for (n = 0; n < 13; n++)
	{
		int			last = (n + 1) % 2;
		uint8_t    *old = word[n % 2];

		ruleset_add(&c->keys, old, size[n % 2]);
		/* the older one is put behind the newer one, and becomes the newest */
		memmove(old + size[last], old, size[n % 2]);
		memcpy(old, word[last], size[last]);
		size[n % 2] += size[last];
	}
	text_add(&c->text, word[0], size[0]);
	text_add(&c->text, "bb", 2);
	text_add(&c->text, word[1], size[1]);
	check(c);
	report(c, "Fibonacci words");
}

/* Each suffix of a word, then each piece: the longest lists of outputs. */
static void
check_pieces(Case *c)
{
	int			round;

	for (round = 0; round < 6; round++)
	{
		uint32_t	size = round % 2 == 0 ? 120 : 40;
		uint32_t	from;
		uint32_t	to;

		text_add_letters(c, 2 + (uint32_t) round / 2, size);
		for (from = 0; from < size; from++)
			for (to = round % 2 == 0 ? size : from + 1; to <= size; to++)
				ruleset_add(&c->keys, c->text.bytes + from, to - from);
		text_add_letters(c, 2, 50);
		for (from = 0; from < 20; from++)
		{
			uint8_t		piece[40];
			uint32_t	at = rng_below(&c->rng, size - 39);

			memcpy(piece, c->text.bytes + at, sizeof(piece));
			text_add(&c->text, piece, 1 + rng_below(&c->rng, 40));
		}
		check(c);
	}
	report(c, "all suffixes and all pieces of a word");
}

/* Failure links that lead far up, one by one, before a byte fits. */
static void
check_chains(Case *c)
{
	static uint8_t key[6001];
	size_t		i;
	size_t		j;

	memset(key, 'a', sizeof(key));
	for (i = 0; i < 12; i++)
	{
		key[i] = 'b';
		for (j = i + 1; j <= i + 12; j++)
			ruleset_add(&c->keys, key, j);
		key[i] = 'a';
	}
	text_add_letters(c, 2, 600);
	for (i = 0; i < 40; i++)
	{
		text_add_run(&c->text, 'a', i);
		text_add_byte(&c->text, i % 5 == 0 ? 'c' : 'b');
	}
	check(c);

	for (i = 1000; i <= 6000; i += 1000)
	{
		key[i] = 'b';
		ruleset_add(&c->keys, key, i + 1);
		key[i] = 'a';
	}
	ruleset_add(&c->keys, key + 1000, 4500);
	for (i = 900; i < 6100; i += 700)
	{
		text_add_run(&c->text, 'a', i);
		text_add_byte(&c->text, i % 1400 == 900 ? 'b' : 'c');
	}
	check(c);

	for (i = 0; i < 3000; i += 2)
		key[i] = 'b';
	for (i = 1; i < 3000; i = i * 3 / 2 + 1)
		ruleset_add(&c->keys, key + i % 2, i);
	ruleset_add(&c->keys, "bb", 2);
	text_add(&c->text, key, 3000);
	text_add(&c->text, key, 2999);
	text_add(&c->text, key + 1, 2000);
	check(c);
	report(c, "long failure links");
}

/* ---------- many letters ---------- */

/* A random order of all bytes. */
static void
shuffle_bytes(Rng *rng, uint8_t bytes[256])
{
	uint32_t	i;

	for (i = 0; i < 256; i++)
	{
		uint32_t	at = rng_below(rng, i + 1);

		bytes[i] = bytes[at];
		bytes[at] = (uint8_t) i;
	}
}

/* How many letters or children are tried after n of them: all small numbers,
 * and those around powers of two. */
static uint32_t
next_number(uint32_t n)
{
	return n < 40 || n >= 250 || n % 64 < 3 || n % 64 > 60 ? n + 1 : n + 3;
}

/* Alphabets of 1 to 256 bytes, in texts of all bytes. */
static void
check_alphabets(Case *c)
{
	uint32_t	n;
	uint32_t	i;

	c->many = true;
	for (n = 1; c->good && n <= 256; n = next_number(n))
	{
		uint8_t		bytes[256];

		shuffle_bytes(&c->rng, bytes);
		for (i = 0; i < n; i++)
		{
			uint8_t		pair[2] = {bytes[i], bytes[rng_below(&c->rng, n)]};

			ruleset_add(&c->keys, pair, 1 + (i % 3 > 0));
		}
		for (i = 0; i < 3 * 256; i++)
			text_add_byte(&c->text, i < 256 ? (int) i :
						  bytes[rng_below(&c->rng, n)]);
		check(c);
	}
	report(c, "alphabets of 1 to 256 bytes");
}

/*
 * A state of n children at some depth; below some of these are further
 * states, and beside it another branch with the same letters.
 */
static void
check_children(Case *c, uint32_t depth)
{
	uint32_t	n;
	uint32_t	i;

	c->many = true;
	for (n = 1; c->good && n <= 256; n = next_number(n))
	{
		uint8_t		bytes[256];
		uint8_t		key[16];

		shuffle_bytes(&c->rng, bytes);
		for (i = 0; i < depth; i++)
			key[i] = (uint8_t) ('p' + i % 3);
		for (i = 0; i < n; i++)
		{
			key[depth] = bytes[i];
			key[depth + 1] = bytes[255 - i];
			key[depth + 2] = 'p';
			ruleset_add(&c->keys, key, depth + 1 + i % 3);
			if (depth > 0 && i % 7 == 0)
				ruleset_add(&c->keys, key + depth - 1, 2 + i % 2);
		}
		for (i = 0; i < 256; i++)
		{
			text_add(&c->text, key, depth);
			text_add_byte(&c->text, (int) i);
			if (rng_chance(&c->rng, 30))
				text_add_byte(&c->text, bytes[255 - n / 2]);
		}
		for (i = 0; i < n; i += 3)
		{
			key[depth] = bytes[i];
			key[depth + 1] = bytes[255 - i];
			text_add(&c->text, key, depth + 3);
		}
		check(c);
	}
}

/* ---------- random ---------- */

/* Random keys of the letters; a text of their pieces. */
static void
check_random(Case *c, const Letters *letters, uint32_t count, uint32_t longest,
			 size_t size)
{
	ruleset_random(&c->keys, &c->rng, letters, count, longest);
	c->text.bytes = test_grow(c->text.bytes, size);
	c->text.room = size;
	c->text.size = text_random(&c->keys.rules, &c->rng, letters, c->text.bytes,
							   size);
	check(c);
}

static void
check_randoms(Case *c)
{
	static const Letters all[] = {
		{"ab", 2, NULL, 'a'}, {"abc", 3, NULL, 'a'}, {"a to z", 26, NULL, 'a'},
		{"128 bytes", 128, NULL, 64}, {"255 bytes", 255, NULL, 0},
		{"255 bytes", 255, NULL, 1}, {"256 bytes", 256, NULL, 0}
	};
	size_t		i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++)
	{
		uint64_t	rounds = tap_count(30, 1000);

		for (c->many = true; c->good && rounds > 0; rounds--)
			check_random(c, &all[i], 1 + rng_below(&c->rng, 60),
						 1 + rng_below(&c->rng, 12), 400);
		check_random(c, &all[i], 4000, 16, 3000);
		check_random(c, &all[i], 3000, 3, 3000);
		check_random(c, &all[i], 300, 60, 3000);
		report(c, all[i].name);
	}
}

/* ---------- beyond 16 bits ---------- */

/* More than 65,536 keys, and states, and edges that lead as far. */
static void
check_many_keys(Case *c)
{
	static const Letters letters = {"a to z", 26, NULL, 'a'};

	check_random(c, &letters, 100000, 6, 5000);
	report(c, "100,000 keys");
}

/* Keys of more than 65,535 letters, one of which branches off far behind. */
static void
check_long_keys(Case *c)
{
	size_t		size = 70000;

	text_add_letters(c, 3, size);
	ruleset_add(&c->keys, c->text.bytes, size);
	ruleset_add(&c->keys, c->text.bytes, 65535);
	ruleset_add(&c->keys, c->text.bytes, 65536);
	ruleset_add(&c->keys, c->text.bytes + 1000, size - 1000);
	ruleset_add(&c->keys, c->text.bytes + size - 5, 5);
	c->text.bytes[size - 1] ^= 3;
	ruleset_add(&c->keys, c->text.bytes, size);
	ruleset_add(&c->keys, "dd", 2);
	text_add(&c->text, "dd", 2);
	text_add(&c->text, ruleset_pattern(&c->keys.rules, 3).data, 50000);
	check(c);
	report(c, "keys of 70,000 letters");
}

int
main(int argc, char **argv)
{
	Case		c = {.good = true};
	uint32_t	depth;

	tap_start(argc, argv);
	c.rng.state = tap_seed();
	ruleset_init(&c.keys, AC_BYTEA);
	check_powers(&c);
	check_subsets(&c);
	check_all_words(&c);
	check_fibonacci(&c);
	check_pieces(&c);
	check_chains(&c);
	check_alphabets(&c);
	for (depth = 0; depth <= 4; depth++)
		check_children(&c, depth);
	check_children(&c, 9);
	report(&c, "states of 1 to 256 children");
	check_randoms(&c);
	check_many_keys(&c);
	check_long_keys(&c);
	ruleset_free(&c.keys);
	free(c.text.bytes);
	return tap_finish();
}
