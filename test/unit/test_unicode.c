/*
 * test_unicode.c
 *		Folding, word characters and UTF-8 against the Unicode database.
 *
 * The tables are compared with the database at every code point; general
 * categories come from another of its files than the tables were made from.
 * Without that database (Debian 12: unicode-data) a digest of all answers still
 * tells that they are those of format 1.  The fast paths are compared with
 * slow twins written here, at random and at the end of a page.
 */
#define _DEFAULT_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ac_unicode.h"
#include "tap.h"

#define CODE_POINTS 0x110000
#define TEXT_MAX 400

/* of CaseFolding.txt in the one database that fits format 1 */
#define FIRST_LINE "# CaseFolding-15.0.0.txt"

/* ---------- the database ---------- */

static uint32_t folded[CODE_POINTS];
static bool word[CODE_POINTS];

static FILE *
open_data(const char *name)
{
	const char *directory = getenv("AC_UNICODE_DATA");
	char		path[4096];

	snprintf(path, sizeof(path), "%s/%s",
			 directory ? directory : "/usr/share/unicode", name);
	return fopen(path, "r");
}

/* Calls "each" for the lines "FIRST[..LAST] ; VALUE" of a file. */
static bool
read_ranges(const char *name,
			void (*each) (uint32_t first, uint32_t last, const char *value))
{
	FILE	   *file = open_data(name);
	char		line[1024];

	if (file == NULL)
		return false;
	while (fgets(line, sizeof(line), file) != NULL)
	{
		unsigned	first;
		unsigned	last;
		char		value[64];

		if (sscanf(line, "%x..%x ; %63[A-Za-z_]", &first, &last, value) == 3)
			each(first, last, value);
		else if (sscanf(line, "%x ; %63[A-Za-z_]", &first, value) == 2)
			each(first, first, value);
	}
	fclose(file);
	return true;
}

static void
each_category(uint32_t first, uint32_t last, const char *value)
{
	uint32_t	code;

	if (strchr("LMN", value[0]) == NULL && strcmp(value, "Pc") != 0)
		return;
	for (code = first; code <= last; code++)
		word[code] = true;
}

static void
each_script(uint32_t first, uint32_t last, const char *value)
{
	static const char *const unspaced[] = {
		"Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"
	};
	uint32_t	code;
	size_t		i;

	for (i = 0; i < sizeof(unspaced) / sizeof(*unspaced); i++)
		if (strcmp(value, unspaced[i]) == 0)
			for (code = first; code <= last; code++)
				word[code] = false;
}

static bool
read_folding(void)
{
	FILE	   *file = open_data("CaseFolding.txt");
	char		line[1024];
	unsigned	code;
	unsigned	to;
	char		status;

	if (file == NULL)
		return false;
	if (fgets(line, sizeof(line), file) == NULL ||
		strncmp(line, FIRST_LINE, strlen(FIRST_LINE)) != 0)
	{
		fclose(file);
		return false;
	}
	for (code = 0; code < CODE_POINTS; code++)
		folded[code] = code;
	while (fgets(line, sizeof(line), file) != NULL)
		if (sscanf(line, "%x; %c; %x;", &code, &status, &to) == 3 &&
			(status == 'C' || status == 'S'))
			folded[code] = to;
	fclose(file);
	return true;
}

static void
test_database(void)
{
	uint32_t	code;
	uint32_t	wrong_folds = 0;
	uint32_t	wrong_words = 0;

	if (!read_folding() ||
		!read_ranges("extracted/DerivedGeneralCategory.txt", each_category) ||
		!read_ranges("Scripts.txt", each_script))
	{
		tap_ok(true, "database # SKIP Unicode 15.0 is not installed");
		return;
	}
	word[0x30FC] = false;
	word[0xFF70] = false;
	for (code = 0; code < CODE_POINTS; code++)
	{
		wrong_folds += acore_fold_char(code) != folded[code];
		wrong_words += acore_word_char(code) != word[code];
	}
	tap_ok(wrong_folds == 0, "every code point folds as the database says");
	tap_ok(wrong_words == 0, "every word character is one by the database");
}

/* ---------- what is known without it ---------- */

