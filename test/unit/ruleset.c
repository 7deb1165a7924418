/*
 * ruleset.c
 *		Rule sets that tests make: grown entry by entry, or at random.
 *
 * Random rule sets must be nasty, not typical.  Patterns drawn independently
 * hardly ever contain one another, so that failure links, output links and
 * ties would go untested.  Therefore half of the patterns are cut from,
 * spliced from or grown onto earlier ones, and texts are mostly pieces of
 * patterns that are broken off somewhere.
 */
#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "ruleset.h"

void
ruleset_init(RuleSet *set, uint32_t options)
{
	memset(set, 0, sizeof(*set));
	ruleset_clear(set, options);
}

void
ruleset_clear(RuleSet *set, uint32_t options)
{
	if (set->entry_room == 0)
	{
		set->entry_room = 16;
		set->offsets = test_malloc((16 + 1) * sizeof(uint64_t));
		set->ids = test_malloc(16 * sizeof(int64_t));
		set->pool_room = 64;
		set->pool = test_malloc(64);
	}
	set->offsets[0] = 0;
	set->rules.count = 0;
	set->rules.options = options;
	set->rules.pool = set->pool;
	set->rules.offsets = set->offsets;
	set->rules.ids = NULL;
}

void
ruleset_free(RuleSet *set)
{
	free(set->pool);
	free(set->offsets);
	free(set->ids);
	memset(set, 0, sizeof(*set));
}

static void
append(RuleSet *set, const void *pattern, size_t size, int64_t id)
{
	uint32_t	n = set->rules.count;
	size_t		used = (size_t) set->offsets[n];
	size_t		room = set->pool_room;

	if (n == set->entry_room)
	{
		set->entry_room *= 2;
		set->offsets = test_grow(set->offsets, ((size_t) set->entry_room + 1) *
								 sizeof(uint64_t));
		set->ids = test_grow(set->ids, set->entry_room * sizeof(int64_t));
	}
	while (used + size > room)
		room *= 2;
	if (room > set->pool_room)
	{
		/* the pattern may be a piece of the pool itself */
		uint8_t    *grown = test_malloc(room);

		memcpy(grown, set->pool, used);
		memcpy(grown + used, pattern, size);
		free(set->pool);
		set->pool = grown;
		set->pool_room = room;
	}
	else
		memmove(set->pool + used, pattern, size);
	set->offsets[n + 1] = used + size;
	set->ids[n] = id;
	set->rules.count = n + 1;
	set->rules.pool = set->pool;
	set->rules.offsets = set->offsets;
}

void
ruleset_add_id(RuleSet *set, const void *pattern, size_t size, int64_t id)
{
	append(set, pattern, size, id);
	set->rules.ids = set->ids;
}

void
ruleset_add(RuleSet *set, const void *pattern, size_t size)
{
	append(set, pattern, size, (int64_t) set->rules.count + 1);
	if (set->rules.ids != NULL)
		set->rules.ids = set->ids;
}

void
ruleset_add_text(RuleSet *set, const char *pattern)
{
	ruleset_add(set, pattern, strlen(pattern));
}

AcSpan
ruleset_pattern(const AcRules *rules, uint32_t entry)
{
	AcSpan		span;

	span.data = rules->pool + rules->offsets[entry];
	span.size = (size_t) (rules->offsets[entry + 1] - rules->offsets[entry]);
	return span;
}

int64_t
ruleset_id(const AcRules *rules, uint32_t entry)
{
	return rules->ids != NULL ? rules->ids[entry] : (int64_t) entry + 1;
}

size_t
ruleset_folded(const AcRules *rules, uint32_t entry, uint8_t *out)
{
	AcSpan		pattern = ruleset_pattern(rules, entry);

	if ((rules->options & AC_FOLD_MASK) == 0)
	{
		memcpy(out, pattern.data, pattern.size);
		return pattern.size;
	}
	return acore_fold(rules->options, pattern.data, pattern.size, out);
}

bool
ruleset_equal(const AcRules *a, const AcRules *b)
{
	uint32_t	i;

	if (a->count != b->count || a->options != b->options)
		return false;
	for (i = 0; i < a->count; i++)
	{
		AcSpan		pa = ruleset_pattern(a, i);
		AcSpan		pb = ruleset_pattern(b, i);

		if (pa.size != pb.size || memcmp(pa.data, pb.data, pa.size) != 0 ||
			ruleset_id(a, i) != ruleset_id(b, i))
			return false;
	}
	return true;
}

size_t
letters_put(const Letters *letters, Rng *rng, uint8_t *at)
{
	uint32_t	n = rng_below(rng, letters->count);
	size_t		size;

	if (letters->letter == NULL)
	{
		*at = (uint8_t) (letters->first + n);
		return 1;
	}
	size = strlen(letters->letter[n]);
	memcpy(at, letters->letter[n], size);
	return size;
}

/* Bytes that the letter at "at" has, for letters that are UTF-8 or bytes. */
static size_t
letter_size(const Letters *letters, const uint8_t *at, const uint8_t *end)
{
	size_t		best = 1;
	uint32_t	i;

	for (i = 0; letters->letter != NULL && i < letters->count; i++)
	{
		size_t		size = strlen(letters->letter[i]);

		if (size > best && size <= (size_t) (end - at) &&
			memcmp(letters->letter[i], at, size) == 0)
			best = size;
	}
	return best;
}

/* A random run of whole letters out of a pattern. */
static AcSpan
piece(const AcRules *rules, Rng *rng, const Letters *letters)
{
	AcSpan		span = ruleset_pattern(rules, rng_below(rng, rules->count));
	const uint8_t *from = span.data;
	const uint8_t *end = from + span.size;
	const uint8_t *to;

	if (rng_chance(rng, 50))
		while (from < end && rng_chance(rng, 60))
			from += letter_size(letters, from, end);
	to = from;
	if (rng_chance(rng, 50))
		to = end;
	while (to < end && rng_chance(rng, 85))
		to += letter_size(letters, to, end);
	span.data = from;
	span.size = (size_t) (to - from);
	return span;
}

void
ruleset_random(RuleSet *set, Rng *rng, const Letters *letters, uint32_t count,
			   uint32_t max_letters)
{
	size_t		room = (size_t) max_letters * 4;
	uint8_t    *pattern = test_malloc(room + 4);
	uint32_t	i;

	for (i = 0; i < count; i++)
	{
		uint32_t	wanted = 1 + rng_below(rng, max_letters);
		size_t		size = 0;

		while (set->rules.count > 0 && size < room && rng_chance(rng, 50))
		{
			AcSpan		part = piece(&set->rules, rng, letters);

			if (part.size > room - size)
				break;
			memcpy(pattern + size, part.data, part.size);
			size += part.size;
		}
		while (size < wanted)
			size += letters_put(letters, rng, pattern + size);
		ruleset_add(set, pattern, size);
	}
	free(pattern);
}

size_t
text_random(const AcRules *rules, Rng *rng, const Letters *letters,
			uint8_t *out, size_t size)
{
	uint32_t	noise = 10 + rng_below(rng, 85);
	uint8_t		letter[4];
	size_t		used = 0;

	while (used < size)
	{
		AcSpan		part;

		if (rules->count > 0 && !rng_chance(rng, noise))
			part = piece(rules, rng, letters);
		else
		{
			part.size = letters_put(letters, rng, letter);
			part.data = letter;
		}
		if (part.size > size - used)
			break;
		memcpy(out + used, part.data, part.size);
		used += part.size;
	}
	return used;
}
