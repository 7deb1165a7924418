/*
 * test_exhaustive.c
 *		Every set of up to three patterns of up to four letters over {a,b},
 *		against every text of up to eight letters, by every kind.
 *
 * Most mistakes in failure links, output links and ties show up in automata
 * that small.  The order of the patterns decides nothing but leftmost-first:
 * the quick mode gives each set in one of its orders, the long mode gives
 * leftmost-first all of them.
 *
 *		words	30 (2 + 4 + 8 + 16)
 *		sets	1 + 30 + 435 + 4,060
 *		texts	511 (1 + 2 + 4 + … + 256)
 */
#include <stdlib.h>
#include <string.h>

#include "subject.h"
#include "tap.h"

#define MAX_WORD 4
#define MAX_TEXT 8
#define WORDS 30
#define TEXTS 511

/* The six orders of three, which begin with the orders of two and of one. */
static const uint8_t orders[6][3] = {
	{0, 1, 2}, {1, 0, 2}, {0, 2, 1}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}
};
static const int norders[4] = {1, 1, 2, 6};

typedef struct Word
{
	uint8_t		letters[MAX_TEXT];
	size_t		size;
} Word;

static Word texts[TEXTS];		/* by size: texts[1 ..] begin with the words */

static void
make_texts(void)
{
	size_t		size;
	size_t		n = 0;

	for (size = 0; size <= MAX_TEXT; size++)
	{
		uint32_t	bits;

		for (bits = 0; bits < 1u << size; bits++, n++)
		{
			size_t		i;

			texts[n].size = size;
			for (i = 0; i < size; i++)
				texts[n].letters[i] = (uint8_t) ('a' + ((bits >> i) & 1));
		}
	}
}

/* All texts against a set of words in one order. */
static bool
check_order(RuleSet *set, const Word *const *words, int count, int order,
			bool first_only)
{
	Subject		subject;
	bool		good = true;
	int			kind;
	size_t		i;

	ruleset_clear(set, 0);
	for (i = 0; i < (size_t) count; i++)
	{
		const Word *word = words[orders[order][i]];

		ruleset_add(set, word->letters, word->size);
	}
	subject_open(&subject, &set->rules, (size_t) order);
	for (kind = first_only ? AC_LEFTMOST_FIRST : AC_ALL;
		 good && kind <= AC_LEFTMOST_FIRST; kind++)
		for (i = 0; good && i < TEXTS; i++)
			good = subject_agrees_quick(&subject, (AcKind) kind,
										texts[i].letters, texts[i].size);
	return subject_close(&subject) && good;
}

static bool
check_set(RuleSet *set, const Word *const *words, int count, uint32_t number)
{
	int			n = norders[count];
	int			order;

	if (!tap_long())
		return check_order(set, words, count, (int) (number % (uint32_t) n),
						   false);
	for (order = 0; order < n; order++)
		if (!check_order(set, words, count, order, order > 0))
			return false;
	return true;
}

int
main(int argc, char **argv)
{
	RuleSet		set;
	const Word *words[3] = {NULL, NULL, NULL};
	uint32_t	number = 0;
	uint32_t	checked = 0;
	uint32_t	bad = 0;
	size_t		a,
				b,
				c;

	tap_start(argc, argv);
	make_texts();
	ruleset_init(&set, 0);
	/* index WORDS + 1 stands for "no word" */
	for (a = 1; a <= WORDS + 1 && bad < 5; a++)
		for (b = a <= WORDS ? a + 1 : a; b <= WORDS + 1 && bad < 5; b++)
			for (c = b <= WORDS ? b + 1 : b; c <= WORDS + 1 && bad < 5; c++)
			{
				int			count = (a <= WORDS) + (b <= WORDS) + (c <= WORDS);

				/* every N-th set from a start that the seed chooses */
				if ((number++ + tap_seed()) % tap_share() != 0)
					continue;
				words[0] = &texts[a];
				words[1] = &texts[b];
				words[2] = &texts[c];
				checked++;
				if (!check_set(&set, words, count, number))
					bad++;
			}
	ruleset_free(&set);
	tap_ok(bad == 0, "%u of %u sets of up to 3 words agree with the oracle in "
		   "all %d texts", checked - bad, checked, TEXTS);
	if (bad == 0)
		tap_ok(number == 1 + 30 + 435 + 4060, "%u sets were numbered", number);
	return tap_finish();
}
