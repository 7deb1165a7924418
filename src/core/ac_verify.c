/*
 * ac_verify.c
 *		Proving an image safe to match with.
 *
 * Whether an image says what its rules said is the business of checksum and
 * fingerprint.  Here it is proved that whatever it says can be read and walked:
 * that every number leads inside of the image, that goto goes one level down
 * and failure and output links lead up, so that matching ends in linear time,
 * and that the rules can be read back.  Predicted failure links need no
 * proof: ac_fail() makes them from fewer labels than the node's depth.
 *
 * The checks run front to back, each relying on those before it:
 *
 *	header, counts		acore_image_read, and the alphabet ascends
 *	labels				codes of the alphabet
 *	sets, tall arrays	ascending, in range, directories right
 *	rows				the rows of first children form one tree: replayed in
 *						preorder with a stack of the branches still open
 *	links				stored links lead to less deep nodes
 *	slots, spellings	a permutation of the entries, lengths that add up
 *
 * Time is linear in the image.  The depths of all nodes and the edges are
 * decoded into workspace.
 */
#include "ac_image.h"
#include "ac_work.h"

typedef struct OpenBranch
{
	uint32_t	node;
	uint32_t	edge;			/* next child to come */
	uint32_t	end;
	uint32_t	label;			/* of the last child */
} OpenBranch;

typedef struct Verifier
{
	AcImage		image;
	AcInfo		info;
	AcWork		work;
	uint32_t   *depths;			/* node -> depth */
	uint32_t   *edges;			/* decoded */
	uint32_t   *leaf_depths;	/* decoded */
	uint32_t   *key_lengths;
} Verifier;

/* ---------- sets ---------- */

static AcStatus
check_bitmap(Verifier *v, const AcSet *set)
{
	uint64_t	at;
	uint32_t	sum = 0;

	for (at = 0; at <= set->universe; at += 64)
	{
		if (at % AC_RANK_BITS == 0 &&
			ac_packed_get(&set->list, at / AC_RANK_BITS) != sum)
			return AC_E_DAMAGED;
		if (at < set->universe)
			sum += ac_popcount(ac_bitmap_word(set->bits, set->universe,
											  (uint32_t) at));
		if (ac_work_turn(&v->work, at / 64))
			return AC_E_INTERRUPTED;
	}
	return sum == set->count ? AC_OK : AC_E_DAMAGED;
}

static AcStatus
check_set(Verifier *v, const AcSet *set)
{
	uint64_t	least = 0;
	uint32_t	i;

	if (set->bits != NULL)
		return check_bitmap(v, set);
	for (i = 0; i < set->count; i++)
	{
		uint64_t	member = ac_packed_get(&set->list, i);

		if (member < least || member >= set->universe)
			return AC_E_DAMAGED;
		least = member + 1;
		if (ac_work_turn(&v->work, i))
			return AC_E_INTERRUPTED;
	}
	return AC_OK;
}

static AcStatus
check_sets(Verifier *v)
{
	const AcImage *im = &v->image;
	const AcSet *const sets[] = {
		&im->leaves, &im->branches, &im->edge_starts, &im->edges.escapes,
		&im->leaf_depths.escapes, &im->terminals, &im->outputs, &im->far,
		&im->stored, &im->heads, &im->slot_starts, &im->respelled
	};
	AcStatus	status = AC_OK;
	size_t		i;

	for (i = 0; i < sizeof(sets) / sizeof(sets[0]) && status == AC_OK; i++)
		status = check_set(v, sets[i]);
	return status;
}

/* Decodes a tall array; its escapes must be just where they are needed. */
static AcStatus
decode_tall(Verifier *v, const AcTall *tall, uint32_t count, uint32_t *values)
{
	uint64_t	escape = ac_low_bits(tall->low.width);
	AcSetWalk		escapes = ac_walk_set(&tall->escapes);
	uint32_t	next = ac_next_member(&escapes);
	uint32_t	i;

	for (i = 0; i < count; i++)
	{
		uint64_t	value = ac_packed_get(&tall->low, i);

		if ((value == escape) != (i == next))
			return AC_E_DAMAGED;
		if (i == next)
		{
			value = ac_packed_get(&tall->high, escapes.next - 1);
			next = ac_next_member(&escapes);
		}
		values[i] = (uint32_t) value;
		if (ac_work_turn(&v->work, i))
			return AC_E_INTERRUPTED;
	}
	return AC_OK;
}

/* ---------- header ---------- */

