/*
 * ac_trie.h
 *		The automaton while it is built: flat arrays over preorder numbers.
 */
#ifndef AC_TRIE_H
#define AC_TRIE_H

#include "ac_bits.h"
#include "ac_core.h"
#include "ac_work.h"

#pragma GCC visibility push(hidden)

/* A bitmap of nodes with a directory for rank; see ac_trie_rank. */
typedef struct AcNodeSet
{
	uint64_t   *words;
	uint32_t   *before;			/* members before each word; NULL until
								 * counted */
	uint32_t	count;
} AcNodeSet;

/*
 * Node i's label is labels[i], its failure link fail[i].  A "row" is a run of
 * nodes that are first children of each other: it begins with node 1 or
 * behind a leaf, and ends with a leaf.
 */
typedef struct AcTrie
{
	uint32_t	states;
	uint32_t	keys;
	uint32_t	rows;			/* as many as leaves */
	uint32_t	max_depth;
	uint8_t    *labels;
	uint32_t   *fail;
	uint8_t    *notes;			/* see ac_trie.c; done with when linked */

	uint32_t   *row_start;		/* first node of each row; one more at the end */
	uint32_t   *row_depth;		/* its depth */
	uint32_t   *row_parent;		/* its parent */

	AcNodeSet	leaves;
	AcNodeSet	branches;
	AcNodeSet	terminals;		/* nodes that end a key and have children */
	AcNodeSet	outputs;
	AcNodeSet	far;
	AcNodeSet	stored;

	uint32_t   *far_links;		/* output links of the far nodes, in order */
	uint32_t   *edge_begin;		/* per branch; one more at the end */
	uint32_t   *edge_child;

	uint64_t   *slot_starts;	/* bitmap: slots that begin a key */
} AcTrie;

static inline bool
ac_node_has(const AcNodeSet *set, uint32_t node)
{
	return (set->words[node / 64] >> (node % 64)) & 1;
}

static inline void
ac_node_add(AcNodeSet *set, uint32_t node)
{
	uint64_t	bit = UINT64_C(1) << (node % 64);

	set->count += (set->words[node / 64] & bit) == 0;
	set->words[node / 64] |= bit;
}

/* Members below a node; the set has been counted. */
static inline uint32_t
ac_node_rank(const AcNodeSet *set, uint32_t node)
{
	return set->before[node / 64] +
		ac_popcount(set->words[node / 64] & ac_low_bits(node % 64));
}

/* The last node of a row. */
static inline uint32_t
ac_row_leaf(const AcTrie *trie, uint32_t row)
{
	return trie->row_start[row + 1] - 1;
}

/* The depth of the last node of a row. */
static inline uint32_t
ac_row_leaf_depth(const AcTrie *trie, uint32_t row)
{
	return trie->row_depth[row] +
		ac_row_leaf(trie, row) - trie->row_start[row];
}

/*
 * Builds trie, failure and output links of the patterns in
 * rules, which acore_sort() has put into "order"; all arrays come from work.
 * Time: linear in the bytes of the patterns.
 * Errors: AC_E_MEMORY, AC_E_INTERRUPTED, AC_E_TOO_LARGE when the labels alone
 * would pass max_size.
 */
AcStatus	acore_trie_build(const AcRules *rules, const uint32_t *order,
							 uint64_t max_size, AcWork *work, AcTrie *trie);

#pragma GCC visibility pop

#endif							/* AC_TRIE_H */
