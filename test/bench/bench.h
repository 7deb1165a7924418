/*
 * bench.h
 *		What the parts of the benchmark share.
 *
 * A peer is one way to match many patterns.  All peers run in one process over
 * the same bytes and must find the same: they report the number of matches
 * and a sum over their positions, which are compared.
 */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

/* A set of patterns: pattern i is pool[offsets[i] .. offsets[i + 1]). */
typedef struct Set
{
	const char *name;
	uint32_t	count;
	uint32_t	longest;
	const uint8_t *pool;
	const uint64_t *offsets;
} Set;

/* A text, cut into records: record i is bytes[cuts[i] .. cuts[i + 1]). */
typedef struct Text
{
	const char *name;
	const uint8_t *bytes;
	size_t		size;
	size_t	   *cuts;
	size_t		records;
} Text;

/* What was found: a count, and the sum of all ends and lengths. */
typedef struct Found
{
	uint64_t	count;
	uint64_t	sum;
} Found;

/* Seconds that a part of making an automaton took, if it has that part. */
typedef struct Extra
{
	double		verify;			/* proving an image sound */
	double		load;			/* image -> ready to match */
	size_t		image;			/* bytes of the stored form */
	size_t		states;
} Extra;

typedef struct Peer
{
	const char *name;
	/* makes an automaton, or NULL if it cannot be made of this set */
	void	   *(*build) (const Set *set);
	void		(*destroy) (void *automaton);
	/* bytes needed for matching */
	size_t		(*size) (void *automaton);
	/* every occurrence of every pattern; NULL: not offered */
	Found		(*all) (void *automaton, const uint8_t *text, size_t size);
	/* whether anything matches; NULL: not offered */
	bool		(*any) (void *automaton, const uint8_t *text, size_t size);
	/* more figures; may be NULL */
	void		(*extra) (void *automaton, Extra *extra);
	/* most patterns worth waiting for; 0: no limit */
	uint32_t	most_patterns;
} Peer;

/* Each answers its peers one after another, then NULL. */
extern const Peer *peer_ac(int index);
extern const Peer *peer_scalar(int index);
extern const Peer *peer_plain(int index);
extern const Peer *peer_nodes(int index);
extern const Peer *peer_hyperscan(int index);
extern const Peer *peer_re2(int index);
extern const Peer *peer_rust(int index);

/* memory.c: bytes allocated by anybody in this process. */
extern size_t memory_now(void);
extern size_t memory_peak(void);
extern void memory_mark(void);	/* forgets the peak and the calls */
extern size_t memory_calls(void);

/* text.c */
extern void *must(void *pointer);
extern Set *read_set(const char *directory, const char *name);
extern Set *make_set(const char *name, uint32_t count, const uint8_t *pool,
					 const uint64_t *offsets);
extern Text *read_text(const char *directory, const char *name,
					   size_t most);
extern Text *line_text(const Text *text, size_t size);
extern Text *dense_text(const Set *set, size_t size);
extern Text *random_text(const Set *set, size_t size);
extern Text *nearly_text(const Set *set, size_t size);
extern Text *pieces_text(const Set *set, size_t size);
extern Text *same_text(size_t size);
extern Text *fibonacci_text(size_t size);
extern Set *powers_set(uint32_t count);
extern Set *power_set(uint32_t length);
extern Set *fibonacci_set(void);

#ifdef __cplusplus
}
#endif

#endif							/* BENCH_H */
