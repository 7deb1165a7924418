/*
 * ac_nodes.h
 *		An image decoded: one array element a node instead of bit fields.
 *
 * Workspace for deriving the engine from an image, dropped when that is done.
 */
#ifndef AC_NODES_H
#define AC_NODES_H

#include "ac_image.h"
#include "ac_work.h"

#pragma GCC visibility push(hidden)

/* An output: a key, and the next shorter one that ends at the same place. */
typedef struct AcOutput
{
	uint32_t	length;
	uint32_t	next;			/* AC_NO_OUTPUT behind the shortest */
} AcOutput;

enum AcNodeFlags
{
	AC_NODE_LEAF = 1,
	AC_NODE_BRANCH = 2,
	AC_NODE_TERMINAL = 4,
	AC_NODE_STORED = 8,			/* its failure link is stored */
	AC_NODE_DENSE = 16			/* left to ac_engine.c */
};

typedef struct AcNodes
{
	const AcImage *image;
	uint8_t    *code;			/* of the label */
	uint8_t    *flags;			/* AcNodeFlags */
	uint32_t   *depth;
	uint32_t   *fail;
	uint32_t   *first_key;		/* first output, or AC_NO_OUTPUT */
	uint32_t   *by_depth;		/* nodes ordered by depth */
	uint32_t   *edge_begin;		/* a branch; one more at the end */
	uint32_t   *edge_child;
} AcNodes;

/*
 * Decodes all of a verified image, the arrays being taken from "work".
 * outputs[] has an element a key.  Errors: AC_E_MEMORY, AC_E_INTERRUPTED.
 */
AcStatus	acore_nodes_decode(AcNodes *nodes, const AcImage *image,
							   AcWork *work, AcOutput *outputs);

static inline uint32_t
ac_child_count(const AcNodes *nodes, uint32_t node)
{
	uint32_t	branch;

	if (nodes->flags[node] & AC_NODE_LEAF)
		return 0;
	if ((nodes->flags[node] & AC_NODE_BRANCH) == 0)
		return 1;
	branch = ac_set_rank(&nodes->image->branches, node);
	return 1 + nodes->edge_begin[branch + 1] - nodes->edge_begin[branch];
}

/* Child number n of a node, in the order of codes; 0 behind the last. */
static inline uint32_t
ac_nth_child(const AcNodes *nodes, uint32_t node, uint32_t n)
{
	uint32_t	branch;
	uint32_t	edge;

	if (n == 0)
		return nodes->flags[node] & AC_NODE_LEAF ? 0 : node + 1;
	if ((nodes->flags[node] & AC_NODE_BRANCH) == 0)
		return 0;
	branch = ac_set_rank(&nodes->image->branches, node);
	edge = nodes->edge_begin[branch] + n - 1;
	return edge < nodes->edge_begin[branch + 1] ? nodes->edge_child[edge] : 0;
}

#pragma GCC visibility pop

#endif							/* AC_NODES_H */
