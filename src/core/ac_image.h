/*
 * ac_image.h
 *		The layout of an image, format 1, and how to walk the automaton in it.
 *
 * The idea: number the nodes of the trie in preorder, so that the first child
 * of node i is i + 1, and store nothing that follows from something else.  In
 * real rule sets seven nodes of eight have one child, and such a node costs
 * its label and two bits.
 *
 *	 0	magic		4	0x4d414341, "ACAM"; doubles as byte order mark
 *	 4	checksum	4	CRC-32C of everything behind it
 *	 8	format		2	1
 *	10	options		2	AC_BYTEA ...; other bits are zero
 *	12	states		4	nodes of the trie, the root included
 *	16	patterns	4	entries
 *	20	min_len		4	shortest and longest pattern as given, bytes
 *	24	max_len		4
 *	28	size		4	bytes of the image, header and slack included
 *	32	bytes		8	sum of the pattern lengths as given
 *	40	fingerprint	16	of options, ids and patterns in order
 *	56	id_base		8	smallest explicit id; 0 without explicit ids
 *	64	counts			AC_COUNTS numbers, 7 bits a byte, low ones first, the
 *						high bit set in all bytes of a number but its last
 *		sections		as below, each from a byte boundary, without gaps
 *		slack		8	zeros
 *
 * Integers are little-endian.  n = states, m = patterns; packed arrays, sets
 * and tall arrays are those of ac_bits.h, "-> x" tells the values:
 *
 *	alphabet		bytes		the distinct labels, ascending; a label's "code"
 *								is its position here
 *	labels			packed		node 1 .. n-1 -> code of its label
 *	leaves			set of n	nodes without a child
 *	branches		set of n	nodes with several children
 *	edge_starts		set			of the edges, the first one of each branch
 *	edges			tall		children but the first, branch by branch
 *								-> child - branch - 2
 *	leaf_depths		tall		leaf -> its depth
 *	terminals		set of n	nodes that end a key and have children
 *	outputs			set of n	nodes with a proper suffix that is a key
 *	far				set of n	nodes whose output link is stored
 *	far_links		packed		far node -> the node of its longest suffix that
 *								is a key
 *	stored			set of n	nodes whose failure link is not the predicted one
 *	heads			set			of the stored nodes, those whose link is not the
 *								successor of the previous stored node's link
 *	head_links		packed		head -> node
 *	slot_starts		set of m	first slot of each key; none if every key has one
 *	order			packed		slot -> entry; none if that is the identity
 *	winners			packed		key -> which of its slots was given first; none
 *								if that is slot 0 of every key
 *	ids				packed		entry -> id - id_base; none if ids are 1 .. m
 *	respelled		set of m	slots whose spelling is not the key
 *	spelling_ends	packed		respelled slot -> end of its spelling
 *	spellings		bytes
 *
 * Keys are the leaves and terminals in preorder, which is byte order.  A key's
 * entries stand in consecutive slots.
 *
 * Depths.  From any node, first children lead to the next leaf in preorder, so
 *		depth(i) = depth(next leaf) - (next leaf - i).
 *
 * Failure links.  The link of i is the node of the longest proper suffix of
 * i's path that is in the trie.  It is predicted from at most the last
 * AC_PREDICT_DEPTH labels that stand in a row in front of i: the longest
 * suffix of those that is in the trie.  That is wrong only for links that lead
 * deeper, and such links mostly continue each other: after i -> j comes
 * i + 1 -> j + 1; so only the first of such a row holds a target.
 *
 * Output links.  The next shorter key that ends where node i ends is found by
 * following failure links; nodes where that would take more than AC_FAR_HOPS
 * steps store it.
 *
 * Example: the keys "ab" and "b" make the nodes 0 (root), 1 = "a", 2 = "ab",
 * 3 = "b".  Labels a b b; leaves {2, 3}; branches {0}; edges 0 -> 3, stored as
 * 3 - 0 - 2 = 1; leaf depths 2 and 1.  The link of 2 leads to 3, as its last
 * label predicts; outputs {2}.
 *
 * The reader trusts an image that acore_verify has accepted.
 */
