/*
 * subject.c
 *		What is tested: a rule set built, opened twice (in place and
 *		accelerated) and compared with the oracle.
 *
 * Each body is scanned in several settings: at either edge of readable memory
 * (edge.h), and in pieces, each a block of its own that dies when it was left,
 * since a resumed scan likes to forget a little.
 *
 * The scanners are made once and used for all bodies, and now and then a scan
 * is given up half way, so that what an earlier body left behind would show.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "edge.h"
#include "subject.h"

#define MAX_CUTS 64

const char *
kind_name(AcKind kind)
{
	return kind == AC_ALL ? "all" :
		kind == AC_LEFTMOST_LONGEST ? "leftmost-longest" : "leftmost-first";
}

int
euc_char_len(const uint8_t *text)
{
	return *text < 0x80 ? 1 : *text == 0x8F ? 3 : 2;
}

void
subject_open(Subject *subject, const AcRules *rules, size_t prefix)
{
	AcStatus	status;
	int			twin;

	memset(subject, 0, sizeof(*subject));
	test_host_init(&subject->host);
	subject->rules = rules;
	subject->prefix = prefix;
	subject->want_chars = true;
	if ((rules->options & (AC_FOLD_UNICODE | AC_WORDS_UNICODE)) != 0)
		subject->encoding = AC_ENC_UTF8;
	status = acore_build(rules, &subject->host.host, prefix, SUBJECT_LIMIT,
						 &subject->block, &subject->image_size);
	if (status != AC_OK)
	{
		print_case(rules, NULL, 0);
		tap_bail("could not build: %d", (int) status);
	}
	for (twin = 0; twin < TWINS; twin++)
	{
		AcAutomaton *automaton = &subject->automaton[twin];

		status = acore_open(subject->block + prefix, subject->image_size,
							&subject->host.host, automaton);
		if (status == AC_OK && twin == FAST)
			status = acore_accelerate(automaton);
		if (status != AC_OK)
			tap_bail("could not open: %d", (int) status);
	}
}

bool
subject_close(Subject *subject)
{
	int			twin;
	int			kind;

	for (twin = 0; twin < TWINS; twin++)
	{
		for (kind = 0; kind < 3; kind++)
			if (subject->scanner[twin][kind] != NULL)
				acore_scanner_free(subject->scanner[twin][kind]);
		acore_close(&subject->automaton[twin]);
	}
	subject->host.host.release(subject->host.host.context, subject->block,
							   subject->prefix + subject->image_size);
	free(subject->found.items);
	oracle_free(&subject->expected);
	if (subject->host.current != 0)
		tap_note("leaked %zu bytes", subject->host.current);
	return subject->host.current == 0 && subject->host.faults == 0;
}

AcScanner *
subject_scanner(Subject *subject, int twin, AcKind kind)
{
	AcScanner **scanner = &subject->scanner[twin][kind];

	if (*scanner == NULL &&
		acore_scanner_create(&subject->automaton[twin], kind,
							 subject->encoding, subject->want_chars,
							 subject->char_len, scanner) != AC_OK)
		tap_bail("could not make a scanner");
	return *scanner;
}

static void
keep(MatchList *found, const AcMatch *match)
{
	if (found->count == found->room)
	{
		found->room = found->room > 0 ? 2 * found->room : 64;
		found->items = test_grow(found->items, found->room * sizeof(AcMatch));
	}
	found->items[found->count++] = *match;
}

/* Takes matches until the scanner asks for more, is done or fails. */
static AcStatus
take(AcScanner *scanner, MatchList *found)
{
	AcStatus	status;
	AcMatch		match;

	memset(&match, 0xEE, sizeof(match));
	while ((status = acore_scan_next(scanner, &match)) == AC_MATCH)
		keep(found, &match);
	return status;
}

AcStatus
scan_whole(AcScanner *scanner, const uint8_t *body, size_t size,
		   MatchList *found)
{
	found->count = 0;
	acore_scan_start(scanner);
	acore_scan_feed(scanner, body, size, true);
	return take(scanner, found);
}

