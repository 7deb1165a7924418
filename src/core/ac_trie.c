/*
 * ac_trie.c
 *		From sorted patterns to a trie with failure and output links.
 *
 * The idea: sorted patterns visit the trie in preorder.  What a pattern does
 * not share with the one before it is a run of new nodes, numbered onwards; so
 * a first pass over the patterns counts the nodes, and a second one writes
 * their labels into one array.  There are no nodes to allocate and no pointers
 * to follow, only the few arrays of AcTrie.
 *
 *	sorted		shares		new nodes			row
 *	he			0			1 = h, 2 = e		0 (no leaf yet: "hers" goes on)
 *	hers		2			3 = r, 4 = s		0, leaf 4
 *	his			1			5 = i, 6 = s		1, child of 1, leaf 6
 *	she			0			7 = s, 8 = h, 9 = e	2, child of 0, leaf 9
 *
 * Failure links are those of Aho and Corasick, "Efficient string matching",
 * CACM 18 (1975), algorithm 3: along the path of a pattern the depth of the
 * link grows by at most one a node, so that all steps back are paid for by
 * the bytes of the patterns.  The paper goes level by level, since a link
 * depends on less deep nodes only.  Here they are made row by row, which stays
 * in one place of the memory, and what a node depends on is linked first where
 * that has not been done yet.
 *
 * notes[i] keeps, until all links are there, min(depth, 15) in its low four
 * bits and in the high four how many failure links ac_output() (ac_image.h)
 * follows from node i.
 */
#include "ac_trie.h"

#include "ac_image.h"

#define SAME_KEY		UINT32_MAX	/* "shares" of a pattern equal to the last */
#define NODE_STEPS		8			/* what linking a node is worth */

typedef struct Shape
{
	const AcRules *rules;
	const uint32_t *order;
	uint32_t   *shares;			/* slot -> leading bytes shared with the slot
								 * before */
	AcTrie	   *trie;
	AcWork	   *work;
} Shape;

static AcSpan
slot_pattern(const Shape *shape, uint32_t slot)
{
	uint32_t	entry = shape->order[slot];
	uint64_t	begin = shape->rules->offsets[entry];
	AcSpan		span;

	span.data = shape->rules->pool + begin;
	span.size = (size_t) (shape->rules->offsets[entry + 1] - begin);
	return span;
}

static size_t
shared_prefix(AcSpan a, AcSpan b)
{
	const uint8_t *p = a.data;
	const uint8_t *q = b.data;
	size_t		limit = a.size < b.size ? a.size : b.size;
	size_t		i = 0;

	while (i + 8 <= limit && ac_load64(p + i) == ac_load64(q + i))
		i += 8;
	while (i < limit && p[i] == q[i])
		i++;
	return i;
}

/* First pass: what each pattern shares, and how large everything gets. */
static AcStatus
measure(Shape *shape, uint64_t max_size)
{
	AcTrie	   *trie = shape->trie;
	AcSpan		last = {NULL, 0};
	uint64_t	states = 1;
	uint32_t	slot;

	for (slot = 0; slot < shape->rules->count; slot++)
	{
		AcSpan		pattern = slot_pattern(shape, slot);
		size_t		shared = slot == 0 ? 0 : shared_prefix(last, pattern);

		if (ac_work_poll(shape->work, NODE_STEPS + shared / 64))
			return AC_E_INTERRUPTED;
		if (pattern.size > trie->max_depth)
			trie->max_depth = (uint32_t) pattern.size;
		if (slot > 0 && shared == pattern.size && shared == last.size)
		{
			shape->shares[slot] = SAME_KEY;
			continue;
		}
		/* a pattern that the last one does not lead to starts a row */
		if (slot == 0 || shared < last.size)
			trie->rows++;
		shape->shares[slot] = (uint32_t) shared;
		trie->keys++;
		states += pattern.size - shared;
		last = pattern;
	}

	/* a label takes at least one bit, and node numbers 32 */
	if (states / 8 > max_size || states > UINT32_MAX - AC_RANK_BITS)
		return AC_E_TOO_LARGE;
	trie->states = (uint32_t) states;
	return AC_OK;
}