static bool
options_are_possible(uint32_t options)
{
	uint32_t	fold = options & AC_FOLD_MASK;
	uint32_t	words = options & AC_WORDS_MASK;

	return (options & ~(uint32_t) AC_OPTIONS_MASK) == 0 &&
		fold != AC_FOLD_MASK && words != AC_WORDS_MASK &&
		((options & AC_BYTEA) == 0 ||
		 (words == 0 && fold != AC_FOLD_UNICODE));
}

static bool
slack_is_zero(const AcImage *im)
{
	return ac_load64(im->start + im->size - AC_SLACK) == 0;
}

static bool
alphabet_ascends(const AcImage *im)
{
	uint32_t	i;

	for (i = 1; i < im->counts[AC_N_ALPHABET]; i++)
		if (im->alphabet[i - 1] >= im->alphabet[i])
			return false;
	return true;
}

/* Every label must be a code of the alphabet. */
static AcStatus
check_labels(Verifier *v)
{
	const AcImage *im = &v->image;
	uint32_t	sigma = im->counts[AC_N_ALPHABET];
	uint64_t	greatest = 0;
	uint32_t	i;

	/* where all codes of that width are used, none can be wrong */
	if ((sigma & (sigma - 1)) == 0)
		return AC_OK;
	for (i = 0; i + 1 < im->states; i++)
	{
		uint64_t	code = ac_packed_get(&im->labels, i);

		greatest = code > greatest ? code : greatest;
		if (ac_work_turn(&v->work, i))
			return AC_E_INTERRUPTED;
	}
	return greatest < sigma ? AC_OK : AC_E_DAMAGED;
}

/* ---------- rows ---------- */

typedef struct RowWalk
{
	AcSetWalk		leaves;
	AcSetWalk		branches;
	AcSetWalk		edge_starts;
	AcSetWalk		terminals;
	uint32_t	branch;			/* next branch node */
	uint32_t	terminal;		/* next terminal node */
	uint32_t	edge_start;		/* first edge of that branch */
	OpenBranch *open;
	uint32_t	opened;
	uint32_t	key;
} RowWalk;

/* Opens the next branch, which is node walk->branch. */
static void
open_branch(Verifier *v, RowWalk *walk)
{
	OpenBranch *open = &walk->open[walk->opened++];

	open->node = walk->branch;
	open->edge = walk->edge_start;
	open->label = ac_label(&v->image, walk->branch + 1);
	walk->branch = ac_next_member(&walk->branches);
	walk->edge_start = ac_next_member(&walk->edge_starts);
	open->end = walk->edge_start < v->image.edge_count ?
		walk->edge_start : v->image.edge_count;
}

/* The deepest open branch must lead to a row that starts with this node. */
static bool
enter_row(Verifier *v, RowWalk *walk, uint32_t start, uint32_t depth)
{
	OpenBranch *open;
	uint32_t	label;

	while (walk->opened > 0 && walk->open[walk->opened - 1].edge ==
		   walk->open[walk->opened - 1].end)
		walk->opened--;
	if (walk->opened == 0)
		return false;
	open = &walk->open[walk->opened - 1];
	label = ac_label(&v->image, start);
	if ((uint64_t) open->node + 2 + v->edges[open->edge] != start ||
		v->depths[open->node] + 1 != depth || label <= open->label)
		return false;
	open->label = label;
	open->edge++;
	return true;
}

/* One row: its depths, branches and keys.  May end early when interrupted. */
static bool
check_row(Verifier *v, RowWalk *walk, uint32_t start, uint32_t leaf,
		  uint32_t depth)
{
	uint32_t	node;

	for (node = start; node <= leaf; node++)
	{
		v->depths[node] = depth++;
		if (ac_work_turn(&v->work, node))
			return true;
	}
	for (; walk->branch < leaf; open_branch(v, walk))
		if (walk->branch < start)
			return false;
	for (; walk->terminal < leaf;
		 walk->terminal = ac_next_member(&walk->terminals))
		v->key_lengths[walk->key++] = v->depths[walk->terminal];
	if (walk->branch == leaf || walk->terminal == leaf)
		return false;
	v->key_lengths[walk->key++] = v->depths[leaf];
	return true;
}