AcStatus
scan_pieces(AcScanner *scanner, const uint8_t *body, size_t size,
			const size_t *cuts, size_t ncuts, MatchList *found)
{
	AcStatus	status = AC_MORE;
	size_t		from = 0;
	size_t		i;

	found->count = 0;
	acore_scan_start(scanner);
	for (i = 0; i <= ncuts && status == AC_MORE; i++)
	{
		size_t		to = i < ncuts ? cuts[i] : size;
		size_t		history = acore_scan_history(scanner);
		uint8_t    *copy;

		if (history > from)
			history = from;
		copy = test_malloc(history + to - from);
		memcpy(copy, body + from - history, history + to - from);
		acore_scan_feed(scanner, copy + history, to - from, i == ncuts);
		status = take(scanner, found);
		memset(copy, 0xDD, history + to - from);
		free(copy);
		from = to;
	}
	/* an end before the last piece must not pass for an end */
	return i <= ncuts && status == AC_DONE ? AC_MORE : status;
}

static void
print_bytes(const uint8_t *bytes, size_t size)
{
	bool		hex = false;
	size_t		i;

	putchar('"');
	for (i = 0; i < size; i++)
	{
		uint8_t		c = bytes[i];

		/* a hex escape swallows hex digits behind it */
		if (hex && ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') ||
					(c >= 'A' && c <= 'F')))
			printf("\"\"");
		hex = c < ' ' || c > '~';
		if (hex)
			printf("\\x%02X", c);
		else if (c == '"' || c == '\\')
			printf("\\%c", c);
		else
			putchar(c);
	}
	putchar('"');
}

void
print_case(const AcRules *rules, const uint8_t *body, size_t size)
{
	uint32_t	i;

	printf("#   options 0x%02X, patterns", rules->options);
	for (i = 0; i < rules->count && i < 100; i++)
	{
		AcSpan		pattern = ruleset_pattern(rules, i);

		putchar(' ');
		print_bytes(pattern.data, pattern.size);
		if (rules->ids != NULL)
			printf("=%" PRId64, rules->ids[i]);
	}
	if (i < rules->count)
		printf(" … (%u)", rules->count);
	printf("\n#   body (%zu) ", size);
	print_bytes(body, size < 4000 ? size : 4000);
	putchar('\n');
}

static void
print_difference(Subject *subject, size_t at)
{
	const OracleList *expected = &subject->expected;
	const MatchList *found = &subject->found;

	tap_note("  %zu matches, expected %zu; the first that differs is %zu",
			 found->count, expected->count, at);
	if (at < expected->count)
		tap_note("  expected [%zu,%zu) chars %zu+%zu entry %u",
				 expected->items[at].start, expected->items[at].end,
				 expected->items[at].char_start, expected->items[at].char_len,
				 expected->items[at].entry);
	if (at < found->count)
		tap_note("  found    [%zu,%zu) chars %zu+%zu key %u",
				 found->items[at].start, found->items[at].end,
				 found->items[at].char_start, found->items[at].char_len,
				 found->items[at].key);
}

static bool
same_match(const Subject *subject, const AcAutomaton *automaton,
		   const AcMatch *match, const OracleMatch *expected)
{
	if (match->start != expected->start || match->end != expected->end ||
		acore_key_first(automaton, match->key) != expected->entry)
		return false;
	return !subject->want_chars ||
		(match->char_start == expected->char_start &&
		 match->char_len == expected->char_len);
}

/* Whether the matches found are the expected ones; prints it if not. */
static bool
same_matches(Subject *subject, int twin, AcKind kind, AcStatus status,
			 const char *setting, const uint8_t *body, size_t size)
{
	const OracleList *expected = &subject->expected;
	const MatchList *found = &subject->found;
	size_t		i = 0;

	while (i < found->count && i < expected->count &&
		   same_match(subject, &subject->automaton[twin], &found->items[i],
					  &expected->items[i]))
		i++;
	if (status == AC_DONE && i == found->count && i == expected->count)
		return true;
	tap_note("%s, %s, %s: status %d", twin == PLAIN ? "in place" :
			 "accelerated", kind_name(kind), setting, (int) status);
	print_difference(subject, i);
	print_case(subject->rules, body, size);
	return false;
}

static void
ask_oracle(Subject *subject, AcKind kind, const uint8_t *body, size_t size)
{
	oracle_scan(subject->rules, kind, subject->encoding, subject->char_len,
				body, size, &subject->expected);
}