static bool
take_node_set(AcWork *work, AcNodeSet *set, uint32_t states)
{
	set->words = acore_work_zero(work, states / 64 + 1, sizeof(uint64_t));
	return set->words != NULL;
}

static bool
take_arrays(Shape *shape)
{
	AcTrie	   *trie = shape->trie;
	AcWork	   *work = shape->work;
	uint32_t	states = trie->states;

	trie->labels = acore_work_take(work, states, 1);
	trie->row_start = acore_work_take(work, (uint64_t) trie->rows + 1,
									  sizeof(uint32_t));
	trie->row_depth = acore_work_take(work, trie->rows, sizeof(uint32_t));
	trie->row_parent = acore_work_take(work, trie->rows, sizeof(uint32_t));
	trie->slot_starts = acore_work_zero(work, shape->rules->count / 64 + 1,
										sizeof(uint64_t));
	return trie->labels != NULL && trie->row_start != NULL &&
		trie->row_depth != NULL && trie->row_parent != NULL &&
		trie->slot_starts != NULL &&
		take_node_set(work, &trie->leaves, states) &&
		take_node_set(work, &trie->branches, states) &&
		take_node_set(work, &trie->terminals, states) &&
		take_node_set(work, &trie->outputs, states) &&
		take_node_set(work, &trie->far, states) &&
		take_node_set(work, &trie->stored, states);
}

/*
 * The node at a depth on the path to the last node written.  "open" holds the
 * rows on that path, deepest last; rows deeper than "depth" are closed.
 */
static uint32_t
path_node(const AcTrie *trie, const uint32_t *open, uint32_t *opened,
		  uint32_t depth)
{
	while (*opened > 0 && trie->row_depth[open[*opened - 1]] > depth)
		(*opened)--;
	if (*opened == 0)
		return 0;
	return trie->row_start[open[*opened - 1]] + depth -
		trie->row_depth[open[*opened - 1]];
}

/* Second pass: labels, rows, leaves, branches, terminals. */
static AcStatus
grow(Shape *shape)
{
	AcTrie	   *trie = shape->trie;
	uint32_t   *open = acore_work_take(shape->work, trie->rows,
									   sizeof(uint32_t));
	uint32_t	opened = 0;
	uint32_t	next = 1;
	uint32_t	row = 0;
	uint32_t	depth = 0;		/* of node next - 1 */
	uint32_t	slot;

	if (open == NULL)
		return AC_E_MEMORY;
	for (slot = 0; slot < shape->rules->count; slot++)
	{
		AcSpan		pattern = slot_pattern(shape, slot);
		uint32_t	shared = shape->shares[slot];

		if (ac_work_poll(shape->work, NODE_STEPS))
			return AC_E_INTERRUPTED;
		if (shared == SAME_KEY)
			continue;
		trie->slot_starts[slot / 64] |= UINT64_C(1) << (slot % 64);
		if (slot > 0 && shared == depth)
			ac_node_add(&trie->terminals, next - 1);
		else
		{
			uint32_t	parent = path_node(trie, open, &opened, shared);

			if (slot > 0)
			{
				ac_node_add(&trie->leaves, next - 1);
				ac_node_add(&trie->branches, parent);
			}
			trie->row_start[row] = next;
			trie->row_depth[row] = shared + 1;
			trie->row_parent[row] = parent;
			open[opened++] = row++;
		}
		acore_work_copy(shape->work, trie->labels + next,
						(const uint8_t *) pattern.data + shared,
						pattern.size - shared);
		depth = (uint32_t) pattern.size;
		next += depth - shared;
	}
	ac_node_add(&trie->leaves, next - 1);
	trie->row_start[row] = next;
	acore_work_drop(shape->work, open);
	return shape->work->interrupted ? AC_E_INTERRUPTED : AC_OK;
}

