/*
 * ac_image.c
 *		Placing the sections of an image and reading rules back from it.
 *
 * Sections have no stored offsets: they follow from the counts, so there is
 * nothing that could point outside of the image.  acore_image_place() is the one
 * place that knows the order of the sections; the builder and the readers
 * both go through it.
 */
#include "ac_image.h"

#include "ac_work.h"

/* ---------- placing the sections ---------- */

typedef struct Placer
{
	const uint8_t *start;
	uint64_t	offset;
} Placer;

static const uint8_t *
place(Placer *placer, uint64_t bytes)
{
	const uint8_t *at = NULL;

	if (placer->start != NULL)
		at = placer->start + placer->offset;
	placer->offset += bytes;
	return at;
}

static void
place_packed(Placer *placer, AcPacked *packed, uint64_t count, uint32_t width)
{
	packed->width = width;
	packed->data = place(placer, ac_packed_bytes(count, width));
}

static void
place_set(Placer *placer, AcSet *set, uint32_t universe, uint32_t count)
{
	set->universe = universe;
	set->count = count;
	set->bits = NULL;
	if (ac_set_is_list(universe, count))
		place_packed(placer, &set->list, count, ac_set_list_width(universe));
	else
	{
		place_packed(placer, &set->list, universe / AC_RANK_BITS + 1,
					 ac_bit_width(count));
		set->bits = place(placer, ac_set_bitmap_bytes(universe));
	}
}

static void
place_tall(Placer *placer, AcTall *tall, uint32_t count, uint32_t width,
		   uint32_t escapes, uint32_t high_width)
{
	place_packed(placer, &tall->low, count, width);
	place_set(placer, &tall->escapes, count, escapes);
	place_packed(placer, &tall->high, escapes, high_width);
}

uint64_t
acore_image_place(AcImage *im, const uint8_t *start, uint64_t offset)
{
	const uint32_t *counts = im->counts;
	uint32_t	node_width = ac_set_list_width(im->states);
	uint32_t	sigma = counts[AC_N_ALPHABET];
	Placer		at = {start, offset};

	im->keys = im->states == 1 ? 0 :
		counts[AC_N_LEAVES] + counts[AC_N_TERMINALS];
	im->edge_count = counts[AC_N_LEAVES] - 1;

	im->alphabet = place(&at, sigma);
	place_packed(&at, &im->labels, (uint64_t) im->states - 1,
				 sigma == 0 ? 0 : ac_bit_width(sigma - 1));
	place_set(&at, &im->leaves, im->states, counts[AC_N_LEAVES]);
	place_set(&at, &im->branches, im->states, counts[AC_N_BRANCHES]);
	place_set(&at, &im->edge_starts, im->edge_count, counts[AC_N_BRANCHES]);
	place_tall(&at, &im->edges, im->edge_count, counts[AC_W_EDGES],
			   counts[AC_N_EDGE_ESCAPES], node_width);
	place_tall(&at, &im->leaf_depths, counts[AC_N_LEAVES], counts[AC_W_DEPTHS],
			   counts[AC_N_DEPTH_ESCAPES], node_width);
	place_set(&at, &im->terminals, im->states, counts[AC_N_TERMINALS]);
	place_set(&at, &im->outputs, im->states, counts[AC_N_OUTPUTS]);
	place_set(&at, &im->far, im->states, counts[AC_N_FAR]);
	place_packed(&at, &im->far_links, counts[AC_N_FAR], node_width);
	place_set(&at, &im->stored, im->states, counts[AC_N_STORED]);
	place_set(&at, &im->heads, counts[AC_N_STORED], counts[AC_N_HEADS]);
	place_packed(&at, &im->head_links, counts[AC_N_HEADS], node_width);
	place_set(&at, &im->slot_starts, im->patterns,
			  im->keys == im->patterns ? 0 : im->keys);
	place_packed(&at, &im->order, im->patterns, counts[AC_W_ORDER]);
	place_packed(&at, &im->winners, im->keys, counts[AC_W_WINNERS]);
	place_packed(&at, &im->ids, im->patterns,
				 counts[AC_W_IDS] == 0 ? 0 : counts[AC_W_IDS] - 1);
	place_set(&at, &im->respelled, im->patterns, counts[AC_N_RESPELLED]);
	place_packed(&at, &im->spelling_ends, counts[AC_N_RESPELLED],
				 ac_bit_width(counts[AC_N_SPELLING_BYTES]));
	im->spellings = place(&at, counts[AC_N_SPELLING_BYTES]);
	return at.offset + AC_SLACK;
}

