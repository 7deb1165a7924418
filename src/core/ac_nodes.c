/*
 * ac_nodes.c
 *		An image decoded: one array element a node instead of bit fields.
 *
 * Every array is filled in one pass over what the image stores in order, so
 * that nothing is looked up by rank or select.
 */
#include "ac_nodes.h"

#include "ac_step.h"

#define LINK_STEPS		16		/* that finding a link may take */

static bool
take_arrays(AcNodes *nodes, AcWork *work)
{
	const AcImage *im = nodes->image;
	uint32_t	n = im->states;

	nodes->code = acore_work_take(work, n, 1);
	nodes->flags = acore_work_zero(work, n, 1);
	nodes->depth = acore_work_take(work, n, sizeof(uint32_t));
	nodes->fail = acore_work_take(work, n, sizeof(uint32_t));
	nodes->first_key = acore_work_take(work, n, sizeof(uint32_t));
	nodes->by_depth = acore_work_take(work, n, sizeof(uint32_t));
	nodes->edge_begin = acore_work_take(work,
										im->counts[AC_N_BRANCHES] + UINT64_C(1),
										sizeof(uint32_t));
	nodes->edge_child = acore_work_take(work, im->edge_count,
										sizeof(uint32_t));
	return nodes->code != NULL && nodes->flags != NULL &&
		nodes->depth != NULL && nodes->fail != NULL &&
		nodes->first_key != NULL && nodes->by_depth != NULL &&
		nodes->edge_begin != NULL && nodes->edge_child != NULL;
}

static void
flag_members(AcNodes *nodes, const AcSet *set, uint8_t flag)
{
	AcSetWalk	walk = ac_walk_set(set);
	uint32_t	i;

	for (i = 0; i < set->count; i++)
		nodes->flags[ac_next_member(&walk)] |= flag;
}

/* Flags, codes and depths of all nodes. */
static void
decode_nodes(AcNodes *nodes, AcWork *work)
{
	const AcImage *im = nodes->image;
	AcSetWalk	leaves = ac_walk_set(&im->leaves);
	uint32_t	node;
	uint32_t	row;

	flag_members(nodes, &im->leaves, AC_NODE_LEAF | AC_NODE_TERMINAL);
	flag_members(nodes, &im->terminals, AC_NODE_TERMINAL);
	flag_members(nodes, &im->branches, AC_NODE_BRANCH);
	flag_members(nodes, &im->stored, AC_NODE_STORED);
	nodes->code[0] = 0;
	nodes->depth[0] = 0;
	for (node = 1; node < im->states && !ac_work_turn(work, node); node++)
		nodes->code[node] = (uint8_t) ac_label(im, node);
	for (row = 0, node = 1; row < im->counts[AC_N_LEAVES]; row++)
	{
		uint32_t	leaf = ac_next_member(&leaves);
		uint32_t	depth = (uint32_t) ac_tall_get(&im->leaf_depths, row) -
			(leaf - node);

		for (; node <= leaf && !ac_work_turn(work, node); node++)
			nodes->depth[node] = depth++;
		if (work->interrupted)
			return;
	}
}

static void
decode_edges(AcNodes *nodes, AcWork *work)
{
	const AcImage *im = nodes->image;
	AcSetWalk	branches = ac_walk_set(&im->branches);
	AcSetWalk	starts = ac_walk_set(&im->edge_starts);
	uint32_t	count = im->counts[AC_N_BRANCHES];
	uint32_t	branch;
	uint32_t	edge;

	for (branch = 0; branch < count && !ac_work_turn(work, branch); branch++)
		nodes->edge_begin[branch] = ac_next_member(&starts);
	nodes->edge_begin[count] = im->edge_count;
	for (branch = 0; branch < count && !ac_work_turn(work, branch); branch++)
	{
		uint32_t	node = ac_next_member(&branches);

		for (edge = nodes->edge_begin[branch];
			 edge < nodes->edge_begin[branch + 1]; edge++)
			nodes->edge_child[edge] = node + 2 +
				(uint32_t) ac_tall_get(&im->edges, edge);
	}
}

/* The child of a node by a code, or 0. */
static uint32_t
child(const AcNodes *nodes, uint32_t node, uint8_t code)
{
	uint32_t	branch;
	uint32_t	low;
	uint32_t	high;

	if (node == 0)
		return nodes->image->root_child[code];
	if (nodes->flags[node] & AC_NODE_LEAF)
		return 0;
	if (nodes->code[node + 1] == code)
		return node + 1;
	if ((nodes->flags[node] & AC_NODE_BRANCH) == 0)
		return 0;
	branch = ac_set_rank(&nodes->image->branches, node);
	low = nodes->edge_begin[branch];
	high = nodes->edge_begin[branch + 1];
	while (low < high)
	{
		uint32_t	mid = low + (high - low) / 2;
		uint32_t	at = nodes->edge_child[mid];

		if (nodes->code[at] == code)
			return at;
		if (nodes->code[at] < code)
			low = mid + 1;
		else
			high = mid;
	}
	return 0;
}

