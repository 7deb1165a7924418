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
 *	slots, spellings	belong to the keys that the rows hold, lengths add up
 *	links				stored links lead to less deep nodes
 *	order				a permutation of the entries
 *
 * Time is linear in the image.  Only the depths of all nodes and the edges are
 * decoded into workspace, as fetching fresh memory costs more than the checks.
 */
#include "ac_image.h"
#include "ac_work.h"

#define DEEP			UINT8_MAX

typedef struct OpenBranch
{
	uint32_t	node;
	uint32_t	depth;
	uint32_t	edge;			/* next child to come */
	uint32_t	end;
	uint32_t	label;			/* of the last child */
} OpenBranch;

typedef struct Verifier
{
	AcImage		image;
	AcInfo		info;
	AcWork		work;
	uint8_t    *depths;			/* node -> depth, DEEP where that is no less */
	uint32_t   *edges;			/* decoded */
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

typedef struct TallWalk
{
	const AcTall *tall;
	uint64_t	escape;			/* value that stands for an escape */
	AcSetWalk	escapes;
	uint32_t	escaped;		/* next element with an escape */
	uint32_t	next;
} TallWalk;

static TallWalk
walk_tall(const AcTall *tall)
{
	TallWalk	walk = {tall, ac_low_bits(tall->low.width),
		ac_walk_set(&tall->escapes), 0, 0};

	walk.escaped = ac_next_member(&walk.escapes);
	return walk;
}

/* The next element; escapes must be just where they are needed. */
static inline bool
next_tall(TallWalk *walk, uint32_t *value)
{
	uint64_t	low = ac_packed_get(&walk->tall->low, walk->next);
	bool		escaped = walk->next++ == walk->escaped;

	*value = (uint32_t) low;
	if ((low == walk->escape) != escaped)
		return false;
	if (escaped)
	{
		*value = (uint32_t) ac_packed_get(&walk->tall->high,
										  walk->escapes.next - 1);
		walk->escaped = ac_next_member(&walk->escapes);
	}
	return true;
}

static AcStatus
decode_edges(Verifier *v)
{
	TallWalk	walk = walk_tall(&v->image.edges);
	uint32_t	i;

	v->edges = acore_work_take(&v->work, v->image.edge_count,
							   sizeof(uint32_t));
	if (v->edges == NULL)
		return AC_E_MEMORY;
	for (i = 0; i < v->image.edge_count; i++)
	{
		if (!next_tall(&walk, &v->edges[i]))
			return AC_E_DAMAGED;
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

/* A word with "value" in every other field of some width, "count" of them. */
static uint64_t
repeat_field(uint64_t value, uint32_t width, uint32_t count)
{
	uint64_t	word = 0;
	uint32_t	i;

	for (i = 0; i < count; i++)
		word |= value << (2 * width * i);
	return word;
}

/*
 * Every label must be a code of the alphabet.  Many are checked at once: what
 * is added to each makes the ones that are too great carry into the field
 * above, which is empty as every other label is masked out.
 */
static AcStatus
check_labels(Verifier *v)
{
	const AcImage *im = &v->image;
	uint32_t	sigma = im->counts[AC_N_ALPHABET];
	uint32_t	width = im->labels.width;
	uint32_t	half = width > 0 ? 56 / (2 * width) : 0;
	uint64_t	mask = repeat_field(ac_low_bits(width), width, half);
	uint64_t	add = repeat_field((UINT64_C(1) << width) - sigma, width, half);
	uint64_t	carry = repeat_field(UINT64_C(1) << width, width, half);
	uint64_t	wrong = 0;
	uint32_t	i = 0;

	/* where all codes of that width are used, none can be wrong */
	if ((sigma & (sigma - 1)) == 0)
		return AC_OK;
	for (; (uint64_t) i + 2 * half < im->states; i += 2 * half)
	{
		uint64_t	bit = (uint64_t) i * width;
		uint64_t	word = ac_load64(im->labels.data + bit / 8) >> (bit % 8);

		wrong |= ((word & mask) + add) | (((word >> width) & mask) + add);
		if (ac_work_poll(&v->work, half))
			return AC_E_INTERRUPTED;
	}
	wrong &= carry;
	for (; i + 1 < im->states; i++)
		wrong |= ac_packed_get(&im->labels, i) >= sigma;
	return wrong == 0 ? AC_OK : AC_E_DAMAGED;
}

/* ---------- slots ---------- */

typedef struct SlotWalk
{
	AcSetWalk	starts;
	AcSetWalk	respelled;
	uint32_t	start;			/* of the first key, which must be 0 */
	uint32_t	respelled_slot;
	uint64_t	spelled;		/* end of the last spelling */
	uint64_t	bytes;
	uint32_t	min_len;
	uint32_t	max_len;
	uint32_t	slot;
	uint32_t	key;
} SlotWalk;

/* The first slot of the next key. */
static uint32_t
next_start(const AcImage *im, SlotWalk *walk)
{
	if (walk->key + 1 >= im->keys)
		return im->patterns;
	return im->slot_starts.count == 0 ? walk->key + 1 :
		ac_next_member(&walk->starts);
}

/* The length of the spelling of a slot that has one, or 0 for a wrong one. */
static uint64_t
spelling_length(const AcImage *im, SlotWalk *walk)
{
	uint64_t	to = ac_packed_get(&im->spelling_ends,
								   walk->respelled.next - 1);
	uint64_t	from = walk->spelled;

	if (to <= from || to > im->counts[AC_N_SPELLING_BYTES])
		return 0;
	walk->spelled = to;
	walk->respelled_slot = ac_next_member(&walk->respelled);
	return to - from;
}

/* The slots of the next key, their winner, and the lengths of the patterns. */
static AcStatus
check_key(Verifier *v, SlotWalk *walk, uint32_t key_length)
{
	const AcImage *im = &v->image;
	uint32_t	end = next_start(im, walk);

	if (walk->key == im->keys ||
		ac_packed_get(&im->winners, walk->key) >= end - walk->slot)
		return AC_E_DAMAGED;
	for (; walk->slot < end; walk->slot++)
	{
		uint64_t	length = walk->slot == walk->respelled_slot ?
			spelling_length(im, walk) : key_length;

		if (length == 0)
			return AC_E_DAMAGED;
		walk->bytes += length;
		if (length < walk->min_len)
			walk->min_len = (uint32_t) length;
		if (length > walk->max_len)
			walk->max_len = (uint32_t) length;
		if (ac_work_turn(&v->work, walk->slot))
			return AC_E_INTERRUPTED;
	}
	walk->key++;
	return AC_OK;
}

static SlotWalk
walk_slots(const AcImage *im)
{
	SlotWalk	walk = {ac_walk_set(&im->slot_starts),
		ac_walk_set(&im->respelled), 0, 0, 0, 0, UINT32_MAX, 0, 0, 0};

	walk.respelled_slot = ac_next_member(&walk.respelled);
	if (im->slot_starts.count > 0)
		walk.start = ac_next_member(&walk.starts);
	return walk;
}

/* What must be true behind the last key. */
static AcStatus
check_totals(const Verifier *v, const SlotWalk *walk)
{
	const AcImage *im = &v->image;
	uint32_t	min_len = im->patterns > 0 ? walk->min_len : 0;

	if (walk->start != 0 || walk->key != im->keys ||
		walk->slot != im->patterns || walk->bytes != v->info.pattern_bytes ||
		min_len != v->info.min_len || walk->max_len != v->info.max_len ||
		walk->spelled != im->counts[AC_N_SPELLING_BYTES])
		return AC_E_DAMAGED;
	return AC_OK;
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
	SlotWalk	slots;
} RowWalk;

/* Opens the next branch, which is node walk->branch. */
static void
open_branch(Verifier *v, RowWalk *walk, uint32_t depth)
{
	OpenBranch *open = &walk->open[walk->opened++];

	open->node = walk->branch;
	open->depth = depth;
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
		open->depth + 1 != depth || label <= open->label)
		return false;
	open->label = label;
	open->edge++;
	return true;
}

/* Depths along a row. */
static AcStatus
fill_depths(Verifier *v, uint32_t start, uint32_t leaf, uint32_t depth)
{
	uint32_t	node;

	for (node = start; node <= leaf && depth < DEEP; node++)
		v->depths[node] = (uint8_t) depth++;
	if (node <= leaf)
		acore_work_fill(&v->work, v->depths + node, DEEP, leaf + 1 - node);
	return v->work.interrupted ? AC_E_INTERRUPTED : AC_OK;
}

/* One row: its depths, branches and keys. */
static AcStatus
check_row(Verifier *v, RowWalk *walk, uint32_t start, uint32_t leaf,
		  uint32_t depth)
{
	AcStatus	status = fill_depths(v, start, leaf, depth);

	if (status != AC_OK)
		return status;
	for (; walk->branch < leaf;
		 open_branch(v, walk, depth + (walk->branch - start)))
		if (walk->branch < start)
			return AC_E_DAMAGED;
	for (; walk->terminal < leaf && status == AC_OK;
		 walk->terminal = ac_next_member(&walk->terminals))
		status = check_key(v, &walk->slots, depth + (walk->terminal - start));
	if (status != AC_OK)
		return status;
	if (walk->branch == leaf || walk->terminal == leaf)
		return AC_E_DAMAGED;
	return check_key(v, &walk->slots, depth + (leaf - start));
}

static AcStatus
begin_rows(Verifier *v, RowWalk *walk)
{
	const AcImage *im = &v->image;

	walk->opened = 0;
	walk->leaves = ac_walk_set(&im->leaves);
	walk->branches = ac_walk_set(&im->branches);
	walk->edge_starts = ac_walk_set(&im->edge_starts);
	walk->terminals = ac_walk_set(&im->terminals);
	walk->slots = walk_slots(im);
	walk->branch = ac_next_member(&walk->branches);
	walk->terminal = ac_next_member(&walk->terminals);
	walk->edge_start = ac_next_member(&walk->edge_starts);
	v->depths = acore_work_take(&v->work, im->states, sizeof(uint8_t));
	walk->open = acore_work_take(&v->work, im->counts[AC_N_BRANCHES],
								 sizeof(OpenBranch));
	if (v->depths == NULL || walk->open == NULL)
		return AC_E_MEMORY;
	v->depths[0] = 0;
	if (walk->terminal == 0 || (im->counts[AC_N_BRANCHES] > 0 &&
								walk->edge_start != 0))
		return AC_E_DAMAGED;
	if (walk->branch == 0)
		open_branch(v, walk, 0);
	return AC_OK;
}

static AcStatus
check_rows(Verifier *v)
{
	const AcImage *im = &v->image;
	RowWalk		walk;
	TallWalk	depths = walk_tall(&im->leaf_depths);
	uint32_t	start = 1;
	uint32_t	row;
	AcStatus	status = begin_rows(v, &walk);

	for (row = 0; row < im->counts[AC_N_LEAVES] && status == AC_OK; row++)
	{
		uint32_t	leaf = ac_next_member(&walk.leaves);
		uint32_t	depth;

		if (!next_tall(&depths, &depth) || leaf < start ||
			depth >= im->states || depth < leaf - start + 1)
			return AC_E_DAMAGED;
		if (row == 0 ? depth != leaf :
			!enter_row(v, &walk, start, depth - (leaf - start)))
			return AC_E_DAMAGED;
		status = check_row(v, &walk, start, leaf, depth - (leaf - start));
		if (ac_work_poll(&v->work, 8))
			return AC_E_INTERRUPTED;
		start = leaf + 1;
	}
	if (status != AC_OK)
		return status;
	return start == im->states ? check_totals(v, &walk.slots) : AC_E_DAMAGED;
}

/* The tree of no pattern is a leaf at depth 0. */
static AcStatus
check_root(Verifier *v)
{
	TallWalk	depths = walk_tall(&v->image.leaf_depths);
	SlotWalk	slots = walk_slots(&v->image);
	uint32_t	depth;

	if (!next_tall(&depths, &depth) || depth != 0)
		return AC_E_DAMAGED;
	return check_totals(v, &slots);
}

/* ---------- links ---------- */

static uint32_t
depth_of(const Verifier *v, uint32_t node)
{
	if (v->depths[node] < DEEP)
		return v->depths[node];
	return ac_depth(&v->image, node);
}

static bool
leads_up(const Verifier *v, uint32_t node, uint64_t link)
{
	return link < v->image.states && link > 0 &&
		depth_of(v, (uint32_t) link) < depth_of(v, node);
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

/* ---------- order ---------- */

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

/* ---------- all of it ---------- */

static AcStatus
check_tree(Verifier *v)
{
	AcStatus	status = decode_edges(v);

	if (status != AC_OK)
		return status;
	if (v->image.states == 1)
		return check_root(v);
	status = check_rows(v);
	return status == AC_OK ? check_links(v) : status;
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