/* ---------- reading the header ---------- */

AcStatus
acore_peek(const void *image, size_t available, AcInfo *info)
{
	const uint8_t *p = image;

	memset(info, 0, sizeof(*info));
	if (available < AC_HEADER_SIZE ||
		ac_load32(p + AC_OFFSET_MAGIC) != AC_MAGIC)
		return AC_E_DAMAGED;
	info->format = ac_load32(p + AC_OFFSET_FORMAT) & 0xffff;
	if (info->format != AC_FORMAT)
		return AC_E_FORMAT;
	info->options = ac_load32(p + AC_OFFSET_FORMAT) >> 16;
	info->states = ac_load32(p + AC_OFFSET_STATES);
	info->patterns = ac_load32(p + AC_OFFSET_PATTERNS);
	info->min_len = ac_load32(p + AC_OFFSET_MIN_LEN);
	info->max_len = ac_load32(p + AC_OFFSET_MAX_LEN);
	info->image_bytes = ac_load32(p + AC_OFFSET_SIZE);
	info->pattern_bytes = ac_load64(p + AC_OFFSET_BYTES);
	memcpy(info->fingerprint, p + AC_OFFSET_FINGERPRINT, 16);
	return AC_OK;
}

/* Reads one count; answers the offset behind it, 0 if there is none. */
static size_t
read_count(const uint8_t *p, size_t offset, size_t size, uint32_t *count)
{
	uint64_t	value = 0;
	uint32_t	shift;

	for (shift = 0; shift < 35 && offset < size; shift += 7)
	{
		uint8_t		byte = p[offset++];

		value |= (uint64_t) (byte & 0x7f) << shift;
		if (byte < 0x80)
		{
			*count = (uint32_t) value;
			return value <= UINT32_MAX ? offset : 0;
		}
	}
	return 0;
}

/* Whether every count is within what the others allow. */
static bool
counts_are_possible(const AcImage *im)
{
	const uint32_t *counts = im->counts;
	uint32_t	n = im->states;
	uint32_t	leaves = counts[AC_N_LEAVES];

	return n >= 1 && leaves >= 1 && leaves <= n &&
		counts[AC_N_BRANCHES] < leaves &&
		leaves + (uint64_t) counts[AC_N_BRANCHES] <= n &&
		leaves + (uint64_t) counts[AC_N_TERMINALS] <= n &&
		counts[AC_N_ALPHABET] <= 256 &&
		(n == 1) == (counts[AC_N_ALPHABET] == 0) &&
		(n == 1) == (im->patterns == 0) &&
		(n == 1 || leaves + counts[AC_N_TERMINALS] <= im->patterns) &&
		counts[AC_N_OUTPUTS] < n &&
		counts[AC_N_FAR] <= counts[AC_N_OUTPUTS] &&
		counts[AC_N_STORED] < n &&
		counts[AC_N_HEADS] <= counts[AC_N_STORED] &&
		counts[AC_N_RESPELLED] <= im->patterns &&
		counts[AC_W_EDGES] <= 32 &&
		counts[AC_N_EDGE_ESCAPES] <= leaves - 1 &&
		counts[AC_W_DEPTHS] <= 32 &&
		counts[AC_N_DEPTH_ESCAPES] <= leaves &&
		counts[AC_W_ORDER] <= 32 &&
		counts[AC_W_WINNERS] <= 32 &&
		counts[AC_W_IDS] <= 65;
}