static bool
count_node_set(AcWork *work, AcNodeSet *set, uint32_t states)
{
	uint32_t	sum = 0;
	uint32_t	i;

	set->before = acore_work_take(work, states / 64 + 1, sizeof(uint32_t));
	if (set->before == NULL)
		return false;
	for (i = 0; i <= states / 64; i++)
	{
		set->before[i] = sum;
		sum += ac_popcount(set->words[i]);
	}
	return true;
}

/* Sorts the edges to all but first children by branch: a counting sort. */
static AcStatus
collect_edges(AcTrie *trie, AcWork *work)
{
	uint32_t	branches = trie->branches.count;
	uint32_t	row;
	uint32_t	i;

	if (!count_node_set(work, &trie->branches, trie->states))
		return AC_E_MEMORY;
	trie->edge_begin = acore_work_zero(work, (uint64_t) branches + 2,
									   sizeof(uint32_t));
	trie->edge_child = acore_work_take(work, trie->rows, sizeof(uint32_t));
	if (trie->edge_begin == NULL || trie->edge_child == NULL)
		return AC_E_MEMORY;
	/* row 0 leads to a first child */
	for (row = 1; row < trie->rows; row++)
	{
		trie->edge_begin[ac_node_rank(&trie->branches,
									  trie->row_parent[row]) + 2]++;
		if (ac_work_turn(work, row))
			return AC_E_INTERRUPTED;
	}
	for (i = 2; i < branches + 2; i++)
		trie->edge_begin[i] += trie->edge_begin[i - 1];
	for (row = 1; row < trie->rows; row++)
	{
		uint32_t	branch = ac_node_rank(&trie->branches,
										  trie->row_parent[row]);

		trie->edge_child[trie->edge_begin[branch + 1]++] =
			trie->row_start[row];
		if (ac_work_turn(work, row))
			return AC_E_INTERRUPTED;
	}
	return AC_OK;
}

/* ---------- links ---------- */

#define UNLINKED		UINT32_MAX

/* A row that is being linked, from one node up to another. */
typedef struct Linking
{
	uint32_t	row;
	uint32_t	node;			/* the next one */
	uint32_t	last;
	uint32_t	from;			/* where its link goes on from, or UNLINKED */
} Linking;

typedef struct Linker
{
	AcTrie	   *trie;
	AcWork	   *work;
	uint32_t	root_child[256];
	Linking    *stack;			/* each waits for the one above */
	uint32_t	depth;
} Linker;

/* The goto function within the trie: the child by a label, or 0. */
static uint32_t
child(const Linker *linker, uint32_t node, uint8_t label)
{
	const AcTrie *trie = linker->trie;
	uint32_t	branch;
	uint32_t	low;
	uint32_t	high;

	if (node == 0)
		return linker->root_child[label];
	if (ac_node_has(&trie->leaves, node))
		return 0;
	if (trie->labels[node + 1] == label)
		return node + 1;
	if (!ac_node_has(&trie->branches, node))
		return 0;
	branch = ac_node_rank(&trie->branches, node);
	low = trie->edge_begin[branch];
	high = trie->edge_begin[branch + 1];
	while (low < high)
	{
		uint32_t	mid = low + (high - low) / 2;
		uint8_t		at = trie->labels[trie->edge_child[mid]];

		if (at == label)
			return trie->edge_child[mid];
		if (at < label)
			low = mid + 1;
		else
			high = mid;
	}
	return 0;
}

static bool
ends_key(const AcTrie *trie, uint32_t node)
{
	return ac_node_has(&trie->leaves, node) ||
		ac_node_has(&trie->terminals, node);
}

/*
 * Finds the failure link of a node that is deeper than 1.  Answers 0, or the
 * node that has to be linked first.
 */