#ifndef AC_IMAGE_H
#define AC_IMAGE_H

#include "ac_bits.h"
#include "ac_core.h"

#pragma GCC visibility push(hidden)

#define AC_MAGIC			0x4d414341
#define AC_FORMAT			1
#define AC_PREDICT_DEPTH	3
#define AC_FAR_HOPS			8
#define AC_NO_CODE			0xffff	/* a byte that is no label */

enum
{
	AC_OFFSET_MAGIC = 0,
	AC_OFFSET_CHECKSUM = 4,
	AC_OFFSET_FORMAT = 8,
	AC_OFFSET_OPTIONS = 10,
	AC_OFFSET_STATES = 12,
	AC_OFFSET_PATTERNS = 16,
	AC_OFFSET_MIN_LEN = 20,
	AC_OFFSET_MAX_LEN = 24,
	AC_OFFSET_SIZE = 28,
	AC_OFFSET_BYTES = 32,
	AC_OFFSET_FINGERPRINT = 40,
	AC_OFFSET_ID_BASE = 56
};

/* The counts behind the header, in the order in which they stand there. */
enum
{
	AC_N_ALPHABET,				/* distinct labels */
	AC_N_LEAVES,
	AC_N_BRANCHES,
	AC_N_TERMINALS,
	AC_N_OUTPUTS,
	AC_N_FAR,
	AC_N_STORED,
	AC_N_HEADS,
	AC_N_RESPELLED,
	AC_N_SPELLING_BYTES,
	AC_W_EDGES,					/* width and escapes of the tall arrays */
	AC_N_EDGE_ESCAPES,
	AC_W_DEPTHS,
	AC_N_DEPTH_ESCAPES,
	AC_W_ORDER,					/* widths; 0 where the array is missing */
	AC_W_WINNERS,
	AC_W_IDS,					/* width + 1 */
	AC_COUNTS
};

struct AcImage
{
	const uint8_t *start;
	size_t		size;
	uint32_t	options;
	uint32_t	states;
	uint32_t	patterns;
	uint32_t	keys;
	uint32_t	edge_count;
	uint32_t	counts[AC_COUNTS];
	int64_t		id_base;

	const uint8_t *alphabet;
	AcPacked	labels;
	AcSet		leaves;
	AcSet		branches;
	AcSet		edge_starts;
	AcTall		edges;
	AcTall		leaf_depths;
	AcSet		terminals;
	AcSet		outputs;
	AcSet		far;
	AcPacked	far_links;
	AcSet		stored;
	AcSet		heads;
	AcPacked	head_links;
	AcSet		slot_starts;
	AcPacked	order;
	AcPacked	winners;
	AcPacked	ids;
	AcSet		respelled;
	AcPacked	spelling_ends;
	const uint8_t *spellings;

	/* set by acore_open (ac_automaton.c) */
	uint32_t	max_depth;
	uint8_t		bytes[256];		/* code -> byte */
	uint16_t	codes[256];		/* byte -> code or AC_NO_CODE */
	uint32_t	root_child[256];	/* code -> child of the root or 0 */
};

/* ---------- ac_image.c ---------- */

/*
 * Places the sections that options, states, patterns and counts call for one
 * behind the other from "start" + "offset" on; with "start" NULL only their
 * sizes count.  Answers the offset behind the slack.  Overflow is impossible:
 * all counts are below 2^32.
 */
uint64_t	acore_image_place(AcImage *image, const uint8_t *start,
							  uint64_t offset);

/* Reads header and counts and places the sections, checking only what keeps
 * the sections inside of "size". */
AcStatus	acore_image_read(const void *start, size_t size, AcImage *image);

/* ---------- walking ---------- */

static inline bool
ac_is_leaf(const AcImage *im, uint32_t node)
{
	return ac_set_has(&im->leaves, node);
}

/* Code of the label that leads to a node other than the root. */
static inline uint32_t
ac_label(const AcImage *im, uint32_t node)
{
	return (uint32_t) ac_packed_get(&im->labels, (uint64_t) node - 1);
}

