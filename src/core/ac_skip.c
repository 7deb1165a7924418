/*
 * ac_skip.c
 *		Running the engine only where the filter points.
 *
 * The filter (ac_filter.c) answers places that look like the inside of an
 * occurrence.  The engine then starts from the root as far in front of such a
 * place as an occurrence can begin, or goes on from where it is if that is
 * behind; so it never reads a byte twice.  It is held until its state begins
 * behind the place: whatever began at the place or before is decided then.
 * From where that state begins the filter looks on.
 *
 *	text	...........[ look back ][place].....|.........
 *	engine	           root ------------------> at
 *	state	                             |......			at - depth > place
 *	filter	                             ^ goes on here
 *
 * The filter knows of whole occurrences only.  So where text is still to come
 * the engine reads all of the "tail", in which one may begin that ends later.
 *
 * Places move forward only, and so does the engine: both are linear in the
 * text whatever it holds.  Still, where the engine has to read most of the text
 * anyway the filter is work in vain, so after ASSESS bytes that were costly
 * (read by the engine, or compared in vain) it is left out for a while, for
 * longer each time.
 *
 * What a later call needs is in the cursor: "held" is the place that holds the
 * engine, as a distance behind the offset reached.
 */
#include "ac_skip.h"

#define ASSESS			4096	/* bytes to judge the filter by */
#define PLAIN_MIN		16384	/* bytes run without it, at first */
#define PLAIN_MAX		1048576
#define ASK_COST		2		/* bytes stepped while one place is asked for */
#define STEP			16		/* bytes between two looks at the depth */

/* Judges the filter by what it left to the engine. */
static void
assess(AcCursor *cursor)
{
	if (cursor->walked + ASK_COST * cursor->asked > cursor->seen / 2)
	{
		cursor->pause = cursor->pause == 0 ? PLAIN_MIN :
			cursor->pause < PLAIN_MAX ? cursor->pause * 2 : cursor->pause;
		cursor->plain = cursor->pause;
	}
	else
		cursor->pause = 0;
	cursor->seen = 0;
	cursor->walked = 0;
	cursor->asked = 0;
}

/* Without the filter, as long as it is left out. */
static size_t
run_plain(const AcEngine *engine, AcCursor *cursor, const uint8_t *text,
		  size_t from, size_t to, AcHits *hits)
{
	size_t		at = acore_engine_run(engine, cursor, text, from, to, hits);

	cursor->plain = at - from < cursor->plain ?
		cursor->plain - (uint32_t) (at - from) : 0;
	cursor->held = 0;
	return at;
}

/* Where the text begins that the state stands for. */
static inline ptrdiff_t
state_begin(const AcEngine *engine, const AcCursor *cursor, size_t at)
{
	if (cursor->state == 0)
		return (ptrdiff_t) at;
	return (ptrdiff_t) at -
		(ptrdiff_t) acore_engine_depth(engine, cursor->state);
}

/*
 * Runs the engine until it is past "place", the text ends, or the room is
 * used up; answers the offset reached.
 */
static size_t
run_past(const AcEngine *engine, AcCursor *cursor, const uint8_t *text,
		 ptrdiff_t place, size_t at, size_t to, AcHits *hits)
{
	while ((at < to || cursor->output != AC_NO_OUTPUT) &&
		   hits->count < hits->room)
	{
		size_t		stop = to - at > STEP ? at + STEP : to;
		size_t		was = at;

		at = acore_engine_run(engine, cursor, text, at, stop, hits);
		cursor->walked += (uint32_t) (at - was);
		if (state_begin(engine, cursor, at) > place)
			break;
	}
	return at;
}

/*
 * Where the text's tail begins: bytes of which an occurrence may begin that
 * ends in text still to come.  The filter does not know of those.
 */
static size_t
tail_begin(const AcEngine *engine, size_t to, bool last)
{
	size_t		depth;

	if (last)
		return to;
	depth = acore_engine_max_depth(engine);
	return to > depth ? to - depth : 0;
}

/* Alternates between filter and engine. */
static __attribute__((noinline)) size_t
run_filtered(const AcEngine *engine, const AcFilter *filter,
			 AcCursor *cursor, const uint8_t *text, size_t from, size_t to,
			 AcHits *hits)
{
	size_t		look_back = acore_filter_look_back(filter);
	size_t		tail = tail_begin(engine, to, cursor->last);
	ptrdiff_t	place = (ptrdiff_t) from - 1 - cursor->held;
	size_t		at = from;

	/* the filter cannot look in front of the text */
	if (place < -1)
		place = -1;
	for (;;)
	{
		size_t		next;

		if (at >= tail)
			place = (ptrdiff_t) to;
		if (cursor->output != AC_NO_OUTPUT ||
			state_begin(engine, cursor, at) <= place)
		{
			at = run_past(engine, cursor, text, place, at, to, hits);
			if (hits->count > 0 || at == to)
				break;
		}
		/* the state begins behind the last place; so look from there on */
		next = acore_filter_next(filter, text,
								 (size_t) state_begin(engine, cursor, at), to,
								 &cursor->asked);
		place = (ptrdiff_t) next;
		if (next == to || next > tail + look_back)
			next = tail + look_back;
		if (next > at + look_back)
		{
			at = next - look_back;
			cursor->state = 0;
			if (at == to)
				break;
		}
	}
	cursor->held = at == to ? 0 : (int32_t) ((ptrdiff_t) at - 1 - place);
	cursor->seen += (uint32_t) (at - from);
	if (cursor->seen >= ASSESS)
		assess(cursor);
	return at;
}

size_t
acore_skip_run(const AcEngine *engine, AcCursor *cursor, const uint8_t *text,
			   size_t from, size_t to, AcHits *hits)
{
	const AcFilter *filter = acore_engine_filter(engine);

	if (filter == NULL)
		return acore_engine_run(engine, cursor, text, from, to, hits);
	if (cursor->plain > 0)
		return run_plain(engine, cursor, text, from, to, hits);
	return run_filtered(engine, filter, cursor, text, from, to, hits);
}

size_t
acore_skip_ahead(const AcEngine *engine, AcCursor *cursor,
				 const uint8_t *text, size_t to)
{
	const AcFilter *filter = acore_engine_filter(engine);
	size_t		look_back;
	size_t		next;

	if (filter == NULL || cursor->plain > 0)
		return 0;
	next = acore_filter_next(filter, text, 0, to, &cursor->asked);
	cursor->seen += (uint32_t) next;
	if (cursor->seen >= ASSESS)
		assess(cursor);
	if (next == to)
		return to;
	look_back = acore_filter_look_back(filter);
	return next > look_back ? next - look_back : 0;
}
