/*
 * bench_core.c
 *		Measures every peer over every set and text, in one process.
 *
 *	bench_core DATA [quick]
 *
 * writes one line a measurement, fields separated by tabs:
 *
 *	build  SET  -     -       PEER  seconds min, median; bytes for matching,
 *									peak bytes while building, calls of malloc
 *	image  SET  -     -       PEER  verify s min, load s min; bytes stored,
 *									states, bytes of patterns
 *	all    SET  TEXT  MODE    PEER  seconds min, median; bytes, matches, records,
 *									calls of malloc
 *	any    SET  TEXT  MODE    PEER  as before, matches being matching bodies
 *
 * MODE is "whole" (the text at once) or "records" (each record on its own).
 * Runs are interleaved: peer after peer, over and over, so that what disturbs
 * the machine disturbs all of them; the time is that of the thread on a
 * processor.  The figures that count are the minima.  Peers that disagree
 * about what matches end the benchmark.
 */
#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"

#define MOST_PEERS 24
#define MOST_RUNS 15
#define FEWEST_RUNS 2
#define PATIENCE 0.5			/* seconds to spend on repeating one thing */

typedef struct Entry
{
	const Peer *peer;
	void	   *automaton;
} Entry;

static Entry entries[MOST_PEERS];
static int	entry_count;
static bool quick;
static int	runs = 9;
static size_t text_size = 1000000;

static double
seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}

static int
by_value(const void *left, const void *right)
{
	double		a = *(const double *) left;
	double		b = *(const double *) right;

	return (a > b) - (a < b);
}

/* Sorts the times; times[0] is the minimum then. */
static double
median(double *times, int count)
{
	qsort(times, (size_t) count, sizeof(double), by_value);
	return times[count / 2];
}

static void
enlist(const Peer *(*family) (int))
{
	int			i;

	for (i = 0; family(i) != NULL; i++)
		entries[entry_count++].peer = family(i);
}

/* ---------- building ---------- */

static void
build(Entry *entry, const Set *set)
{
	double		times[MOST_RUNS];
	double		middle,
				total = 0;
	size_t		before = memory_now();
	size_t		peak = 0,
				calls = 0;
	int			i;

	entry->automaton = NULL;
	if (entry->peer->most_patterns != 0 && set->count > entry->peer->most_patterns)
		return;
	for (i = 0; i < runs && (i < FEWEST_RUNS || total < PATIENCE); i++)
	{
		double		start;

		if (entry->automaton != NULL)
			entry->peer->destroy(entry->automaton);
		memory_mark();
		start = seconds();
		entry->automaton = entry->peer->build(set);
		total += times[i] = seconds() - start;
		peak = memory_peak() - before;
		calls = memory_calls();
		if (entry->automaton == NULL)
			return;
	}
	middle = median(times, i);
	if (entry->peer->extra != NULL)
		entry->peer->extra(entry->automaton, &(Extra) {0});
	printf("build\t%s\t-\t-\t%s\t%.9f\t%.9f\t%zu\t%zu\t%zu\n", set->name,
		   entry->peer->name, times[0], middle,
		   entry->peer->size(entry->automaton), peak, calls);
}

static void
image(Entry *entry, const Set *set)
{
	Extra		best = {1e9, 1e9, 0, 0};
	int			i;

	if (entry->automaton == NULL || entry->peer->extra == NULL)
		return;
	for (i = 0; i < runs; i++)
	{
		Extra		extra;

		entry->peer->extra(entry->automaton, &extra);
		best.image = extra.image;
		best.states = extra.states;
		if (extra.verify < best.verify)
			best.verify = extra.verify;
		if (extra.load < best.load)
			best.load = extra.load;
	}
	printf("image\t%s\t-\t-\t%s\t%.9f\t%.9f\t%zu\t%zu\t%" PRIu64 "\n", set->name,
		   entry->peer->name, best.verify, best.load, best.image, best.states,
		   set->offsets[set->count]);
}

static void
build_all(const Set *set)
{
	int			i;

	fprintf(stderr, "%s: building\n", set->name);
	for (i = 0; i < entry_count; i++)
		build(&entries[i], set);
	for (i = 0; i < entry_count; i++)
		image(&entries[i], set);
}