static void
test_digest(void)
{
	uint64_t	digest = UINT64_C(0xCBF29CE484222325);
	uint32_t	code;
	uint32_t	folds = 0;
	uint32_t	words = 0;
	uint32_t	unstable = 0;

	for (code = 0; code < CODE_POINTS; code++)
	{
		uint32_t	to = acore_fold_char(code);
		bool		is_word = acore_word_char(code);

		folds += to != code;
		words += is_word;
		unstable += acore_fold_char(to) != to;
		digest = (digest ^ (to << 1 | is_word)) * UINT64_C(0x100000001B3);
	}
	tap_ok(folds == 1454, "%" PRIu32 " code points fold", folds);
	tap_ok(words == 41264, "%" PRIu32 " word characters", words);
	tap_ok(unstable == 0, "folding twice is folding once");
	tap_ok(digest == UINT64_C(0xAD9CA644FA6AC083),
		   "the tables are those of format 1 (%016" PRIX64 ")", digest);
	tap_ok(acore_fold_char(UINT32_MAX) == UINT32_MAX &&
		   !acore_word_char(UINT32_MAX), "beyond the last code point");
}

static void
test_known_folds(void)
{
	static const struct
	{
		uint32_t	from;
		uint32_t	to;
		const char *name;
	}			known[] = {
		{0x41, 0x61, "A"},
		{0x5A, 0x7A, "Z"},
		{0x49, 0x69, "I"},
		{0x40, 0x40, "at sign"},
		{0x5B, 0x5B, "bracket"},
		{0xDF, 0xDF, "sharp s"},
		{0x1E9E, 0xDF, "capital sharp s"},
		{0x212A, 0x6B, "kelvin sign"},
		{0x212B, 0xE5, "angstrom sign"},
		{0x2126, 0x3C9, "ohm sign"},
		{0x130, 0x130, "I with dot above, which folds only in full folding"},
		{0x131, 0x131, "dotless i"},
		{0x17F, 0x73, "long s"},
		{0x23A, 0x2C65, "A with stroke, which grows"},
		{0x3A3, 0x3C3, "sigma"},
		{0x3C2, 0x3C3, "final sigma"},
		{0xFB00, 0xFB00, "ligature ff"},
		{0x1C5, 0x1C6, "title case dz with caron"},
		{0x13A0, 0x13A0, "cherokee capital, the folded form"},
		{0xAB70, 0x13A0, "cherokee small"},
		{0x10400, 0x10428, "deseret"},
		{0x1E921, 0x1E943, "adlam, the last one"},
	};
	size_t		i;

	for (i = 0; i < sizeof(known) / sizeof(*known); i++)
		tap_ok(acore_fold_char(known[i].from) == known[i].to, "fold: %s",
			   known[i].name);
}

static void
test_known_words(void)
{
	static const struct
	{
		uint32_t	code;
		bool		is_word;
		const char *name;
	}			known[] = {
		{'_', true, "underscore"},
		{'-', false, "hyphen"},
		{0x27, false, "apostrophe"},
		{0x2019, false, "right quote"},
		{'0', true, "digit"},
		{0xB2, true, "superscript two"},
		{0xBD, true, "one half"},
		{0xAA, true, "feminine ordinal"},
		{0xE9, true, "e with acute"},
		{0x301, true, "combining acute"},
		{0x200D, false, "zero width joiner"},
		{0x203F, true, "undertie"},
		{0x661, true, "arabic-indic digit"},
		{0x93E, true, "devanagari vowel sign"},
		{0xAC00, true, "hangul"},
		{0x3105, true, "bopomofo"},
		{0x4E00, false, "ideograph"},
		{0x3005, false, "ideographic iteration mark"},
		{0x3007, false, "ideographic zero"},
		{0x20000, false, "ideograph of plane 2"},
		{0x3042, false, "hiragana"},
		{0x30A2, false, "katakana"},
		{0x30FC, false, "prolonged sound mark"},
		{0xFF70, false, "halfwidth prolonged sound mark"},
		{0xFF9E, true, "halfwidth voiced sound mark, of no script"},
		{0xE01, false, "thai"},
		{0xE51, false, "thai digit"},
		{0xE81, false, "lao"},
		{0x1780, false, "khmer"},
		{0x1000, false, "myanmar"},
		{0xFF3F, true, "fullwidth low line"},
		{0xFF21, true, "fullwidth A"},
		{0x1F595, false, "emoji"},
		{0x1FBF9, true, "segmented digit"},
		{0xE0100, true, "first of the far variation selectors"},
		{0xE01EF, true, "last of them"},
		{0xE01F0, false, "the one behind"},
		{0xE00FF, false, "the one before"},
		{0xFE0F, true, "variation selector 16"},
		{0xD800, false, "surrogate"},
		{0xE000, false, "private use"},
		{0x378, false, "unassigned"},
	};
	size_t		i;

	for (i = 0; i < sizeof(known) / sizeof(*known); i++)
		tap_ok(acore_word_char(known[i].code) == known[i].is_word,
			   "word character: %s", known[i].name);
}

