/*
 * ac_step.c
 *		Running the automaton in place, on the image itself.
 *
 * That is the plain automaton: one goto a byte and failure links where there
 * is none.  A byte is slow here, as every step reads several bit fields, but
 * nothing has to be prepared, and it is what all faster ways are compared
 * with.  Each failure link lowers the depth that a goto raises by one, so that
 * the whole is linear in the text.
 */
#include "ac_step.h"

#include "ac_engine.h"
#include "ac_image.h"
#include "ac_skip.h"

/* One byte: the goto function with failure links. */
static inline void
step(const AcImage *im, AcCursor *cursor, uint8_t byte)
{
	uint32_t	code = im->codes[byte];
	uint32_t	child;

	if (code == AC_NO_CODE)
	{
		cursor->state = 0;
		return;
	}
	while ((child = ac_child(im, cursor->state, code)) == 0)
	{
		if (cursor->state == 0)
			return;
		cursor->state = ac_fail(im, cursor->state);
	}
	cursor->state = child;
}

/* Reports outputs from "node" on; what finds no room stays in the cursor. */
static void
report(const AcImage *im, AcCursor *cursor, uint32_t node, size_t end,
	   AcHits *hits)
{
	for (; node != 0 && hits->count < hits->room; node = ac_output(im, node))
		hits->hit[hits->count++] = (AcHit) {(uint32_t) end,
			ac_depth(im, node), ac_node_key(im, node), cursor->state};
	cursor->output = node != 0 ? node : AC_NO_OUTPUT;
}

/* Not inlined, so that acore_run() has nothing to save. */
static __attribute__((noinline)) size_t
run_in_place(const AcImage *im, AcCursor *cursor, const uint8_t *text,
			 size_t from, size_t to, AcHits *hits)
{
	if (cursor->output != AC_NO_OUTPUT)
		report(im, cursor, cursor->output, from, hits);
	while (from < to && hits->count < hits->room)
	{
		uint32_t	node;

		step(im, cursor, text[from++]);
		node = cursor->state;
		if (node == 0)
			continue;
		if (!ac_is_terminal(im, node))
			node = ac_output(im, node);
		if (node != 0)
			report(im, cursor, node, from, hits);
	}
	return from;
}

/* ---------- in place, or by the engine ---------- */

size_t
acore_run(const AcAutomaton *automaton, AcCursor *cursor,
		  const uint8_t *text, size_t from, size_t to, AcHits *hits)
{
	if (automaton->engine != NULL)
		return acore_skip_run(automaton->engine, cursor, text, from, to, hits);
	return run_in_place(automaton->image, cursor, text, from, to, hits);
}

size_t
acore_run_ahead(const AcAutomaton *automaton, AcCursor *cursor,
				const uint8_t *text, size_t to)
{
	if (automaton->engine == NULL)
		return 0;
	return acore_skip_ahead(automaton->engine, cursor, text, to);
}

uint32_t
acore_state_depth(const AcAutomaton *automaton, uint32_t state)
{
	if (automaton->engine != NULL)
		return acore_engine_depth(automaton->engine, state);
	return ac_depth(automaton->image, state);
}
