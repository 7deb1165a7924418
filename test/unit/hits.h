/*
 * hits.h
 *		Hits of the automaton, below the scanner: in place, by the engine, and
 *		by the engine where its filter points.
 */
#ifndef HITS_H
#define HITS_H

#include "ac_core.h"
#include "ac_step.h"

typedef enum Runner
{
	BY_IMAGE,					/* in place */
	BY_ENGINE,					/* the engine alone, every byte */
	BY_FILTER					/* acore_run: with the filter, if there is one; a
								 * text in one piece from acore_run_ahead on */
} Runner;

typedef struct Hit
{
	size_t		end;			/* in the text */
	uint32_t	length;
	uint32_t	key;
	uint32_t	depth;			/* of the state there */
} Hit;

#define NO_DEPTH	UINT32_MAX

typedef struct HitList
{
	Hit		   *items;
	size_t		count;
	size_t		room;
	uint32_t   *depths;			/* of the cursor, by offset in the text; NO_DEPTH
								 * where no piece ended */
	size_t		size;			/* of the text */
} HitList;

typedef struct Run
{
	Runner		runner;
	const AcAutomaton *automaton;	/* accelerated unless BY_IMAGE */
	AcCursor	cursor;			/* what it learns lives on from text to text */
	uint32_t	room;			/* hits asked for at a time */
	HitList		found;
} Run;

extern void run_init(Run *run, Runner runner, const AcAutomaton *automaton);
extern void run_free(Run *run);

/*
 * Runs over a text given in pieces that end at the cuts.  Each piece stands
 * at the end or at the start of readable memory (edge.h).  False if it stopped
 * before it had to.
 */
extern bool run_text(Run *run, const uint8_t *text, size_t size,
					 const size_t *cuts, size_t ncuts);

/*
 * Whether the hits are those expected, and the depths wherever both have one.
 * With the filter states may begin later than in place, but not behind a hit.
 * Prints the first difference.
 */
extern bool run_agrees(const Run *run, const HitList *expected);

#endif							/* HITS_H */