bool
subject_agrees_quick(Subject *subject, AcKind kind, const uint8_t *body,
					 size_t size)
{
	int			twin;

	ask_oracle(subject, kind, body, size);
	for (twin = 0; twin < TWINS; twin++)
	{
		AcScanner  *scanner = subject_scanner(subject, twin, kind);
		AcStatus	status = scan_whole(scanner, body, size, &subject->found);

		if (!same_matches(subject, twin, kind, status, "whole", body, size))
			return false;
	}
	return true;
}

/* Random cuts in ascending order; some of them equal. */
static size_t
random_cuts(Rng *rng, size_t size, size_t *cuts)
{
	size_t		ncuts = rng_below(rng, rng_chance(rng, 50) ? 4 : MAX_CUTS);
	size_t		at = 0;
	size_t		n = 0;

	while (n < ncuts)
	{
		at += rng_below(rng, rng_chance(rng, 70) ? 6 : (uint32_t) size + 1);
		if (at > size)
			break;
		cuts[n++] = at;
	}
	return n;
}

static bool
agrees_in_pieces(Subject *subject, Rng *rng, int twin, AcKind kind,
				 const uint8_t *body, size_t size)
{
	size_t		cuts[MAX_CUTS] = {0};
	size_t		ncuts = random_cuts(rng, size, cuts);
	AcStatus	status;
	size_t		i;

	status = scan_pieces(subject_scanner(subject, twin, kind), body, size,
						 cuts, ncuts, &subject->found);
	if (same_matches(subject, twin, kind, status, "in pieces", body, size))
		return true;
	printf("#   cuts");
	for (i = 0; i < ncuts; i++)
		printf(" %zu", cuts[i]);
	putchar('\n');
	return false;
}

/* Leaves a scan in the middle, as a caller that needs one match does. */
static void
give_up(AcScanner *scanner, Rng *rng, const uint8_t *body, size_t size)
{
	AcMatch		match;
	uint32_t	left = rng_below(rng, 5);

	acore_scan_start(scanner);
	acore_scan_feed(scanner, body, size, rng_chance(rng, 50));
	while (left-- > 0 && acore_scan_next(scanner, &match) == AC_MATCH)
		;
}

bool
subject_agrees(Subject *subject, Rng *rng, AcKind kind, const uint8_t *body,
			   size_t size)
{
	int			twin;

	ask_oracle(subject, kind, body, size);
	for (twin = 0; twin < TWINS; twin++)
	{
		AcScanner  *scanner = subject_scanner(subject, twin, kind);
		AcStatus	status;

		status = scan_whole(scanner, edge_end(body, size), size,
							&subject->found);
		if (!same_matches(subject, twin, kind, status, "at the end of a page",
						  body, size))
			return false;
		if (rng_chance(rng, 25))
			give_up(scanner, rng, body, size);
		status = scan_whole(scanner, edge_start(body, size), size,
							&subject->found);
		if (!same_matches(subject, twin, kind, status,
						  "at the start of a page", body, size) ||
			!agrees_in_pieces(subject, rng, twin, kind, body, size))
			return false;
	}
	return true;
}

bool
subject_agrees_cut(Subject *subject, AcKind kind, const uint8_t *body,
				   size_t size)
{
	size_t	   *cuts = test_malloc((size + 1) * sizeof(size_t));
	bool		good = true;
	int			twin;
	size_t		i;

	ask_oracle(subject, kind, body, size);
	for (twin = 0; twin < TWINS && good; twin++)
	{
		AcScanner  *scanner = subject_scanner(subject, twin, kind);
		AcStatus	status;

		for (i = 0; i <= size && good; i++)
		{
			cuts[0] = i;
			status = scan_pieces(scanner, body, size, cuts, 1,
								 &subject->found);
			good = same_matches(subject, twin, kind, status, "cut in two",
								body, size);
			if (!good)
				tap_note("  cut at %zu", i);
		}
		for (i = 0; i <= size; i++)
			cuts[i] = i;
		status = scan_pieces(scanner, body, size, cuts, size + 1,
							 &subject->found);
		good = good && same_matches(subject, twin, kind, status,
									"byte by byte", body, size);
	}
	free(cuts);
	return good;
}