/*
 * Failure links: the stored ones, and the predicted ones as ac_fail() finds
 * them.  suffix[k] is the node of the last k labels of the row, or 0; it
 * follows from suffix[k - 1] of the node before.
 */
static void
decode_links(AcNodes *nodes, AcWork *work)
{
	const AcImage *im = nodes->image;
	AcSetWalk	heads = ac_walk_set(&im->heads);
	uint32_t	head = ac_next_member(&heads);
	uint32_t	suffix[AC_PREDICT_DEPTH + 1] = {0};
	uint32_t	rank = 0;
	uint32_t	link = 0;
	uint32_t	node;
	uint32_t	k;

	nodes->fail[0] = 0;
	for (node = 1; node < im->states; node++)
	{
		if (ac_work_poll(work, LINK_STEPS))
			return;
		if (nodes->flags[node - 1] & AC_NODE_LEAF)
			memset(suffix, 0, sizeof(suffix));
		for (k = AC_PREDICT_DEPTH; k > 0; k--)
			suffix[k] = k > 1 && suffix[k - 1] == 0 ? 0 :
				child(nodes, suffix[k - 1], nodes->code[node]);
		if ((nodes->flags[node] & AC_NODE_STORED) == 0)
		{
			for (k = AC_PREDICT_DEPTH; k > 0; k--)
				if (suffix[k] != 0 && k < nodes->depth[node])
					break;
			nodes->fail[node] = suffix[k];
			continue;
		}
		link++;
		if (rank++ == head)
		{
			link = (uint32_t) ac_packed_get(&im->head_links, heads.next - 1);
			head = ac_next_member(&heads);
		}
		nodes->fail[node] = link;
	}
}

/* Orders nodes by depth: a counting sort. */
static AcStatus
order_nodes(AcNodes *nodes, AcWork *work)
{
	uint64_t	depths = (uint64_t) nodes->image->max_depth + 2;
	uint32_t   *places = acore_work_zero(work, depths, sizeof(uint32_t));
	uint64_t	i;

	if (places == NULL)
		return AC_E_MEMORY;
	for (i = 0; i < nodes->image->states && !ac_work_turn(work, i); i++)
		places[nodes->depth[i] + 1]++;
	for (i = 1; i < depths && !ac_work_turn(work, i); i++)
		places[i] += places[i - 1];
	for (i = 0; i < nodes->image->states && !ac_work_turn(work, i); i++)
		nodes->by_depth[places[nodes->depth[i]]++] = (uint32_t) i;
	acore_work_drop(work, places);
	return work->interrupted ? AC_E_INTERRUPTED : AC_OK;
}

/* Outputs: those of a node's failure link follow its own. */
static void
link_outputs(AcNodes *nodes, AcWork *work, AcOutput *outputs)
{
	uint32_t	key = 0;
	uint32_t	node;
	uint32_t	i;

	for (node = 1; node < nodes->image->states && !ac_work_turn(work, node);
		 node++)
	{
		if ((nodes->flags[node] & AC_NODE_TERMINAL) == 0)
			continue;
		outputs[key].length = nodes->depth[node];
		nodes->first_key[node] = key++;
	}
	nodes->first_key[0] = AC_NO_OUTPUT;
	for (i = 1; i < nodes->image->states; i++)
	{
		uint32_t	next;

		if (ac_work_poll(work, LINK_STEPS))
			return;

		node = nodes->by_depth[i];
		next = nodes->first_key[nodes->fail[node]];
		if (nodes->flags[node] & AC_NODE_TERMINAL)
			outputs[nodes->first_key[node]].next = next;
		else
			nodes->first_key[node] = next;
	}
}


AcStatus
acore_nodes_decode(AcNodes *nodes, const AcImage *image, AcWork *work,
				   AcOutput *outputs)
{
	AcStatus	status;

	nodes->image = image;
	if (!take_arrays(nodes, work))
		return AC_E_MEMORY;
	decode_nodes(nodes, work);
	decode_edges(nodes, work);
	/* what follows relies on all of it */
	if (work->interrupted)
		return AC_E_INTERRUPTED;
	status = order_nodes(nodes, work);
	if (status != AC_OK)
		return status;
	decode_links(nodes, work);
	if (work->interrupted)
		return AC_E_INTERRUPTED;
	link_outputs(nodes, work, outputs);
	return work->interrupted ? AC_E_INTERRUPTED : AC_OK;
}