static void
destroy_all(void)
{
	int			i;

	for (i = 0; i < entry_count; i++)
		if (entries[i].automaton != NULL)
			entries[i].peer->destroy(entries[i].automaton);
	fflush(stdout);
}

/* ---------- matching ---------- */

typedef struct Task
{
	bool		all;			/* all matches, or whether there is any */
	bool		whole;			/* the text at once */
	const Text *text;
} Task;

static bool
offered(const Entry *entry, const Task *task)
{
	return entry->automaton != NULL &&
		(task->all ? entry->peer->all != NULL : entry->peer->any != NULL);
}

static Found
run_all(const Entry *entry, const Task *task)
{
	const Text *text = task->text;
	Found		found = {0, 0};
	size_t		i;

	if (task->whole)
		return entry->peer->all(entry->automaton, text->bytes, text->size);
	for (i = 0; i < text->records; i++)
	{
		Found		more = entry->peer->all(entry->automaton,
											text->bytes + text->cuts[i],
											text->cuts[i + 1] - text->cuts[i]);

		found.count += more.count;
		found.sum += more.sum;
	}
	return found;
}

static Found
run_any(const Entry *entry, const Task *task)
{
	const Text *text = task->text;
	Found		found = {0, 0};
	size_t		i;

	if (task->whole)
		found.count = entry->peer->any(entry->automaton, text->bytes, text->size);
	else
		for (i = 0; i < text->records; i++)
			found.count += entry->peer->any(entry->automaton,
											text->bytes + text->cuts[i],
											text->cuts[i + 1] - text->cuts[i]);
	return found;
}

static void
compare(const Set *set, const Task *task, const Found *found)
{
	const Entry *first = NULL;
	Found		expected = {0, 0};
	int			i;

	for (i = 0; i < entry_count; i++)
	{
		if (!offered(&entries[i], task))
			continue;
		if (first == NULL)
		{
			first = &entries[i];
			expected = found[i];
		}
		if (found[i].count == expected.count && found[i].sum == expected.sum)
			continue;
		fprintf(stderr, "%s over %s: %s finds %" PRIu64 " (sum %" PRIu64
				"), %s %" PRIu64 " (sum %" PRIu64 ")\n",
				set->name, task->text->name, first->peer->name, expected.count,
				expected.sum, entries[i].peer->name, found[i].count, found[i].sum);
		exit(1);
	}
}

static void
measure(const Set *set, const Task *task)
{
	static double times[MOST_PEERS][MOST_RUNS];
	double		spent[MOST_PEERS] = {0};
	int			done[MOST_PEERS] = {0};
	size_t		calls[MOST_PEERS];
	Found		found[MOST_PEERS];
	int			run,
				i;

	for (run = 0; run < runs; run++)
		for (i = 0; i < entry_count; i++)
			if (offered(&entries[i], task) && (run == 0 || spent[i] < PATIENCE))
			{
				double		start;

				memory_mark();
				start = seconds();
				found[i] = task->all ? run_all(&entries[i], task) :
					run_any(&entries[i], task);
				spent[i] += times[i][done[i]++] = seconds() - start;
				calls[i] = memory_calls();
			}
	compare(set, task, found);
	for (i = 0; i < entry_count; i++)
		if (done[i] > 0)
		{
			double		middle = median(times[i], done[i]);

			printf("%s\t%s\t%s\t%s\t%s\t%.9f\t%.9f\t%zu\t%" PRIu64 "\t%zu\t%zu\n",
				   task->all ? "all" : "any", set->name, task->text->name,
				   task->whole ? "whole" : "records", entries[i].peer->name,
				   times[i][0], middle, task->text->size, found[i].count,
				   task->whole ? 1 : task->text->records, calls[i]);
		}
	fflush(stdout);
}

/* A text record by record, at once, and asked whether anything matches; the
 * last says nothing where every record matches. */
static void
measure_text(const Set *set, const Text *text, bool any, bool whole)
{
	fprintf(stderr, "%s: %s\n", set->name, text->name);
	measure(set, &(Task) {true, false, text});
	if (whole && !quick)
		measure(set, &(Task) {true, true, text});
	if (any)
		measure(set, &(Task) {false, false, text});
}

/* ---------- the programme ---------- */

