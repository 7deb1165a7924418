/*
 * test_known.c
 *		Answers that are known without an oracle.
 *
 * The oracle could share a misunderstanding with the core; these cases were
 * written down by hand from the definition of the kinds and options.  Each
 * expects "start+length=entry" in characters, counted from 1 as users do, one
 * for each span, in the order in which the core gives them.
 */
#include <stdio.h>
#include <string.h>

#include "subject.h"
#include "tap.h"

#define ALL AC_ALL
#define LONGEST AC_LEFTMOST_LONGEST
#define FIRST AC_LEFTMOST_FIRST
#define FOLD AC_FOLD_UNICODE
#define WORDS AC_WORDS_UNICODE

typedef struct Known
{
	AcKind		kind;
	uint32_t	options;
	const char *patterns[9];
	const char *text;
	const char *expected;
} Known;

static const Known known[] = {
	/* overlaps, in the order of their ends, longest first */
	{ALL, 0, {"he", "she", "his", "hers"}, "ushers", "2+3=2 3+2=1 3+4=4"},
	{ALL, 0, {"/bin/bash", "bin/bash", "bin", "/bin", "/bash", "bash", "in",
	"in/ba"}, "test/bin/bash/test",
	"5+4=4 6+3=3 7+2=7 7+5=8 5+9=1 6+8=2 9+5=5 10+4=6"},
	{ALL, 0, {"aa"}, "aaaa", "1+2=1 2+2=1 3+2=1"},
	{ALL, 0, {"shefg", "hefg", "efg", "fg"}, "shefge",
	"1+5=1 2+4=2 3+3=3 4+2=4"},
	{ALL, 0, {"cd", "d", "abce"}, "abcd", "3+2=1 4+1=2"},
	{ALL, 0, {".com.au", ".com"}, "www.yahoo.com", "10+4=2"},
	{ALL, 0, {"a"}, "", ""},
	{ALL, 0, {NULL}, "anything", ""},
	{ALL, 0, {"foo", "foo"}, "foobarfoo", "1+3=1 7+3=1"},

	/* the leftmost kinds, and what a longer candidate that fails leaves */
	{LONGEST, 0, {"b", "c", "abd"}, "abc", "2+1=1 3+1=2"},
	{LONGEST, 0, {"bc", "abcdefg"}, "abcdef", "2+2=1"},
	{LONGEST, 0, {"abcdx", "bcdy", "cdz", "d"}, "abcd", "4+1=4"},
	{LONGEST, 0, {"abcde", "bcdx", "cd"}, "abcdzabcde", "3+2=3 6+5=1"},
	{LONGEST, 0, {"abcd", "b", "bce"}, "abce", "2+3=3"},
	{FIRST, 0, {"abcd", "b", "bce"}, "abce", "2+1=2"},
	{FIRST, 0, {"ab", "a", "abc"}, "abc", "1+2=1"},
	{FIRST, 0, {"b", "abc", "abcd"}, "abcd", "1+3=2"},
	{LONGEST, 0, {"b", "abc", "abcd"}, "abcd", "1+4=3"},
	{LONGEST, 0, {"aa", "a"}, "aaaaa", "1+2=1 3+2=1 5+1=2"},
	{FIRST, 0, {"Antibiotik", "Antibiotika"}, "wirksamer Antibiotika",
	"11+10=1"},
	{FIRST, 0, {"Antibiotika", "Antibiotik"}, "wirksamer Antibiotika",
	"11+11=1"},
	{LONGEST, 0, {"foo", "foo"}, "foobarfoo", "1+3=1 7+3=1"},

	/* positions are characters */
	{ALL, 0, {"知识产权", "国家知识产权局"}, "国家知识产权", "3+4=1"},
	{ALL, 0, {"🖕"}, "x🖕y", "2+1=1"},
	{ALL, 0, {"мир", "вст", "авст"}, "Здравствуй, мир",
	"4+4=3 5+3=2 13+3=1"},
	{ALL, 0, {"i\xCC\x87"}, "Deniz \xC3\x87" "eli\xCC\x87k", "10+2=1"},
	{ALL, 0, {"\xC3\xA9"}, "e\xCC\x81", ""},

	/* simple case folding: one character for one */
	{ALL, FOLD, {"abc", "def", "abcdef"}, "ABCDEF", "1+3=1 1+6=3 4+3=2"},
	{ALL, FOLD, {"ß"}, "Maß ẞ ss", "3+1=1 5+1=1"},
	{ALL, FOLD, {"300 k"}, "300 K; 300 \xE2\x84\xAA", "1+5=1 8+5=1"},
	{ALL, FOLD, {"300 \xE2\x84\xAA"}, "300 K; 300 k", "1+5=1 8+5=1"},
	{ALL, FOLD, {"Bay Area"}, "İ I love Apple and bAY aREA.", "20+8=1"},
	{ALL, FOLD, {"i"}, "İIıi", "2+1=1 4+1=1"},
	{ALL, FOLD, {"İ"}, "İIıi", "1+1=1"},
	{ALL, FOLD, {"S", "s"}, "\xC5\xBFtraSSe", "1+1=1 5+1=1 6+1=1"},
	{ALL, FOLD, {"ΣΑΣ"}, "σας σασ", "1+3=1 5+3=1"},
	{ALL, FOLD, {"ΐ"}, "\xE1\xBF\x93\xCE\x90", "2+1=1"},
	{ALL, AC_FOLD_ASCII, {"Äb"}, "äB ÄB", "4+2=1"},

	/* whole words */
	{LONGEST, WORDS, {"ABC", "ABC DEF", "ABC GHI"}, "ABC DEF and ABC GHI",
	"1+7=2 13+7=3"},
	{LONGEST, WORDS, {"phonebook", "the phone"}, "I'll look into the phonebook",
	"20+9=1"},
	{ALL, WORDS, {"python prog"}, "i like python programming", ""},
	{ALL, WORDS, {"ck", "üü"}, "frühstück äck öck ßck ack", ""},
	{ALL, FOLD | WORDS, {".env"}, "test.Enviro", ""},
	{ALL, FOLD | WORDS, {".env"}, "GET /app/.env?x", "10+4=1"},
	{ALL, WORDS, {"C++"}, "C++11 C++", "1+3=1 7+3=1"},
	{ALL, WORDS, {"地中海贫血"}, "地中海贫血2", "1+5=1"},
	{ALL, WORDS, {"头疼", "头晕"}, "头疼头晕", "1+2=1 3+2=2"},
	{ALL, FOLD | WORDS, {"this"}, "LİKE THIS", "6+4=1"},
	{ALL, AC_WORDS_ASCII, {"ck"}, "äck xck _ck ck", "2+2=1 13+2=1"},
	{FIRST, WORDS, {"ab", "abc"}, "abc ab", "1+3=2 5+2=1"},
	{LONGEST, WORDS, {"ab c", "ab"}, "ab cd", "1+2=2"}
};

