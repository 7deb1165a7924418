/*
 * oracle.c
 *		All matches of a rule set in a body, by brute force.
 *
 * The oracle says what the answers have to be.  It is slow on purpose: each
 * entry is compared at each position, each position in characters is counted
 * from the beginning of the body, and the leftmost kinds are searched by their
 * definition.  It shares nothing with the core but the tables of characters
 * (acore_fold_char, acore_word_char), which are tested elsewhere.
 *
 *		candidates:	spans [start, end) where an entry stands, whole words only
 *					if the options say so; a span once, with its first entry
 *		all:		the candidates by end, then longest first
 *		leftmost:	the candidates of the first position that has any; of
 *					these the longest, or the one of the first entry; on from
 *					its end
 *
 * Example: {ab, abc, bc} in "xabc": candidates [1,3) [1,4) [2,4).  All: in the
 * order [1,3) [1,4) [2,4).  Leftmost-longest: [1,4); leftmost-first: [1,3).
 */
#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "oracle.h"
#include "ruleset.h"

typedef struct Body
{
	const AcRules *rules;
	AcEncoding	encoding;
	int			(*char_len) (const uint8_t *text);
	const uint8_t *text;
	size_t		size;
	bool	   *boundary;		/* whether a character starts here */
} Body;

/* Decodes one valid UTF-8 character. */
static uint32_t
decode(const uint8_t *at, size_t *size)
{
	uint32_t	c = at[0];

	if (c < 0x80)
	{
		*size = 1;
		return c;
	}
	if (c < 0xE0)
	{
		*size = 2;
		return ((c & 0x1F) << 6) | (at[1] & 0x3F);
	}
	if (c < 0xF0)
	{
		*size = 3;
		return ((c & 0x0F) << 12) | ((uint32_t) (at[1] & 0x3F) << 6) |
			(at[2] & 0x3F);
	}
	*size = 4;
	return ((c & 0x07) << 18) | ((uint32_t) (at[1] & 0x3F) << 12) |
		((uint32_t) (at[2] & 0x3F) << 6) | (at[3] & 0x3F);
}

static uint8_t
ascii_lower(uint8_t c)
{
	return c >= 'A' && c <= 'Z' ? (uint8_t) (c + ('a' - 'A')) : c;
}

static bool
ascii_word(uint8_t c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
		(c >= 'a' && c <= 'z') || c == '_';
}

static void
mark_boundaries(Body *body)
{
	size_t		i;

	body->boundary = test_malloc(body->size + 1);
	for (i = 0; i < body->size; i++)
		body->boundary[i] = body->encoding == AC_ENC_BYTES ||
			(body->encoding == AC_ENC_UTF8 && (body->text[i] & 0xC0) != 0x80);
	body->boundary[body->size] = true;
	if (body->encoding == AC_ENC_MULTIBYTE)
		for (i = 0; i < body->size;)
		{
			body->boundary[i] = true;
			i += body->text[i] < 0x80 ? 1 : (size_t) body->char_len(body->text + i);
		}
}

/* Whether a pattern stands at start: then *end is set. */
static bool
stands(const Body *body, AcSpan pattern, size_t start, size_t *end)
{
	uint32_t	options = body->rules->options;
	const uint8_t *p = pattern.data;
	const uint8_t *p_end = p + pattern.size;
	size_t		at = start;

	if ((options & AC_FOLD_UNICODE) != 0)
	{
		if (!body->boundary[start])
			return false;
		while (p < p_end && at < body->size)
		{
			size_t		p_size;
			size_t		t_size;
			uint32_t	pc = acore_fold_char(decode(p, &p_size));
			uint32_t	tc = acore_fold_char(decode(body->text + at, &t_size));

			if (pc != tc)
				return false;
			p += p_size;
			at += t_size;
		}
		*end = at;
		return p == p_end;
	}
	if (pattern.size > body->size - start)
		return false;
	*end = start + pattern.size;
	if ((options & AC_FOLD_ASCII) == 0)
		return memcmp(p, body->text + start, pattern.size) == 0;
	for (; p < p_end; p++, at++)
		if (ascii_lower(*p) != ascii_lower(body->text[at]))
			return false;
	return true;
}

static bool
unicode_words(const Body *body, size_t start, size_t end)
{
	const uint8_t *text = body->text;
	size_t		before = start;
	size_t		last = end;
	size_t		ignore;

	while (before > 0 && !body->boundary[--before])
		;
	while (last > 0 && !body->boundary[--last])
		;
	if (start > 0 && acore_word_char(decode(text + start, &ignore)) &&
		acore_word_char(decode(text + before, &ignore)))
		return false;
	return end == body->size ||
		!acore_word_char(decode(text + last, &ignore)) ||
		!acore_word_char(decode(text + end, &ignore));
}