static void
ordinary(const char *directory)
{
	static const char *const sets[] = {"list", "crs", "dict", "eight", "one"};
	static const char *const texts[] = {"log", "access", "prose"};
	Text	   *read[3];
	size_t		i,
				k;

	for (k = 0; k < 3; k++)
		read[k] = read_text(directory, texts[k], text_size);
	for (i = 0; i < sizeof(sets) / sizeof(sets[0]); i++)
	{
		Set		   *set = must(read_set(directory, sets[i]));

		build_all(set);
		for (k = 0; k < 3; k++)
			measure_text(set, read[k], true, true);
		measure_text(set, line_text(read[0], text_size), false, false);
		measure_text(set, dense_text(set, text_size), false, false);
		if (set->count > 1000)
		{
			measure_text(set, random_text(set, text_size), false, true);
			measure_text(set, nearly_text(set, text_size), false, true);
			measure_text(set, pieces_text(set, text_size), false, true);
		}
		destroy_all();
	}
}

/* Subsets of crs, for the plot of speed against the number of patterns. */
static void
growing(const char *directory)
{
	static const uint32_t counts[] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 3642};
	static char names[16][16];
	Set		   *crs = must(read_set(directory, "crs"));
	Text	   *text = read_text(directory, "log", text_size);
	size_t		i,
				step;

	for (i = 0; i < sizeof(counts) / sizeof(counts[0]) && counts[i] <= crs->count;
		 i += quick ? 3 : 1)
	{
		uint64_t   *offsets = must(malloc((counts[i] + 1) * sizeof(uint64_t)));
		uint8_t    *pool = must(malloc(crs->offsets[crs->count]));
		uint32_t	k;

		snprintf(names[i], sizeof(names[i]), "crs:%u", counts[i]);
		step = crs->count / counts[i];
		for (offsets[0] = k = 0; k < counts[i]; k++)
		{
			uint64_t	from = crs->offsets[k * step];
			uint64_t	length = crs->offsets[k * step + 1] - from;

			memcpy(pool + offsets[k], crs->pool + from, length);
			offsets[k + 1] = offsets[k] + length;
		}
		build_all(make_set(names[i], counts[i], pool, offsets));
		measure_text(make_set(names[i], counts[i], pool, offsets), text, false, false);
		destroy_all();
	}
}

static void
adversarial(void)
{
	Text	   *same = same_text(text_size / 10);
	Text	   *word = fibonacci_text(text_size);
	Set		   *set = powers_set(64);

	build_all(set);
	measure_text(set, same, false, true);
	destroy_all();
	set = power_set(60);
	build_all(set);
	measure_text(set, same, false, true);
	destroy_all();
	set = fibonacci_set();
	build_all(set);
	measure_text(set, word, false, true);
	destroy_all();
}

/* Very many patterns, if data.pl made them. */
static void
many(const char *directory)
{
	static const char *const sets[] = {"paths100k", "paths"};
	size_t		i;

	for (i = 0; i < 2; i++)
	{
		Set		   *set = read_set(directory, sets[i]);

		if (set == NULL)
			continue;
		build_all(set);
		measure_text(set, dense_text(set, text_size), false, false);
		destroy_all();
	}
}

int
main(int argc, char **argv)
{
	if (argc < 2)
	{
		fprintf(stderr, "usage: bench_core DATA [quick]\n");
		return 2;
	}
	/* memory stays in the process: what the kernel takes to hand it out again
	 * is not what the minima are about */
	mallopt(M_MMAP_MAX, 0);
	mallopt(M_TRIM_THRESHOLD, -1);
	if (argc > 2)
	{
		quick = true;
		runs = 7;
		text_size /= 2;
	}
	enlist(peer_ac);
	entries[entry_count++].peer = peer_scalar(0);
	entries[entry_count++].peer = peer_plain(0);
#ifdef WITH_HYPERSCAN
	enlist(peer_hyperscan);
#endif
#ifdef WITH_RE2
	enlist(peer_re2);
#endif
#ifdef WITH_RUST
	enlist(peer_rust);
#endif
	enlist(peer_nodes);
	ordinary(argv[1]);
	adversarial();
	growing(argv[1]);
	many(argv[1]);
	return 0;
}
