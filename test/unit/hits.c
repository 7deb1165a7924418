/*
 * hits.c
 *		Hits of the automaton, below the scanner.
 */
#include <stdlib.h>
#include <string.h>

#include "ac_engine.h"
#include "edge.h"
#include "hits.h"
#include "host.h"
#include "tap.h"

static const AcHit untouched = {0xEE, 0xEE, 0xEE, 0xEE};

void
run_init(Run *run, Runner runner, const AcAutomaton *automaton)
{
	memset(run, 0, sizeof(*run));
	run->runner = runner;
	run->automaton = automaton;
	run->room = AC_HITS;
}

void
run_free(Run *run)
{
	free(run->found.items);
	free(run->found.depths);
}

/* Forgets what the last text gave. */
static void
clear(HitList *list, size_t size)
{
	list->count = 0;
	list->size = size;
	list->depths = test_grow(list->depths, (size + 1) * sizeof(uint32_t));
	memset(list->depths, 0xff, (size + 1) * sizeof(uint32_t));
}

static void
keep(Run *run, const AcHit *hit, size_t offset)
{
	HitList    *found = &run->found;

	if (found->count == found->room)
	{
		found->room = 2 * found->room + 64;
		found->items = test_grow(found->items, found->room * sizeof(Hit));
	}
	found->items[found->count++] = (Hit) {offset + hit->end, hit->length,
		hit->key, acore_state_depth(run->automaton, hit->state)};
}

/*
 * Whether a run from "from" was right to stop at "at": the text ended, or the
 * room was used up.  With the filter any hits are reason enough.  The hit
 * behind the room has to be as it was.
 */
static bool
may_stop(const Run *run, size_t from, size_t at, size_t to,
		 const AcHits *hits)
{
	if (hits->count > run->room || at < from || at > to ||
		(run->room < AC_HITS &&
		 memcmp(&hits->hit[run->room], &untouched, sizeof(AcHit)) != 0))
		return false;
	return at == to || hits->count == run->room ||
		(run->runner == BY_FILTER && hits->count > 0);
}

/* One piece, which begins at an offset of the text, from "at" on. */
static bool
run_piece(Run *run, const uint8_t *piece, size_t at, size_t size,
		  size_t offset)
{
	while (at < size || run->cursor.output != AC_NO_OUTPUT)
	{
		size_t		was = at;
		AcHits		hits;
		uint32_t	i;

		hits.room = run->room;
		hits.count = 0;
		if (run->room < AC_HITS)
			hits.hit[run->room] = untouched;
		if (run->runner == BY_ENGINE)
			at = acore_engine_run(run->automaton->engine, &run->cursor, piece,
								  at, size, &hits);
		else
			at = acore_run(run->automaton, &run->cursor, piece, at, size,
						   &hits);
		if (!may_stop(run, was, at, size, &hits))
		{
			tap_note("asked for %u hits in [%zu, %zu): %u hits up to %zu",
					 run->room, was, size, hits.count, at);
			return false;
		}
		for (i = 0; i < hits.count; i++)
			keep(run, &hits.hit[i], offset);
	}
	run->found.depths[offset + size] =
		acore_state_depth(run->automaton, run->cursor.state);
	return true;
}

bool
run_text(Run *run, const uint8_t *text, size_t size, const size_t *cuts,
		 size_t ncuts)
{
	size_t		ahead = 0;
	size_t		from = 0;
	size_t		i;

	clear(&run->found, size);
	run->cursor.state = 0;
	run->cursor.output = AC_NO_OUTPUT;
	run->cursor.held = 0;
	for (i = 0; i <= ncuts; i++)
	{
		size_t		to = i < ncuts ? cuts[i] : size;
		const uint8_t *piece = (ncuts - i) % 2 == 0 ?
			edge_end(text + from, to - from) :
			edge_start(text + from, to - from);

		run->cursor.last = i == ncuts;
		if (ncuts == 0 && run->runner == BY_FILTER)
			ahead = acore_run_ahead(run->automaton, &run->cursor, piece, size);
		if (!run_piece(run, piece, ahead, to - from, from))
			return false;
		from = to;
	}
	return true;
}

static bool
same_hit(Runner runner, const Hit *hit, const Hit *expected)
{
	if (hit->end != expected->end || hit->length != expected->length ||
		hit->key != expected->key)
		return false;
	if (runner == BY_FILTER)
		return hit->depth >= hit->length && hit->depth <= expected->depth;
	return hit->depth == expected->depth;
}

/* The first offset where the depths differ, or SIZE_MAX. */
static size_t
wrong_depth(const Run *run, const HitList *expected)
{
	const uint32_t *depths = run->found.depths;
	size_t		at;

	for (at = 0; run->runner != BY_FILTER && at <= expected->size; at++)
		if (depths[at] != expected->depths[at] && depths[at] != NO_DEPTH &&
			expected->depths[at] != NO_DEPTH)
			return at;
	return SIZE_MAX;
}

static void
print_hit(const char *what, const HitList *list, size_t at)
{
	if (at < list->count)
		tap_note("  %s end %zu length %u key %u depth %u", what,
				 list->items[at].end, list->items[at].length,
				 list->items[at].key, list->items[at].depth);
}

bool
run_agrees(const Run *run, const HitList *expected)
{
	static const char *const name[] = {"in place", "engine", "with the filter"};
	const HitList *found = &run->found;
	size_t		at = wrong_depth(run, expected);
	size_t		i = 0;

	while (i < found->count && i < expected->count &&
		   same_hit(run->runner, &found->items[i], &expected->items[i]))
		i++;
	if (i == found->count && i == expected->count && at == SIZE_MAX)
		return true;
	tap_note("%s, %u hits at a time: %zu hits, expected %zu; the first that "
			 "differs is %zu", name[run->runner], run->room, found->count,
			 expected->count, i);
	print_hit("expected", expected, i);
	print_hit("found", found, i);
	if (at != SIZE_MAX)
		tap_note("  depth at %zu: expected %u, found %u", at,
				 expected->depths[at], found->depths[at]);
	return false;
}