/* Whether a span may be a match by the rule of whole words. */
static bool
whole_words(const Body *body, size_t start, size_t end)
{
	const uint8_t *text = body->text;

	if ((body->rules->options & AC_WORDS_UNICODE) != 0)
		return unicode_words(body, start, end);
	if ((body->rules->options & AC_WORDS_ASCII) == 0)
		return true;
	if (start > 0 && ascii_word(text[start]) && ascii_word(text[start - 1]))
		return false;
	return end == body->size || !ascii_word(text[end - 1]) ||
		!ascii_word(text[end]);
}

static OracleMatch *
add(OracleList *list)
{
	if (list->count == list->room)
	{
		list->room = list->room > 0 ? 2 * list->room : 64;
		list->items = test_grow(list->items,
								list->room * sizeof(OracleMatch));
	}
	memset(&list->items[list->count], 0, sizeof(OracleMatch));
	return &list->items[list->count++];
}

static size_t
count_chars(const Body *body, size_t from, size_t to)
{
	size_t		n = 0;

	for (; from < to; from++)
		n += body->boundary[from];
	return n;
}

/* Appends the candidates that start at "start", each span once. */
static void
candidates(const Body *body, size_t start, OracleList *list)
{
	size_t		first = list->count;
	uint32_t	entry;

	if (body->encoding == AC_ENC_MULTIBYTE && !body->boundary[start])
		return;
	for (entry = 0; entry < body->rules->count; entry++)
	{
		size_t		end;
		size_t		i = first;
		OracleMatch *match;

		if (!stands(body, ruleset_pattern(body->rules, entry), start, &end) ||
			!whole_words(body, start, end))
			continue;
		while (i < list->count && list->items[i].end != end)
			i++;
		if (i < list->count)
			continue;
		match = add(list);
		match->start = start;
		match->end = end;
		match->entry = entry;
	}
}

static int
by_end(const void *a, const void *b)
{
	const OracleMatch *x = a;
	const OracleMatch *y = b;

	if (x->end != y->end)
		return x->end < y->end ? -1 : 1;
	return x->start < y->start ? -1 : x->start > y->start;
}

/* Keeps the winner of the candidates from "first" on; answers its end. */
static size_t
winner(OracleList *list, size_t first, AcKind kind)
{
	OracleMatch best = list->items[first];
	size_t		i;

	for (i = first + 1; i < list->count; i++)
		if (kind == AC_LEFTMOST_LONGEST
			? list->items[i].end > best.end
			: list->items[i].entry < best.entry)
			best = list->items[i];
	list->items[first] = best;
	list->count = first + 1;
	return best.end;
}

void
oracle_scan(const AcRules *rules, AcKind kind, AcEncoding encoding,
			int (*char_len) (const uint8_t *text),
			const uint8_t *text, size_t size, OracleList *list)
{
	Body		body = {rules, encoding, char_len, text, size, NULL};
	size_t		start = 0;
	size_t		i;

	mark_boundaries(&body);
	list->count = 0;
	while (start < size)
	{
		size_t		first = list->count;

		candidates(&body, start, list);
		if (kind != AC_ALL && list->count > first)
			start = winner(list, first, kind);
		else
			start++;
	}
	if (kind == AC_ALL && list->count > 1)
		qsort(list->items, list->count, sizeof(OracleMatch), by_end);
	for (i = 0; i < list->count; i++)
	{
		OracleMatch *match = &list->items[i];

		match->char_start = count_chars(&body, 0, match->start);
		match->char_len = count_chars(&body, match->start, match->end);
	}
	free(body.boundary);
}

void
oracle_free(OracleList *list)
{
	free(list->items);
	memset(list, 0, sizeof(*list));
}

static int
by_bytes(const void *a, const void *b)
{
	const AcSpan *x = a;
	const AcSpan *y = b;
	size_t		common = x->size < y->size ? x->size : y->size;
	int			order = memcmp(x->data, y->data, common);

	if (order != 0)
		return order;
	return x->size < y->size ? -1 : x->size > y->size;
}

uint32_t
oracle_states(const AcRules *rules)
{
	size_t		room = (size_t) rules->offsets[rules->count] * AC_FOLD_GROWTH;
	uint8_t    *folded = test_malloc(room);
	AcSpan	   *span = test_malloc(rules->count * sizeof(AcSpan));
	uint32_t	states = 1;
	size_t		used = 0;
	uint32_t	i;

	for (i = 0; i < rules->count; i++)
	{
		span[i].data = folded + used;
		span[i].size = ruleset_folded(rules, i, folded + used);
		used += span[i].size;
	}
	if (rules->count > 1)
		qsort(span, rules->count, sizeof(AcSpan), by_bytes);
	for (i = 0; i < rules->count; i++)
	{
		const uint8_t *a = span[i].data;
		size_t		common = 0;

		if (i > 0)
		{
			const uint8_t *b = span[i - 1].data;

			while (common < span[i].size && common < span[i - 1].size &&
				   a[common] == b[common])
				common++;
		}
		states += (uint32_t) (span[i].size - common);
	}
	free(span);
	free(folded);
	return states;
}