static uint32_t
find_link(const Linker *linker, Linking *at, uint32_t parent, uint32_t *link)
{
	const uint32_t *fail = linker->trie->fail;
	uint8_t		label = linker->trie->labels[at->node];

	if (at->from == UNLINKED)
		at->from = fail[parent];
	if (at->from == UNLINKED)
		return parent;
	while ((*link = child(linker, at->from, label)) == 0 && at->from != 0)
	{
		if (fail[at->from] == UNLINKED)
			return at->from;
		at->from = fail[at->from];
	}
	return fail[*link] == UNLINKED ? *link : 0;
}

/* Sets what follows from the failure link of a node; "predicted" as in
 * ac_predict_labels(). */
static void
set_link(AcTrie *trie, uint32_t node, uint32_t depth, uint32_t predicted,
		 uint32_t link)
{
	uint32_t	hops = 0;

	trie->fail[node] = link;
	if (link != 0 && ends_key(trie, link))
		hops = 1;
	else if (ac_node_has(&trie->outputs, link))
		hops = ac_node_has(&trie->far, link) ? 1 :
			1 + (trie->notes[link] >> 4);
	if (hops > 0)
		ac_node_add(&trie->outputs, node);
	if (hops > AC_FAR_HOPS)
		ac_node_add(&trie->far, node);

	if (predicted > AC_PREDICT_DEPTH)
		predicted = AC_PREDICT_DEPTH;
	if ((trie->notes[link] & 15) > predicted)
		ac_node_add(&trie->stored, node);
	trie->notes[node] = (uint8_t) ((depth < 15 ? depth : 15) | hops << 4);
}

/* Links the next node of a row.  Answers as find_link(). */
static uint32_t
link_node(Linker *linker, Linking *at)
{
	AcTrie	   *trie = linker->trie;
	uint32_t	in_row = at->node - trie->row_start[at->row] + 1;
	uint32_t	depth = trie->row_depth[at->row] + in_row - 1;
	uint32_t	parent = in_row == 1 ? trie->row_parent[at->row] :
		at->node - 1;
	uint32_t	link = 0;

	if (depth > 1)
	{
		uint32_t	first = find_link(linker, at, parent, &link);

		if (first != 0)
			return first;
	}
	set_link(trie, at->node, depth, in_row < depth ? in_row : depth - 1,
			 link);
	at->node++;
	at->from = UNLINKED;
	return 0;
}

/* A node is to be linked, and before it what its row lacks. */
static void
push_row(Linker *linker, uint32_t node)
{
	const AcTrie *trie = linker->trie;
	uint32_t	row = ac_node_rank(&trie->leaves, node);
	uint32_t	first = node;

	while (first > trie->row_start[row] && trie->fail[first - 1] == UNLINKED)
		first--;
	linker->stack[linker->depth++] = (Linking) {row, first, node, UNLINKED};
}

/* Links a whole row, and all that it depends on. */
static AcStatus
link_row(Linker *linker, uint32_t row)
{
	push_row(linker, ac_row_leaf(linker->trie, row));
	while (linker->depth > 0)
	{
		Linking    *at = &linker->stack[linker->depth - 1];
		uint32_t	first = link_node(linker, at);

		if (first != 0)
			push_row(linker, first);
		else if (at->node > at->last)
			linker->depth--;
		if (ac_work_poll(linker->work, NODE_STEPS))
			return AC_E_INTERRUPTED;
	}
	return AC_OK;
}