AcStatus
acore_image_read(const void *start, size_t size, AcImage *im)
{
	const uint8_t *p = start;
	size_t		offset = AC_HEADER_SIZE;
	int			i;
	AcInfo		info;
	AcStatus	status = acore_peek(start, size, &info);

	if (status != AC_OK)
		return status;
	memset(im, 0, sizeof(*im));
	im->start = start;
	im->size = size;
	im->options = info.options;
	im->states = info.states;
	im->patterns = info.patterns;
	im->id_base = (int64_t) ac_load64(p + AC_OFFSET_ID_BASE);
	for (i = 0; i < AC_COUNTS; i++)
	{
		offset = read_count(p, offset, size, &im->counts[i]);
		if (offset == 0)
			return AC_E_DAMAGED;
	}
	if (info.image_bytes != size || !counts_are_possible(im) ||
		acore_image_place(im, start, offset) != size)
		return AC_E_DAMAGED;
	return AC_OK;
}

/* ---------- keys, slots, entries ---------- */

uint32_t
acore_key_slots(const AcAutomaton *automaton, uint32_t key,
				uint32_t *first_slot)
{
	const AcImage *im = automaton->image;
	uint32_t	end;

	if (im->slot_starts.count == 0)
	{
		*first_slot = key;
		return 1;
	}
	*first_slot = ac_set_select(&im->slot_starts, key);
	end = key + 1 < im->keys ?
		ac_set_select(&im->slot_starts, key + 1) : im->patterns;
	return end - *first_slot;
}

uint32_t
acore_slot_entry(const AcAutomaton *automaton, uint32_t slot)
{
	const AcImage *im = automaton->image;

	if (im->order.width == 0)
		return slot;
	return (uint32_t) ac_packed_get(&im->order, slot);
}

uint32_t
acore_key_first(const AcAutomaton *automaton, uint32_t key)
{
	uint32_t	slot;

	acore_key_slots(automaton, key, &slot);
	slot += (uint32_t) ac_packed_get(&automaton->image->winners, key);
	return acore_slot_entry(automaton, slot);
}

int64_t
acore_entry_id(const AcAutomaton *automaton, uint32_t entry)
{
	const AcImage *im = automaton->image;

	if (im->counts[AC_W_IDS] == 0)
		return (int64_t) entry + 1;
	return (int64_t) ((uint64_t) im->id_base + ac_packed_get(&im->ids, entry));
}

bool
acore_slot_spelling(const AcAutomaton *automaton, uint32_t slot,
					AcSpan *spelling)
{
	const AcImage *im = automaton->image;
	uint64_t	begin = 0;
	uint32_t	rank;

	if (!ac_set_has(&im->respelled, slot))
		return false;
	rank = ac_set_rank(&im->respelled, slot);
	if (rank > 0)
		begin = ac_packed_get(&im->spelling_ends, rank - 1);
	spelling->data = im->spellings + begin;
	spelling->size = ac_packed_get(&im->spelling_ends, rank) - begin;
	return true;
}

/* ---------- reading the rules back ---------- */

/*
 * A walk over the keys in order with the path of each.  Between two leaves
 * the walk only goes down, and the leaf's depth tells how much of the path
 * stays, so no stack is needed.
 */
typedef struct KeyWalk
{
	const AcImage *image;
	AcWork	   *work;
	uint8_t    *path;			/* labels of the path, path[0 .. depth) */
	uint32_t	node;			/* last node visited */
	uint32_t	depth;			/* its depth */
} KeyWalk;