static AcStatus
check_rows(Verifier *v)
{
	const AcImage *im = &v->image;
	RowWalk		walk = {ac_walk_set(&im->leaves), ac_walk_set(&im->branches),
		ac_walk_set(&im->edge_starts), ac_walk_set(&im->terminals),
	0, 0, 0, NULL, 0, 0};
	uint32_t	start = 1;
	uint32_t	row;

	walk.open = acore_work_take(&v->work, im->counts[AC_N_BRANCHES],
								sizeof(OpenBranch));
	if (walk.open == NULL)
		return AC_E_MEMORY;
	walk.branch = ac_next_member(&walk.branches);
	walk.terminal = ac_next_member(&walk.terminals);
	walk.edge_start = ac_next_member(&walk.edge_starts);
	v->depths[0] = 0;
	if (walk.terminal == 0 || (im->counts[AC_N_BRANCHES] > 0 &&
							   walk.edge_start != 0))
		return AC_E_DAMAGED;
	if (walk.branch == 0)
		open_branch(v, &walk);

	for (row = 0; row < im->counts[AC_N_LEAVES]; row++)
	{
		uint32_t	leaf = ac_next_member(&walk.leaves);
		uint32_t	leaf_depth = v->leaf_depths[row];

		if (leaf < start || leaf_depth >= im->states ||
			leaf_depth < leaf - start + 1)
			return AC_E_DAMAGED;
		if (row == 0 ? leaf_depth != leaf :
			!enter_row(v, &walk, start, leaf_depth - (leaf - start)))
			return AC_E_DAMAGED;
		if (!check_row(v, &walk, start, leaf, leaf_depth - (leaf - start)))
			return AC_E_DAMAGED;
		if (ac_work_poll(&v->work, 4))
			return AC_E_INTERRUPTED;
		start = leaf + 1;
	}
	return start == im->states && walk.key == im->keys ? AC_OK : AC_E_DAMAGED;
}

/* ---------- links ---------- */

static bool
leads_up(const Verifier *v, uint32_t node, uint64_t link)
{
	return link < v->image.states && link > 0 &&
		v->depths[link] < v->depths[node];
}

static AcStatus
check_links(Verifier *v)
{
	const AcImage *im = &v->image;
	AcSetWalk		stored = ac_walk_set(&im->stored);
	AcSetWalk		heads = ac_walk_set(&im->heads);
	AcSetWalk		far = ac_walk_set(&im->far);
	uint32_t	head = ac_next_member(&heads);
	uint64_t	link = 0;
	uint32_t	i;

	if (im->stored.count > 0 && head != 0)
		return AC_E_DAMAGED;
	for (i = 0; i < im->stored.count; i++)
	{
		uint32_t	node = ac_next_member(&stored);

		link++;
		if (i == head)
		{
			link = ac_packed_get(&im->head_links, heads.next - 1);
			head = ac_next_member(&heads);
		}
		if (!leads_up(v, node, link))
			return AC_E_DAMAGED;
		if (ac_work_turn(&v->work, i))
			return AC_E_INTERRUPTED;
	}
	for (i = 0; i < im->far.count; i++)
	{
		uint32_t	node = ac_next_member(&far);

		link = ac_packed_get(&im->far_links, i);
		if (!leads_up(v, node, link) ||
			!ac_is_terminal(im, (uint32_t) link))
			return AC_E_DAMAGED;
		if (ac_work_turn(&v->work, i))
			return AC_E_INTERRUPTED;
	}
	return AC_OK;
}

/* ---------- slots ---------- */

static AcStatus
check_order(Verifier *v)
{
	const AcImage *im = &v->image;
	uint64_t   *seen;
	uint32_t	slot;

	if (im->order.width == 0)
		return AC_OK;
	seen = acore_work_zero(&v->work, im->patterns / 64 + 1, sizeof(uint64_t));
	if (seen == NULL)
		return AC_E_MEMORY;
	for (slot = 0; slot < im->patterns; slot++)
	{
		uint64_t	entry = ac_packed_get(&im->order, slot);

		if (entry >= im->patterns || (seen[entry / 64] >> (entry % 64)) & 1)
			return AC_E_DAMAGED;
		seen[entry / 64] |= UINT64_C(1) << (entry % 64);
		if (ac_work_turn(&v->work, slot))
			return AC_E_INTERRUPTED;
	}
	return AC_OK;
}

