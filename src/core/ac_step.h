/*
 * ac_step.h
 *		Running the automaton over a stretch of text.
 *
 * A cursor stands at a state: the longest suffix of the text read so far that
 * is in the trie.  Running reports a hit for every key that ends at a byte,
 * longest first.  Hits come in bulk, so that their cost is a few stores.
 *
 * Two can run.  The image itself is walked in place where nothing has been
 * derived from it (ac_step.c), else the engine (ac_engine.c).  State numbers
 * and outputs are the business of whoever runs.
 */
#ifndef AC_STEP_H
#define AC_STEP_H

#include "ac_core.h"

#pragma GCC visibility push(hidden)

#define AC_NO_OUTPUT	UINT32_MAX

typedef struct AcCursor
{
	uint32_t	state;			/* 0 is the root */
	uint32_t	output;			/* first output of the state that found no room,
								 * or AC_NO_OUTPUT */
	bool		last;			/* no text follows, so that the state at its end
								 * need not be right; set by the caller */
	/* ac_skip.c; the latter five live on from body to body */
	int32_t		held;			/* bytes back to the place that holds it */
	uint32_t	seen;			/* bytes since the filter was judged */
	uint32_t	walked;			/* bytes of these that the engine read */
	uint32_t	asked;			/* comparisons that the filter took */
	uint32_t	plain;			/* bytes left to run without the filter */
	uint32_t	pause;			/* how many these were at first */
} AcCursor;

/* An occurrence of a key. */
typedef struct AcHit
{
	uint32_t	end;			/* offset in the text behind its last byte */
	uint32_t	length;
	uint32_t	key;
	uint32_t	state;			/* there; see acore_state_depth */
} AcHit;

#define AC_HITS			64		/* found at a time, at most */

typedef struct AcHits
{
	uint32_t	room;			/* for so many, 1 .. AC_HITS */
	uint32_t	count;
	AcHit		hit[AC_HITS];
} AcHits;

/*
 * Runs the cursor over text[from .. to) and adds the hits to "hits", which has
 * room.  Answers the offset reached: "to", or less where some hits were found;
 * either way going on from there with the same cursor and room again misses
 * nothing and repeats nothing.  "to" is below 2^32.
 */
size_t		acore_run(const AcAutomaton *automaton, AcCursor *cursor,
					  const uint8_t *text, size_t from, size_t to,
					  AcHits *hits);

/*
 * For a cursor at the root and a text with nothing in front of it and nothing
 * behind it: an offset in front of which no occurrence begins, "to" if there
 * is none at all.  That is sooner said than by running.
 */
size_t		acore_run_ahead(const AcAutomaton *automaton, AcCursor *cursor,
							const uint8_t *text, size_t to);

/* The depth of a state: of a hit or of the cursor. */
uint32_t	acore_state_depth(const AcAutomaton *automaton, uint32_t state);

#pragma GCC visibility pop

#endif							/* AC_STEP_H */
