/*
 * ac_step.h
 *		Running the automaton over a stretch of text.
 *
 * A cursor stands at a state: the longest suffix of the text read so far that
 * is in the trie.  Running stops behind each byte that completes a key; the
 * outputs of the state, longest first, are all the keys that end there.
 *
 * Two can run.  The image itself is walked in place where nothing has been
 * derived from it (ac_step.c), else the engine (ac_engine.c).  State numbers
 * are the business of whoever runs.
 */
#ifndef AC_STEP_H
#define AC_STEP_H

#include "ac_core.h"

#pragma GCC visibility push(hidden)

typedef struct AcCursor
{
	uint32_t	state;			/* 0 is the root */
	uint32_t	depth;			/* its depth */
} AcCursor;

/* A key that ends at a state. */
typedef struct AcOutput
{
	uint32_t	at;				/* node of the image or key of the engine */
	uint32_t	length;
} AcOutput;

/* "No start is pending" for acore_run. */
#define AC_NOT_PENDING	PTRDIFF_MAX

/*
 * Runs the cursor over text[from .. to).  Stops behind the first byte whose
 * state has outputs and answers that offset with *found true, or answers "to"
 * with *found false.  Also stops, with *found false, behind the first byte
 * at which the state begins behind offset "pending" (which may be negative),
 * that is when offset - depth > pending.
 *
 * "last" tells that no text follows text[to - 1], so that the state need not
 * be right there when nothing was found.
 */
size_t		acore_run(const AcAutomaton *automaton, AcCursor *cursor,
					  const uint8_t *text, size_t from, size_t to, bool last,
					  ptrdiff_t pending, bool *found);

/* The longest output of a state at which acore_run has found some. */
AcOutput	acore_first_output(const AcAutomaton *automaton, uint32_t state);

/* Turns an output into the next shorter one; length 0 and false: none. */
bool		acore_next_output(const AcAutomaton *automaton, AcOutput *output);

/* The key of an output. */
uint32_t	acore_output_key(const AcAutomaton *automaton, AcOutput output);

#pragma GCC visibility pop

#endif							/* AC_STEP_H */
