/*
 * worlds.c
 *		The worlds in which random tests draw rule sets and bodies.
 *
 * The letters are chosen where the rules are unusual: letters with three
 * spellings, folds that change the number of bytes in either direction,
 * characters that are no words although they are letters, bytes that begin
 * one character and end another.
 */
#include "worlds.h"

static const char *const folding[] = {
	"a", "A", "b", "B", "k", "K", "\xE2\x84\xAA",	/* KELVIN SIGN */
	"s", "S", "\xC5\xBF",		/* LONG S */
	"ß", "\xE1\xBA\x9E",		/* SHARP S, small and capital */
	"i", "I", "İ", "ı",
	"\xC3\xA5", "\xC3\x85", "\xE2\x84\xAB", /* A WITH RING, ANGSTROM SIGN */
	"σ", "ς", "Σ",
	"\xCD\x85", "\xCE\xB9", "\xE1\xBE\xBE",		/* iota, three ways */
	"\xC8\xBA", "\xE2\xB1\xA5", /* A WITH STROKE: 2 and 3 bytes */
	"\xF0\x90\x90\x80", "\xF0\x90\x90\xA8"	/* DESERET LONG I */
};

static const char *const words[] = {
	"a", "Z", "0", "_", " ", "-", ".", "\n",
	"\xC3\xA9", "\xCC\x81",		/* letter, mark */
	"\xE2\x80\xBF",				/* UNDERTIE, a connector */
	"\xE4\xB8\xAD", "\xE3\x81\x82", "\xE3\x83\xBC", /* Han, Hiragana, U+30FC */
	"\xE0\xB8\x81",				/* Thai */
	"\xD9\xA1",					/* ARABIC-INDIC DIGIT ONE */
	"\xF0\x9D\x94\xB8", "\xF0\x9F\x98\x80"	/* a letter, an emoji */
};

static const char *const many[] = {
	"e", "t", "a", "o", "i", "n", " ", "/", "\xC3\xA4", "\xD0\xB6", "\xE2\x82\xAC",
	"\xE4\xB8\xAD", "\xF0\x9F\x98\x80", "\xF0\x9F\x98\x81"
};

static const char *const euc[] = {
	"a", "B", "_", " ",
	"\xA4\xA2", "\xA2\xA4", "\xA4\xA4", "\xA2\xA2",
	"\x8E\xB1", "\x8F\xA2\xA4", "\x8F\xA4\xA4"
};

#define LETTERS(array) sizeof(array) / sizeof((array)[0]), array, 0

const World worlds[] = {
	{{"a", 1, NULL, 'a'}, 0, AC_ENC_BYTES},
	{{"ab", 2, NULL, 'a'}, 0, AC_ENC_BYTES},
	[WORLD_ABC] = {{"a to c", 3, NULL, 'a'}, 0, AC_ENC_UTF8},
	[WORLD_AZ] = {{"a to z", 26, NULL, 'a'}, 0, AC_ENC_UTF8},
	[WORLD_BYTES] = {{"all bytes", 256, NULL, 0}, AC_BYTEA, AC_ENC_BYTES},
	{{"bytes around 0", 2, NULL, 0}, AC_BYTEA, AC_ENC_BYTES},
	{{"high bytes", 3, NULL, 253}, AC_BYTEA, AC_ENC_BYTES},
	{{"A to z", 58, NULL, 'A'}, AC_FOLD_ASCII, AC_ENC_BYTES},
	[WORLD_BYTES_FOLD] = {{"@ to a", 34, NULL, '@'},
	AC_BYTEA | AC_FOLD_ASCII, AC_ENC_BYTES},
	{{"all bytes", 256, NULL, 0}, AC_BYTEA | AC_FOLD_ASCII, AC_ENC_BYTES},
	{{"Y to b", 10, NULL, 'Y'}, AC_WORDS_ASCII, AC_ENC_BYTES},
	{{"Y to b", 10, NULL, 'Y'}, AC_FOLD_ASCII | AC_WORDS_ASCII, AC_ENC_BYTES},
	{{"UTF-8", LETTERS(many)}, 0, AC_ENC_UTF8},
	{{"UTF-8 as bytes", LETTERS(many)}, 0, AC_ENC_BYTES},
	{{"UTF-8, ASCII folded", LETTERS(folding)}, AC_FOLD_ASCII, AC_ENC_UTF8},
	[WORLD_FOLD] = {{"folding letters", LETTERS(folding)},
	AC_FOLD_UNICODE, AC_ENC_UTF8},
	{{"folding letters", LETTERS(folding)}, AC_FOLD_UNICODE | AC_WORDS_UNICODE,
	AC_ENC_UTF8},
	[WORLD_WORDS] = {{"word letters", LETTERS(words)},
	AC_WORDS_UNICODE, AC_ENC_UTF8},
	{{"word letters", LETTERS(words)}, AC_FOLD_UNICODE | AC_WORDS_UNICODE,
	AC_ENC_UTF8},
	{{"EUC", LETTERS(euc)}, 0, AC_ENC_MULTIBYTE},
	{{"EUC", LETTERS(euc)}, AC_FOLD_ASCII, AC_ENC_MULTIBYTE},
	{{"EUC", LETTERS(euc)}, AC_FOLD_ASCII | AC_WORDS_ASCII, AC_ENC_MULTIBYTE}
};

const size_t world_count = sizeof(worlds) / sizeof(worlds[0]);

void
world_open(Subject *subject, const World *world, const RuleSet *set,
		   Rng *rng)
{
	subject_open(subject, &set->rules, rng_below(rng, 17));
	subject->encoding = world->encoding;
	if (world->encoding == AC_ENC_MULTIBYTE)
		subject->char_len = euc_char_len;
	subject->want_chars = rng_chance(rng, 80);
}