/* ---------- slow twins ---------- */

static int
put_char(uint32_t code, uint8_t *out)
{
	if (code < 0x80)
	{
		out[0] = (uint8_t) code;
		return 1;
	}
	if (code < 0x800)
	{
		out[0] = (uint8_t) (0xC0 + code / 0x40);
		out[1] = (uint8_t) (0x80 + code % 0x40);
		return 2;
	}
	if (code < 0x10000)
	{
		out[0] = (uint8_t) (0xE0 + code / 0x1000);
		out[1] = (uint8_t) (0x80 + code / 0x40 % 0x40);
		out[2] = (uint8_t) (0x80 + code % 0x40);
		return 3;
	}
	out[0] = (uint8_t) (0xF0 + code / 0x40000);
	out[1] = (uint8_t) (0x80 + code / 0x1000 % 0x40);
	out[2] = (uint8_t) (0x80 + code / 0x40 % 0x40);
	out[3] = (uint8_t) (0x80 + code % 0x40);
	return 4;
}

/*
 * The character at text by encoding what its bits say and comparing: its
 * length, 0 for a byte that stands for itself.
 */
static int
slow_decode(const uint8_t *text, size_t size, uint32_t *code)
{
	int			length;

	for (length = 1; length <= 4 && (size_t) length <= size; length++)
	{
		static const uint8_t bits[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
		uint8_t		again[4];
		int			i;

		*code = text[0] & bits[length];
		for (i = 1; i < length; i++)
			*code = *code * 0x40 + (text[i] & 0x3F);
		if (*code < CODE_POINTS && (*code < 0xD800 || *code > 0xDFFF) &&
			put_char(*code, again) == length &&
			memcmp(again, text, (size_t) length) == 0)
			return length;
	}
	return 0;
}

static size_t
slow_fold(uint32_t options, const uint8_t *text, size_t size, uint8_t *out)
{
	size_t		in = 0;
	size_t		written = 0;

	while (in < size)
	{
		uint32_t	code;
		int			length = 0;

		if (options & AC_FOLD_UNICODE)
			length = slow_decode(text + in, size - in, &code);
		if (length > 0)
			written += (size_t) put_char(acore_fold_char(code), out + written);
		else
		{
			uint8_t		byte = text[in];

			if ((options & AC_FOLD_ASCII) && byte >= 'A' && byte <= 'Z')
				byte = (uint8_t) (byte - 'A' + 'a');
			out[written++] = byte;
			length = 1;
		}
		in += (size_t) length;
	}
	return written;
}

static bool
slow_word(uint32_t options, const uint8_t *text, size_t size, size_t wanted)
{
	uint32_t	code;
	int			length;

	if (options & AC_WORDS_ASCII)
		return size > 0 && text[0] != '\0' && strchr("0123456789_"
													 "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
													 "abcdefghijklmnopqrstuvwxyz",
													 text[0]) != NULL;
	if ((options & AC_WORDS_UNICODE) == 0)
		return false;
	length = slow_decode(text, size, &code);
	return length > 0 && (wanted == 0 || (size_t) length == wanted) &&
		acore_word_char(code);
}

static bool
slow_word_before(uint32_t options, const uint8_t *text, size_t low, size_t pos)
{
	size_t		back;

	if (options & AC_WORDS_ASCII)
		return pos > low && slow_word(options, text + pos - 1, 1, 0);
	for (back = 1; back <= 4 && back <= pos - low; back++)
		if (slow_word(options, text + pos - back, back, back))
			return true;
	return false;
}

/* ---------- random texts ---------- */

/* A character that tests something, valid or not: its bytes. */
static int
random_char(Rng *rng, uint32_t style, uint8_t *out)
{
	static const uint32_t special[] = {
		0x212A, 0x17F, 0x23A, 0x23E, 0x1E9E, 0xDF, 0x130, 0x2126, 0x1C80,
		0xA7C5, 0x10400, 0x1E921, 0x10FFFF, 0xFFFF, 0x7FF, 0x800, 0x80,
		0x3042, 0x30FC, 0x301, 0xE0100, 0x1F595, 0x4E00, 0x410, 0x430, 0xC4
	};
	uint32_t	code;

	switch (rng_below(rng, 10) < 7 ? style : rng_below(rng, 6))
	{
		case 0:
			return put_char(rng_below(rng, 0x80), out);
		case 1:
			return put_char(0x80 + rng_below(rng, 0x780), out);
		case 2:
			return put_char(special[rng_below(rng, sizeof(special) / sizeof(*special))],
							out);
		case 3:
			do
				code = rng_below(rng, rng_chance(rng, 50) ? 0x3000 : CODE_POINTS);
			while (code >= 0xD800 && code <= 0xDFFF);
			return put_char(code, out);
		case 4:					/* any byte */
			out[0] = (uint8_t) rng_below(rng, 256);
			return 1;
		default:				/* surrogates, and beyond the last */
			return put_char(rng_chance(rng, 50) ? 0xD800 + rng_below(rng, 0x800) :
							CODE_POINTS + rng_below(rng, 0x1000), out);
	}
}

static size_t
random_text(Rng *rng, uint8_t *text)
{
	uint32_t	style = rng_below(rng, 6);
	size_t		wanted = rng_below(rng, rng_chance(rng, 50) ? 40 : TEXT_MAX - 4);
	size_t		size = 0;

	while (size < wanted)
		size += (size_t) random_char(rng, style, text + size);
	/* now and then the last character is cut off */
	return rng_chance(rng, 50) ? wanted : size;
}

/* Folds text as the scanner does: chunk by chunk, carrying what is cut off. */
static size_t
fold_in_chunks(Rng *rng, uint32_t options, const uint8_t *text, size_t size,
			   uint8_t *out)
{
	size_t		in = 0;
	size_t		end = 0;
	size_t		written = 0;

	while (in < size || end < size)
	{
		uint8_t		one[AC_CHAR_MAX];
		size_t		consumed;
		size_t		length;

		end += rng_below(rng, 20);
		if (end > size)
			end = size;
		while (in < end)
		{
			consumed = acore_fold_run(options, text + in, end - in,
									  out + written);
			in += consumed;
			written += consumed;
			if (in == end)
				break;
			length = acore_fold_one(options, text + in, end - in, end == size,
									one, &consumed);
			if (length == 0)
				break;
			memcpy(out + written, one, length);
			in += consumed;
			written += length;
		}
	}
	return written;
}

typedef struct Failures
{
	uint32_t	fold;
	uint32_t	chunks;
	uint32_t	growth;
	uint32_t	chars;
	uint32_t	words;
	uint32_t	missing;
} Failures;

static void
check_words(uint32_t options, const uint8_t *text, size_t size,
			Failures *failures)
{
	size_t		pos;

	for (pos = 0; pos <= size; pos++)
	{
		size_t		low = pos > 2 ? pos - 2 : 0;

		failures->words += acore_word_at(options, text, pos, size) !=
			slow_word(options, text + pos, size - pos, 0);
		failures->words += acore_word_before(options, text, 0, pos) !=
			slow_word_before(options, text, 0, pos);
		failures->words += acore_word_before(options, text, low, pos) !=
			slow_word_before(options, text, low, pos);
	}
}

/* What completes a text that ends inside a character does so, nothing less. */
static void
check_missing(const uint8_t *text, size_t size, Failures *failures)
{
	uint8_t		one[AC_CHAR_MAX];
	size_t		consumed;
	size_t		missing = acore_utf8_missing(text, size);
	bool		waits = size > 0 && acore_fold_one(AC_FOLD_UNICODE, text, size,
												   false, one, &consumed) == 0;

	failures->missing += (missing > 0) != waits || missing > 3 ||
		(missing > 0 && missing + size > 4);
}

static void
check_text(Rng *rng, const uint8_t *text, size_t size, Failures *failures)
{
	static const uint32_t options[] = {0, AC_FOLD_ASCII, AC_FOLD_UNICODE};
	uint8_t		expected[2 * TEXT_MAX];
	uint8_t		got[2 * TEXT_MAX + 64];
	size_t		chars = 0;
	size_t		i;

	for (i = 0; i < 3; i++)
	{
		size_t		length = slow_fold(options[i], text, size, expected);

		failures->growth += length > AC_FOLD_GROWTH * size;
		failures->fold += acore_fold(options[i], text, size, got) != length ||
			memcmp(got, expected, length) != 0;
		failures->chunks +=
			fold_in_chunks(rng, options[i], text, size, got) != length ||
			memcmp(got, expected, length) != 0;
	}
	for (i = 0; i < size; i++)
		chars += text[i] < 0x80 || text[i] > 0xBF;
	failures->chars += acore_utf8_chars(text, size) != chars;
	check_words(0, text, size, failures);
	check_words(AC_WORDS_ASCII, text, size, failures);
	check_words(AC_WORDS_UNICODE, text, size, failures);
	for (i = 0; i < size; i++)
		check_missing(text + i, size - i, failures);
}

/* Texts end at the last byte of a page, behind which nothing can be read. */
static void
test_random(void)
{
	Rng			rng = {tap_seed()};
	uint64_t	rounds = tap_count(10000, 1000000);
	uint64_t	round;
	Failures	failures = {0};
	size_t		page = (size_t) sysconf(_SC_PAGESIZE);
	uint8_t	   *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
							 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED || mprotect(pages + page, page, PROT_NONE) != 0)
		tap_bail("cannot map a guarded page");
	for (round = 0; round < rounds; round++)
	{
		uint8_t		text[TEXT_MAX];
		size_t		size = random_text(&rng, text);
		uint8_t    *at_end = pages + page - size;

		memcpy(at_end, text, size);
		check_text(&rng, at_end, size, &failures);
	}
	munmap(pages, 2 * page);
	tap_ok(failures.fold == 0, "folding: as one character after the other");
	tap_ok(failures.chunks == 0, "folding: the same in any chunks");
	tap_ok(failures.growth == 0, "folding: no longer than the bound says");
	tap_ok(failures.chars == 0, "characters are counted exactly");
	tap_ok(failures.words == 0, "word boundaries: on either side of a place");
	tap_ok(failures.missing == 0, "a cut character waits for its rest");
}