/* Writes what was found as the table above has it. */
static void
describe(const Subject *subject, int twin, char *out, size_t room)
{
	size_t		used = 0;
	size_t		i;

	out[0] = '\0';
	for (i = 0; i < subject->found.count && used + 80 < room; i++)
	{
		const AcMatch *match = &subject->found.items[i];

		used += (size_t) snprintf(out + used, room - used, "%s%zu+%zu=%u",
								  i > 0 ? " " : "", match->char_start + 1,
								  match->char_len,
								  acore_key_first(&subject->automaton[twin],
												  match->key) + 1);
	}
}

static void
check(const Known *want, RuleSet *set)
{
	const uint8_t *body = (const uint8_t *) want->text;
	size_t		size = strlen(want->text);
	Subject		subject;
	Rng			rng = {tap_seed()};
	char		got[2000];
	bool		good = true;
	int			twin;
	int			i;

	ruleset_clear(set, want->options);
	for (i = 0; want->patterns[i] != NULL; i++)
		ruleset_add_text(set, want->patterns[i]);
	subject_open(&subject, &set->rules, 1);
	subject.encoding = AC_ENC_UTF8;
	for (twin = 0; twin < TWINS; twin++)
	{
		AcScanner  *scanner = subject_scanner(&subject, twin, want->kind);

		good = scan_whole(scanner, body, size, &subject.found) == AC_DONE &&
			good;
		describe(&subject, twin, got, sizeof(got));
		if (strcmp(got, want->expected) == 0)
			continue;
		good = false;
		tap_note("expected \"%s\", got \"%s\"", want->expected, got);
	}
	if (good)
		good = subject_agrees(&subject, &rng, want->kind, body, size) &&
			subject_agrees_cut(&subject, want->kind, body, size);
	good = subject_close(&subject) && good;
	tap_ok(good, "%s%s%s: %s in \"%s\"", kind_name(want->kind),
		   want->options & AC_FOLD_MASK ? ", ignore case" : "",
		   want->options & AC_WORDS_MASK ? ", whole words" : "",
		   want->patterns[0] != NULL ? want->patterns[0] : "nothing",
		   want->text);
}

int
main(int argc, char **argv)
{
	RuleSet		set;
	size_t		i;

	tap_start(argc, argv);
	tap_ok(test_host_sound(), "the checksum and the digest of the host");
	ruleset_init(&set, 0);
	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		check(&known[i], &set);
	ruleset_free(&set);
	return tap_finish();
}