/* Goes to the next key; answers its length, 0 at the end or interrupted. */
static uint32_t
next_key(KeyWalk *walk)
{
	const AcImage *im = walk->image;

	while (walk->node + 1 < im->states)
	{
		uint32_t	node = ++walk->node;
		bool		leaf = ac_is_leaf(im, node);

		/* a node behind a leaf starts a new row */
		if (ac_is_leaf(im, node - 1))
			walk->depth = ac_depth(im, node) - 1;
		walk->path[walk->depth++] = im->bytes[ac_label(im, node)];
		if (ac_work_turn(walk->work, node))
			return 0;
		if (leaf || ac_set_has(&im->terminals, node))
			return walk->depth;
	}
	return 0;
}

/*
 * One pass over all slots.  With "pool" NULL it stores the length of entry i
 * in offsets[i + 1], else it copies each pattern to its place.
 */
static AcStatus
visit_slots(const AcAutomaton *automaton, AcWork *work, uint8_t *path,
			uint64_t *offsets, uint8_t *pool)
{
	KeyWalk		walk = {automaton->image, work, path, 0, 0};
	uint32_t	key = 0;
	uint32_t	length;

	while ((length = next_key(&walk)) > 0)
	{
		uint32_t	slot;
		uint32_t	slots = acore_key_slots(automaton, key, &slot);

		key++;
		for (; slots > 0; slots--, slot++)
		{
			uint32_t	entry = acore_slot_entry(automaton, slot);
			AcSpan		spelling = {path, length};

			acore_slot_spelling(automaton, slot, &spelling);
			if (pool == NULL)
				offsets[entry + 1] = spelling.size;
			else
				acore_work_copy(work, pool + offsets[entry], spelling.data,
								spelling.size);
			if (ac_work_poll(work, 16))
				return AC_E_INTERRUPTED;
		}
	}
	return work->interrupted ? AC_E_INTERRUPTED : AC_OK;
}

/* Turns the lengths in offsets[1 ..] into sums, and writes the ids. */
static AcStatus
sum_lengths(const AcAutomaton *automaton, AcWork *work, uint64_t *offsets,
			int64_t *ids)
{
	uint32_t	i;

	offsets[0] = 0;
	for (i = 0; i < automaton->info.patterns; i++)
	{
		offsets[i + 1] += offsets[i];
		if (ids != NULL)
			ids[i] = acore_entry_id(automaton, i);
		if (ac_work_turn(work, i))
			return AC_E_INTERRUPTED;
	}
	return AC_OK;
}

AcStatus
acore_extract(const AcAutomaton *automaton, AcRules *rules, void **block,
			  size_t *block_size)
{
	const AcHost *host = automaton->host;
	uint64_t	count = automaton->info.patterns;
	uint64_t	bytes = automaton->info.pattern_bytes;
	bool		has_ids = automaton->image->counts[AC_W_IDS] != 0;
	uint64_t	numbers = count + 1 + (has_ids ? count : 0);
	AcWork		work;
	uint8_t    *path;
	uint64_t   *offsets;
	int64_t    *ids;
	uint8_t    *pool;
	AcStatus	status;

	acore_work_init(&work, host);
	*block = NULL;
	*block_size = numbers * sizeof(uint64_t) + bytes;
	path = acore_work_take(&work, automaton->image->max_depth, 1);
	if (path != NULL)
		*block = host->allocate(host->context, *block_size);
	if (*block == NULL)
	{
		acore_work_end(&work);
		return AC_E_MEMORY;
	}
	offsets = *block;
	ids = has_ids ? (int64_t *) (offsets + count + 1) : NULL;
	pool = (uint8_t *) (offsets + numbers);

	status = visit_slots(automaton, &work, path, offsets, NULL);
	if (status == AC_OK)
		status = sum_lengths(automaton, &work, offsets, ids);
	if (status == AC_OK)
		status = visit_slots(automaton, &work, path, offsets, pool);
	acore_work_end(&work);
	if (status != AC_OK)
	{
		host->release(host->context, *block, *block_size);
		*block = NULL;
		return status;
	}
	rules->count = (uint32_t) count;
	rules->options = automaton->info.options;
	rules->pool = pool;
	rules->offsets = offsets;
	rules->ids = ids;
	return AC_OK;
}