/* The counter adds 255 vectors up before it empties its lanes. */
static void
test_long_count(void)
{
	size_t		size = 3 * 255 * 16 + 77;
	uint8_t    *text = malloc(size);
	size_t		wrong = 0;
	size_t		from;

	if (text == NULL)
		tap_bail("out of memory");
	memset(text, 'x', size);
	for (from = 0; from < size; from++)
		wrong += acore_utf8_chars(text + from, size - from) != size - from;
	memset(text, 0x80, size);
	wrong += acore_utf8_chars(text, size) != 0;
	free(text);
	tap_ok(wrong == 0, "long texts are counted exactly");
}

/* Every character that folds, alone and among ASCII, both ways. */
static void
test_every_char(void)
{
	uint32_t	code;
	uint32_t	wrong = 0;
	uint32_t	lengths = 0;

	for (code = 0; code < CODE_POINTS; code++)
	{
		uint8_t		text[40] = "0123456789ABCDEFGH";
		uint8_t		expected[80];
		uint8_t		got[80];
		size_t		size = 18;
		size_t		length;

		if (code >= 0xD800 && code <= 0xDFFF)
			continue;
		size += (size_t) put_char(code, text + size);
		memcpy(text + size, "XYZ", 3);
		size += 3;
		length = slow_fold(AC_FOLD_UNICODE, text, size, expected);
		lengths += length != size;
		wrong += acore_fold(AC_FOLD_UNICODE, text, size, got) != length ||
			memcmp(got, expected, length) != 0 ||
			acore_fold_run(AC_FOLD_UNICODE, text, size, got) !=
			(length == size ? size : 18) ||
			acore_utf8_chars(text, size) != 22;
	}
	tap_ok(wrong == 0, "every character folds among others");
	tap_ok(lengths == 34, "%" PRIu32 " foldings change the length", lengths);
}

int
main(int argc, char **argv)
{
	tap_start(argc, argv);
	test_database();
	test_digest();
	test_known_folds();
	test_known_words();
	test_every_char();
	test_long_count();
	test_random();
	return tap_finish();
}
