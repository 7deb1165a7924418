/*
 * worlds.h
 *		The worlds in which random tests draw rule sets and bodies.
 *
 * A world is what letters there are, which options apply and how a body is
 * divided into characters.
 */
#ifndef WORLDS_H
#define WORLDS_H

#include "ruleset.h"
#include "subject.h"

typedef struct World
{
	Letters		letters;
	uint32_t	options;
	AcEncoding	encoding;
} World;

/* Some worlds by name; there are more. */
enum
{
	WORLD_ABC = 2,
	WORLD_AZ = 3,
	WORLD_BYTES = 4,
	WORLD_BYTES_FOLD = 8,
	WORLD_FOLD = 15,
	WORLD_WORDS = 17
};

extern const World worlds[];
extern const size_t world_count;

/* subject_open() with the encoding of the world, at a random alignment. */
extern void world_open(Subject *subject, const World *world,
					   const RuleSet *set, Rng *rng);

#endif							/* WORLDS_H */