static AcStatus
link_all(AcTrie *trie, AcWork *work)
{
	Linker		linker = {.trie = trie,.work = work};
	uint32_t	row;
	uint32_t	i;
	AcStatus	status = AC_OK;

	/* what waits for each other stands in different rows at different depths */
	linker.stack = acore_work_take(work, trie->rows < trie->max_depth ?
								   trie->rows : trie->max_depth,
								   sizeof(Linking));
	if (linker.stack == NULL ||
		!count_node_set(work, &trie->leaves, trie->states))
		return AC_E_MEMORY;
	acore_work_fill(work, trie->fail, UNLINKED & 0xff,
					trie->states * sizeof(uint32_t));
	trie->fail[0] = 0;
	trie->notes[0] = 0;
	linker.root_child[trie->labels[1]] = 1;
	if (ac_node_has(&trie->branches, 0))
		for (i = 0; i < trie->edge_begin[1]; i++)
			linker.root_child[trie->labels[trie->edge_child[i]]] =
				trie->edge_child[i];
	for (row = 0; row < trie->rows && status == AC_OK; row++)
		if (trie->fail[ac_row_leaf(trie, row)] == UNLINKED)
			status = link_row(&linker, row);
	acore_work_drop(work, linker.stack);
	acore_work_drop(work, trie->leaves.before);
	return status;
}

/*
 * Finds the output links of the far nodes.  On the way from one along its
 * failure links others are met; the answer is theirs too, so every stretch
 * between two far nodes is walked twice at most.
 */
static AcStatus
resolve_far(AcTrie *trie, AcWork *work)
{
	uint32_t	left = trie->far.count;
	uint32_t	word;

	trie->far_links = acore_work_zero(work, left, sizeof(uint32_t));
	if (trie->far_links == NULL ||
		!count_node_set(work, &trie->far, trie->states))
		return AC_E_MEMORY;
	for (word = 0; left > 0; word++)
	{
		uint64_t	bits = trie->far.words[word];

		for (; bits != 0; bits &= bits - 1, left--)
		{
			uint32_t	node = word * 64 + (uint32_t) __builtin_ctzll(bits);
			uint32_t	at = node;
			uint32_t	link = 0;

			if (ac_work_poll(work, NODE_STEPS))
				return AC_E_INTERRUPTED;
			while (link == 0)
			{
				if (ac_node_has(&trie->far, at))
					link = trie->far_links[ac_node_rank(&trie->far, at)];
				at = trie->fail[at];
				if (link == 0 && ends_key(trie, at))
					link = at;
			}
			for (at = node; at != link; at = trie->fail[at])
				if (ac_node_has(&trie->far, at))
				{
					uint32_t   *known = &trie->far_links[
						ac_node_rank(&trie->far, at)];

					if (*known != 0)
						break;
					*known = link;
				}
		}
	}
	acore_work_drop(work, trie->far.before);
	return AC_OK;
}

AcStatus
acore_trie_build(const AcRules *rules, const uint32_t *order,
				 uint64_t max_size, AcWork *work, AcTrie *trie)
{
	Shape		shape = {rules, order, NULL, trie, work};
	AcStatus	status;

	memset(trie, 0, sizeof(*trie));
	shape.shares = acore_work_take(work, rules->count, sizeof(uint32_t));
	if (shape.shares == NULL)
		return AC_E_MEMORY;
	status = measure(&shape, max_size);
	if (status != AC_OK)
		return status;
	if (rules->count == 0)
		trie->rows = 1;			/* of no node: the root is a leaf */
	if (!take_arrays(&shape))
		return AC_E_MEMORY;
	if (rules->count == 0)
	{
		ac_node_add(&trie->leaves, 0);
		trie->row_start[0] = trie->row_depth[0] = trie->row_parent[0] = 0;
		trie->row_start[1] = 1;
		return AC_OK;
	}
	status = grow(&shape);
	acore_work_drop(work, shape.shares);
	if (status == AC_OK)
		status = collect_edges(trie, work);
	if (status != AC_OK)
		return status;

	trie->fail = acore_work_take(work, trie->states, sizeof(uint32_t));
	trie->notes = acore_work_take(work, trie->states, 1);
	if (trie->fail == NULL || trie->notes == NULL)
		return AC_E_MEMORY;
	status = link_all(trie, work);
	acore_work_drop(work, trie->notes);
	if (status == AC_OK)
		status = resolve_far(trie, work);
	return status;
}
