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

/* One byte: the goto function with failure links. */
static inline void
step(const AcImage *im, AcCursor *cursor, uint8_t byte)
{
	uint32_t	code = im->codes[byte];
	uint32_t	child;

	if (code == AC_NO_CODE)
	{
		cursor->state = 0;
		cursor->depth = 0;
		return;
	}
	while ((child = ac_child(im, cursor->state, code)) == 0)
	{
		if (cursor->state == 0)
			return;
		cursor->state = ac_fail(im, cursor->state);
		cursor->depth = ac_depth(im, cursor->state);
	}
	cursor->state = child;
	cursor->depth++;
}

static size_t
run_in_place(const AcImage *im, AcCursor *cursor, const uint8_t *text,
			 size_t from, size_t to, ptrdiff_t pending, bool *found)
{
	*found = false;
	while (from < to)
	{
		step(im, cursor, text[from++]);
		if (cursor->state != 0 && (ac_is_terminal(im, cursor->state) ||
								   ac_set_has(&im->outputs, cursor->state)))
		{
			*found = true;
			break;
		}
		if ((ptrdiff_t) from - (ptrdiff_t) cursor->depth > pending)
			break;
	}
	return from;
}

/* An output of the image; length 0 if the node is the root. */
static AcOutput
node_output(const AcImage *im, uint32_t node)
{
	return (AcOutput) {node, node == 0 ? 0 : ac_depth(im, node)};
}

/* ---------- in place, or by the engine ---------- */

size_t
acore_run(const AcAutomaton *automaton, AcCursor *cursor,
		  const uint8_t *text, size_t from, size_t to, bool last,
		  ptrdiff_t pending, bool *found)
{
	(void) last;
	if (automaton->engine != NULL)
		return acore_engine_run(automaton->engine, cursor, text, from, to,
								pending, found);
	return run_in_place(automaton->image, cursor, text, from, to, pending,
						found);
}

AcOutput
acore_first_output(const AcAutomaton *automaton, uint32_t state)
{
	const AcImage *im = automaton->image;

	if (automaton->engine != NULL)
		return acore_engine_first_output(automaton->engine, state);
	if (ac_is_terminal(im, state))
		return node_output(im, state);
	return node_output(im, ac_output(im, state));
}

bool
acore_next_output(const AcAutomaton *automaton, AcOutput *output)
{
	if (automaton->engine != NULL)
		return acore_engine_next_output(automaton->engine, output);
	*output = node_output(automaton->image,
						  ac_output(automaton->image, output->at));
	return output->length != 0;
}

uint32_t
acore_output_key(const AcAutomaton *automaton, AcOutput output)
{
	if (automaton->engine != NULL)
		return output.at;
	return ac_node_key(automaton->image, output.at);
}

AcStatus
acore_accelerate(AcAutomaton *automaton)
{
	if (automaton->engine != NULL)
		return AC_OK;
	return acore_engine_build(automaton->image, automaton->host,
							  &automaton->engine);
}

/*
 * Deriving takes some 50 ns a state, and saves about as much a byte of text.
 * Rules without a state have nothing to derive.
 */
size_t
acore_accelerate_after(const AcAutomaton *automaton)
{
	if (automaton->engine != NULL || automaton->info.states == 1)
		return 0;
	return automaton->info.states;
}