/* The goto function within the trie: the child by a code, or 0. */
static inline uint32_t
ac_child(const AcImage *im, uint32_t node, uint32_t code)
{
	uint32_t	branch;
	uint32_t	low;
	uint32_t	high;

	if (node == 0)
		return im->root_child[code];
	if (ac_is_leaf(im, node))
		return 0;
	if (ac_label(im, node + 1) == code)
		return node + 1;
	if (!ac_set_has(&im->branches, node))
		return 0;

	branch = ac_set_rank(&im->branches, node);
	low = ac_set_select(&im->edge_starts, branch);
	high = branch + 1 < im->counts[AC_N_BRANCHES] ?
		ac_set_select(&im->edge_starts, branch + 1) : im->edge_count;
	while (low < high)
	{
		uint32_t	mid = low + (high - low) / 2;
		uint32_t	child = node + 2 + (uint32_t) ac_tall_get(&im->edges, mid);
		uint32_t	label = ac_label(im, child);

		if (label == code)
			return child;
		if (label < code)
			low = mid + 1;
		else
			high = mid;
	}
	return 0;
}

static inline uint32_t
ac_depth(const AcImage *im, uint32_t node)
{
	uint32_t	leaf = ac_set_rank(&im->leaves, node);

	return (uint32_t) ac_tall_get(&im->leaf_depths, leaf) -
		(ac_set_select(&im->leaves, leaf) - node);
}

static inline bool
ac_is_terminal(const AcImage *im, uint32_t node)
{
	return ac_set_has(&im->terminals, node) ||
		(node != 0 && ac_is_leaf(im, node));
}

/* The key that a terminal node ends. */
static inline uint32_t
ac_node_key(const AcImage *im, uint32_t node)
{
	return ac_set_rank(&im->leaves, node) + ac_set_rank(&im->terminals, node);
}

/*
 * How many labels a prediction may use: those of the nodes in a row up to
 * "node", fewer than its depth.
 */
static inline uint32_t
ac_predict_labels(const AcImage *im, uint32_t node)
{
	uint32_t	labels = 1;
	uint32_t	depth;

	while (labels < AC_PREDICT_DEPTH && node - labels > 0 &&
		   !ac_is_leaf(im, node - labels))
		labels++;
	depth = ac_depth(im, node);
	return labels < depth ? labels : depth - 1;
}

/* The failure link of a node other than the root. */
static inline uint32_t
ac_fail(const AcImage *im, uint32_t node)
{
	uint32_t	labels;

	if (ac_set_has(&im->stored, node))
	{
		uint32_t	rank = ac_set_rank(&im->stored, node);
		uint32_t	head = ac_set_rank(&im->heads, rank + 1) - 1;

		return (uint32_t) ac_packed_get(&im->head_links, head) +
			rank - ac_set_select(&im->heads, head);
	}
	for (labels = ac_predict_labels(im, node); labels > 0; labels--)
	{
		uint32_t	at = 0;
		uint32_t	i;

		for (i = labels; i > 0; i--)
		{
			at = ac_child(im, at, ac_label(im, node - i + 1));
			if (at == 0)
				break;
		}
		if (at != 0)
			return at;
	}
	return 0;
}

/*
 * The longest proper suffix of a node that is a key, or 0.  The bound keeps an
 * image whose sets contradict each other from costing more than a right one.
 */
static inline uint32_t
ac_output(const AcImage *im, uint32_t node)
{
	int			hops;

	if (!ac_set_has(&im->outputs, node))
		return 0;
	for (hops = 0; hops <= AC_FAR_HOPS && node != 0; hops++)
	{
		if (ac_set_has(&im->far, node))
			return (uint32_t) ac_packed_get(&im->far_links,
											ac_set_rank(&im->far, node));
		node = ac_fail(im, node);
		if (ac_is_terminal(im, node))
			return node;
	}
	return 0;
}

#pragma GCC visibility pop

#endif							/* AC_IMAGE_H */