/* The slots of every key, their winner, and the lengths of all patterns. */
static AcStatus
check_slots(Verifier *v)
{
	const AcImage *im = &v->image;
	AcSetWalk		starts = ac_walk_set(&im->slot_starts);
	AcSetWalk		respelled = ac_walk_set(&im->respelled);
	uint32_t	respelled_slot = ac_next_member(&respelled);
	uint64_t	spelled = 0;	/* end of the last spelling */
	uint64_t	bytes = 0;
	uint32_t	min_len = im->patterns > 0 ? UINT32_MAX : 0;
	uint32_t	max_len = 0;
	uint32_t	first = im->slot_starts.count > 0 ? ac_next_member(&starts) : 0;
	uint32_t	slot = 0;
	uint32_t	key;

	if (first != 0)
		return AC_E_DAMAGED;
	for (key = 0; key < im->keys; key++)
	{
		uint32_t	end = im->slot_starts.count == 0 ? key + 1 :
			key + 1 < im->keys ? ac_next_member(&starts) : im->patterns;

		if (ac_packed_get(&im->winners, key) >= end - slot)
			return AC_E_DAMAGED;
		for (; slot < end; slot++)
		{
			uint64_t	length = v->key_lengths[key];

			if (slot == respelled_slot)
			{
				uint64_t	to = ac_packed_get(&im->spelling_ends,
											   respelled.next - 1);

				if (to <= spelled || to > im->counts[AC_N_SPELLING_BYTES])
					return AC_E_DAMAGED;
				length = to - spelled;
				spelled = to;
				respelled_slot = ac_next_member(&respelled);
			}
			bytes += length;
			min_len = length < min_len ? (uint32_t) length : min_len;
			max_len = length > max_len ? (uint32_t) length : max_len;
			if (ac_work_turn(&v->work, slot))
				return AC_E_INTERRUPTED;
		}
	}
	if (slot != im->patterns || bytes != v->info.pattern_bytes ||
		min_len != v->info.min_len || max_len != v->info.max_len ||
		spelled != im->counts[AC_N_SPELLING_BYTES])
		return AC_E_DAMAGED;
	return AC_OK;
}

/* ---------- all of it ---------- */

static AcStatus
check_tree(Verifier *v)
{
	const AcImage *im = &v->image;
	uint32_t	leaves = im->counts[AC_N_LEAVES];
	AcStatus	status;

	v->depths = acore_work_take(&v->work, im->states, sizeof(uint32_t));
	v->edges = acore_work_take(&v->work, im->edge_count, sizeof(uint32_t));
	v->leaf_depths = acore_work_take(&v->work, leaves, sizeof(uint32_t));
	v->key_lengths = acore_work_take(&v->work, im->keys, sizeof(uint32_t));
	if (v->depths == NULL || v->edges == NULL || v->leaf_depths == NULL ||
		v->key_lengths == NULL)
		return AC_E_MEMORY;
	status = decode_tall(v, &im->edges, im->edge_count, v->edges);
	if (status == AC_OK)
		status = decode_tall(v, &im->leaf_depths, leaves, v->leaf_depths);
	if (status != AC_OK)
		return status;
	if (im->states == 1)
		return v->leaf_depths[0] == 0 ? AC_OK : AC_E_DAMAGED;
	status = check_rows(v);
	if (status == AC_OK)
		status = check_links(v);
	return status;
}

static AcStatus
verify(Verifier *v, const void *image, size_t size)
{
	AcStatus	status = acore_image_read(image, size, &v->image);

	if (status != AC_OK)
		return status;
	acore_peek(image, size, &v->info);
	if (!options_are_possible(v->image.options) ||
		!alphabet_ascends(&v->image) || !slack_is_zero(&v->image))
		return AC_E_DAMAGED;
	status = check_labels(v);
	if (status == AC_OK)
		status = check_sets(v);
	if (status == AC_OK)
		status = check_tree(v);
	if (status == AC_OK)
		status = check_order(v);
	if (status == AC_OK)
		status = check_slots(v);
	return status;
}

AcStatus
acore_verify_structure(const void *image, size_t size, const AcHost *host)
{
	Verifier	v;
	AcStatus	status;

	memset(&v, 0, sizeof(v));
	acore_work_init(&v.work, host);
	status = verify(&v, image, size);
	acore_work_end(&v.work);
	return status;
}

AcStatus
acore_verify(const void *image, size_t size, const AcHost *host)
{
	const uint8_t *p = image;
	AcInfo		info;
	AcStatus	status = acore_peek(image, size, &info);

	if (status != AC_OK)
		return status;
	if (ac_load32(p + AC_OFFSET_CHECKSUM) !=
		host->crc32c(host->context, p + AC_OFFSET_FORMAT,
					 size - AC_OFFSET_FORMAT))
		return AC_E_DAMAGED;
	return acore_verify_structure(image, size, host);
}
