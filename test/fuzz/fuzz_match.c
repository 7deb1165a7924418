/*
 * fuzz_match.c
 *		libFuzzer target: rules and a text, compared with the oracle.
 *
 * Any input is a case:
 *
 *		byte 0		the world: letters, options, encoding (worlds.h)
 *		byte 1		kind (2 bits), whether to cut everywhere (1 bit), and a
 *					rotation of the letters
 *		0xFF		ends a pattern; 0xFE (once): what follows is the text
 *		else		a letter of the world
 *
 * so patterns and text are valid in any encoding.  The rules read back from
 * the image must be the ones given.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "worlds.h"

#define MAX_INPUT 600
#define MAX_PATTERNS 60

int			LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct Case
{
	const World *world;
	uint8_t		rotation;
	RuleSet		set;
	uint8_t		body[MAX_INPUT * 4];
	size_t		size;
} Case;

static size_t
put_letter(const Case *c, uint8_t byte, uint8_t *at)
{
	const Letters *letters = &c->world->letters;
	uint32_t	n = (byte + (uint32_t) c->rotation) % letters->count;
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

static void
parse(Case *c, const uint8_t *data, size_t size)
{
	uint8_t		pattern[MAX_INPUT * 4];
	size_t		used = 0;
	size_t		i = 0;

	for (; i < size && data[i] != 0xFE; i++)
	{
		if (data[i] != 0xFF)
			used += put_letter(c, data[i], pattern + used);
		else if (used > 0 && c->set.rules.count < MAX_PATTERNS)
		{
			/* an odd length decides an id, so that some are shared */
			if (c->rotation % 2 != 0)
				ruleset_add_id(&c->set, pattern, used, (int64_t) (used % 5));
			else
				ruleset_add(&c->set, pattern, used);
			used = 0;
		}
	}
	if (used > 0)
		ruleset_add(&c->set, pattern, used);
	for (i++; i < size; i++)
		c->size += put_letter(c, data[i], c->body + c->size);
}

static bool
comes_back(Subject *subject)
{
	AcHost	   *host = &subject->host.host;
	AcRules		rules;
	void	   *block;
	size_t		size;
	bool		good;

	if (acore_verify(subject->block + subject->prefix, subject->image_size,
					 host) != AC_OK ||
		acore_extract(&subject->automaton[PLAIN], &rules, &block, &size) !=
		AC_OK)
		return false;
	good = ruleset_equal(subject->rules, &rules);
	host->release(host->context, block, size);
	return good;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static Case c;
	Subject		subject;
	Rng			rng = {size};
	AcKind		kind;
	bool		good;

	if (size < 3 || size > MAX_INPUT)
		return 0;
	c.world = &worlds[data[0] % world_count];
	c.rotation = data[1] >> 3;
	c.size = 0;
	kind = (AcKind) ((data[1] & 3) % 3);
	ruleset_clear(&c.set, c.world->options);
	parse(&c, data + 2, size - 2);
	world_open(&subject, c.world, &c.set, &rng);
	good = comes_back(&subject) &&
		subject_agrees(&subject, &rng, kind, c.body, c.size);
	if (good && (data[1] & 4) != 0 && c.size < 60)
		good = subject_agrees_cut(&subject, kind, c.body, c.size);
	if (!subject_close(&subject) || !good)
		abort();
	return 0;
}
