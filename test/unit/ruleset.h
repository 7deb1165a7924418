/*
 * ruleset.h
 *		Rule sets that tests make: grown entry by entry, or at random.
 */
#ifndef RULESET_H
#define RULESET_H

#include "ac_core.h"
#include "tap.h"

typedef struct RuleSet
{
	AcRules		rules;			/* what acore_build gets */
	uint8_t    *pool;
	uint64_t   *offsets;
	int64_t    *ids;			/* always kept; in rules only if explicit */
	size_t		pool_room;
	uint32_t	entry_room;
} RuleSet;

extern void ruleset_init(RuleSet *set, uint32_t options);
extern void ruleset_clear(RuleSet *set, uint32_t options);
extern void ruleset_free(RuleSet *set);

/* Appends an entry under an id of its own, or under the next ordinal. */
extern void ruleset_add_id(RuleSet *set, const void *pattern, size_t size,
						   int64_t id);
extern void ruleset_add(RuleSet *set, const void *pattern, size_t size);
extern void ruleset_add_text(RuleSet *set, const char *pattern);

extern AcSpan ruleset_pattern(const AcRules *rules, uint32_t entry);
extern int64_t ruleset_id(const AcRules *rules, uint32_t entry);

/* An entry as the trie sees it: folded, into out (2 * size bytes). */
extern size_t ruleset_folded(const AcRules *rules, uint32_t entry,
							 uint8_t *out);

/* Whether two rule sets have the same options, ids and patterns. */
extern bool ruleset_equal(const AcRules *a, const AcRules *b);

/* What letters a random pattern or text is made of. */
typedef struct Letters
{
	const char *name;
	uint32_t	count;			/* distinct letters */
	const char *const *letter;	/* NULL: the bytes first .. first + count - 1 */
	uint8_t		first;
} Letters;

/* Appends one random letter at "at"; answers its size (4 bytes at most). */
extern size_t letters_put(const Letters *letters, Rng *rng, uint8_t *at);

/*
 * Appends "count" random patterns of 1 to max_letters letters.  Many of them
 * are pieces or extensions of earlier ones, some are duplicates.
 */
extern void ruleset_random(RuleSet *set, Rng *rng, const Letters *letters,
						   uint32_t count, uint32_t max_letters);

/*
 * Writes about size bytes of text made of patterns, pieces of patterns and
 * random letters, always whole letters and never more than size; answers
 * the bytes written.
 */
extern size_t text_random(const AcRules *rules, Rng *rng,
						  const Letters *letters, uint8_t *out, size_t size);

#endif							/* RULESET_H */
