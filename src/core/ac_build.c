/*
 * ac_build.c
 *		From rules to an image.
 *
 * The stages, each of them linear:
 *
 *	fold		patterns of ignore_case become what the automaton compares
 *	sort		entries by the bytes of their patterns			(ac_sort.c)
 *	trie, links	arrays over preorder numbers					(ac_trie.c)
 *	plan		every count and width of the image, so its size	(here)
 *	write		one zeroed block, section by section			(here)
 *	seal		fingerprint and checksum
 *
 * Equal rules give equal bytes: nothing in an image depends on addresses, time
 * or the host.
 */
#include "ac_image.h"
#include "ac_sort.h"
#include "ac_trie.h"
#include "ac_unicode.h"
#include "ac_work.h"

typedef struct Builder
{
	const AcRules *given;		/* as the caller has them */
	AcRules		keys;			/* the same, folded */
	const AcHost *host;
	AcWork		work;
	uint32_t   *order;			/* slot -> entry */
	AcTrie		trie;
	AcImage		image;			/* plan first, then places */
	uint32_t	min_len;
	uint32_t	max_len;
} Builder;

/* ---------- fold ---------- */

static uint64_t
pattern_len(const AcRules *rules, uint32_t entry)
{
	return rules->offsets[entry + 1] - rules->offsets[entry];
}

/* Bytes of text that are folded between two polls. */
#define FOLD_PIECE	65536

/* Folds one pattern; a piece ends in front of a character. */
static size_t
fold_pattern(Builder *b, const uint8_t *pattern, uint64_t size, uint8_t *out)
{
	uint8_t    *start = out;

	while (size > 0)
	{
		size_t		piece = size < FOLD_PIECE ? (size_t) size : FOLD_PIECE;

		while (piece < size && piece < FOLD_PIECE + 4 &&
			   (pattern[piece] & 0xc0) == 0x80)
			piece++;
		out += acore_fold(b->given->options, pattern, piece, out);
		pattern += piece;
		size -= piece;
		if (ac_work_poll(&b->work, 1 + piece / 4))
			break;
	}
	return (size_t) (out - start);
}

static AcStatus
fold_patterns(Builder *b)
{
	const AcRules *given = b->given;
	uint64_t	bytes = given->offsets[given->count];
	uint8_t    *pool;
	uint64_t   *offsets;
	uint32_t	i;

	b->keys = *given;
	if ((given->options & AC_FOLD_MASK) == 0)
		return AC_OK;
	pool = acore_work_take(&b->work, bytes, AC_FOLD_GROWTH);
	offsets = acore_work_take(&b->work, (uint64_t) given->count + 1,
							  sizeof(uint64_t));
	if (pool == NULL || offsets == NULL)
		return AC_E_MEMORY;
	offsets[0] = 0;
	for (i = 0; i < given->count && !b->work.interrupted; i++)
		offsets[i + 1] = offsets[i] +
			fold_pattern(b, given->pool + given->offsets[i],
						 pattern_len(given, i), pool + offsets[i]);
	b->keys.pool = pool;
	b->keys.offsets = offsets;
	return b->work.interrupted ? AC_E_INTERRUPTED : AC_OK;
}

/* Ids that are just 1 .. count are no ids. */
static void
drop_ordinal_ids(AcRules *rules)
{
	uint32_t	i;

	if (rules->ids == NULL)
		return;
	for (i = 0; i < rules->count; i++)
		if (rules->ids[i] != (int64_t) i + 1)
			return;
	rules->ids = NULL;
}

/* ---------- plan ---------- */

/*
 * The width of a tall array that makes it smallest; wide[w] counts the values
 * that need escape at width w.
 */
static void
plan_tall(uint32_t count, const uint32_t wide[33], uint32_t high_width,
		  uint32_t *width, uint32_t *escapes)
{
	uint64_t	best = UINT64_MAX;
	uint32_t	w;

	for (w = 0; w <= 32; w++)
	{
		uint64_t	bytes = ac_packed_bytes(count, w) +
			ac_packed_bytes(wide[w], high_width) +
			ac_set_bytes(count, wide[w]);

		if (bytes < best)
		{
			best = bytes;
			*width = w;
			*escapes = wide[w];
		}
	}
}

/* histogram[k]: values whose successor has k bits -> values escaped at k. */
static void
sum_from_above(uint32_t histogram[34])
{
	int			k;

	/* a value fits width w if value + 1 < 2^w, so has at most w bits */
	for (k = 32; k >= 0; k--)
		histogram[k] += histogram[k + 1];
	for (k = 0; k <= 32; k++)
		histogram[k] = histogram[k + 1];
}

static uint32_t
tall_bits(uint32_t value)
{
	return ac_bit_width((uint64_t) value + 1);
}

/* Turns the children of every branch into what the image stores of them. */
static void
plan_edges(Builder *b)
{
	AcTrie	   *trie = &b->trie;
	uint32_t	histogram[34] = {0};
	uint32_t	edge = 0;
	uint32_t	row;
	uint32_t	branch;
	uint32_t	word;

	for (word = 0, branch = 0; branch < trie->branches.count; word++)
	{
		uint64_t	bits = trie->branches.words[word];

		for (; bits != 0; bits &= bits - 1, branch++)
		{
			uint32_t	node = word * 64 + (uint32_t) __builtin_ctzll(bits);

			for (; edge < trie->edge_begin[branch + 1]; edge++)
			{
				trie->edge_child[edge] -= node + 2;
				histogram[tall_bits(trie->edge_child[edge])]++;
				if (ac_work_turn(&b->work, edge))
					return;
			}
		}
	}
	sum_from_above(histogram);
	plan_tall(trie->rows - 1, histogram, ac_set_list_width(trie->states),
			  &b->image.counts[AC_W_EDGES],
			  &b->image.counts[AC_N_EDGE_ESCAPES]);

	memset(histogram, 0, sizeof(histogram));
	for (row = 0; row < trie->rows; row++)
	{
		histogram[tall_bits(ac_row_leaf_depth(trie, row))]++;
		if (ac_work_turn(&b->work, row))
			return;
	}
	sum_from_above(histogram);
	plan_tall(trie->rows, histogram, ac_set_list_width(trie->states),
			  &b->image.counts[AC_W_DEPTHS],
			  &b->image.counts[AC_N_DEPTH_ESCAPES]);
}

/* Counts distinct labels and heads of rows of stored links. */
static void
plan_nodes(Builder *b)
{
	const AcTrie *trie = &b->trie;
	uint32_t   *counts = b->image.counts;
	bool		seen[256] = {false};
	uint32_t	last = 0;
	uint32_t	word;
	uint32_t	node;
	int			i;

	for (node = 1; node < trie->states; node++)
	{
		seen[trie->labels[node]] = true;
		if (ac_work_turn(&b->work, node))
			return;
	}
	for (i = 0; i < 256; i++)
		counts[AC_N_ALPHABET] += seen[i];
	for (word = 0; word <= trie->states / 64; word++)
	{
		uint64_t	bits = trie->stored.words[word];

		for (; bits != 0; bits &= bits - 1)
		{
			uint32_t	link = trie->fail[word * 64 + __builtin_ctzll(bits)];

			/* a stored link is never the root, so 0 precedes none */
			counts[AC_N_HEADS] += last == 0 || link != last + 1;
			last = link;
		}
		if (ac_work_poll(&b->work, 8))
			return;
	}
	counts[AC_N_LEAVES] = trie->leaves.count;
	counts[AC_N_BRANCHES] = trie->branches.count;
	counts[AC_N_TERMINALS] = trie->terminals.count;
	counts[AC_N_OUTPUTS] = trie->outputs.count;
	counts[AC_N_FAR] = trie->far.count;
	counts[AC_N_STORED] = trie->stored.count;
}

static bool
starts_key(const Builder *b, uint32_t slot)
{
	return (b->trie.slot_starts[slot / 64] >> (slot % 64)) & 1;
}

/* Whether the entry in a slot is spelled in another way than its key. */
static bool
is_respelled(const Builder *b, uint32_t entry)
{
	uint64_t	length = pattern_len(b->given, entry);

	return b->keys.pool != b->given->pool &&
		(length != pattern_len(&b->keys, entry) ||
		 memcmp(b->given->pool + b->given->offsets[entry],
				b->keys.pool + b->keys.offsets[entry], length) != 0);
}

/* Order, winners and spellings. */
static AcStatus
plan_slots(Builder *b)
{
	uint32_t   *counts = b->image.counts;
	uint32_t	patterns = b->given->count;
	uint32_t	first = 0;		/* slot of the key */
	uint32_t	winner = 0;
	uint32_t	max_offset = 0;
	uint64_t	spelling_bytes = 0;
	bool		identity = true;
	uint32_t	slot;

	for (slot = 0; slot < patterns; slot++)
	{
		uint32_t	entry = b->order[slot];

		identity &= entry == slot;
		if (starts_key(b, slot))
			first = winner = slot;
		else if (entry < b->order[winner])
		{
			winner = slot;
			if (winner - first > max_offset)
				max_offset = winner - first;
		}
		if (is_respelled(b, entry))
		{
			counts[AC_N_RESPELLED]++;
			spelling_bytes += pattern_len(b->given, entry);
		}
		if (ac_work_poll(&b->work, 1 + pattern_len(b->given, entry) / 64))
			return AC_E_INTERRUPTED;
	}
	if (spelling_bytes > UINT32_MAX)
		return AC_E_TOO_LARGE;
	counts[AC_N_SPELLING_BYTES] = (uint32_t) spelling_bytes;
	counts[AC_W_ORDER] = identity ? 0 : ac_set_list_width(patterns);
	counts[AC_W_WINNERS] = ac_bit_width(max_offset);
	return AC_OK;
}

static void
plan_entries(Builder *b)
{
	const int64_t *ids = b->keys.ids;
	int64_t		min_id;
	int64_t		max_id;
	uint32_t	i;

	b->min_len = b->given->count > 0 ? UINT32_MAX : 0;
	for (i = 0; i < b->given->count; i++)
	{
		uint32_t	length = (uint32_t) pattern_len(b->given, i);

		if (length < b->min_len)
			b->min_len = length;
		if (length > b->max_len)
			b->max_len = length;
		if (ac_work_turn(&b->work, i))
			return;
	}
	if (ids == NULL)
		return;
	min_id = max_id = ids[0];
	for (i = 1; i < b->given->count; i++)
	{
		if (ids[i] < min_id)
			min_id = ids[i];
		if (ids[i] > max_id)
			max_id = ids[i];
		if (ac_work_turn(&b->work, i))
			return;
	}
	b->image.id_base = min_id;
	b->image.counts[AC_W_IDS] = 1 +
		ac_bit_width((uint64_t) max_id - (uint64_t) min_id);
}

/* ---------- write ---------- */

/*
 * Writers fill what a placed section describes; the block is all zeros.  They
 * may end early when interrupted; write_image() looks at that at the end.
 */
typedef struct PackedWriter
{
	uint8_t    *data;
	uint64_t	bit;
	uint32_t	width;
} PackedWriter;

static PackedWriter
write_packed(const AcPacked *packed)
{
	return (PackedWriter) {(uint8_t *) packed->data, 0, packed->width};
}

static void
put(PackedWriter *writer, uint64_t value)
{
	uint8_t    *p = writer->data + (writer->bit >> 3);
	uint32_t	shift = writer->bit & 7;

	if (writer->width == 0)
		return;
	ac_store64(p, ac_load64(p) | value << shift);
	if (writer->width + shift > 64)
		p[8] |= (uint8_t) (value >> (64 - shift));
	writer->bit += writer->width;
}

typedef struct SetWriter
{
	const AcSet *set;
	PackedWriter list;
} SetWriter;

static SetWriter
write_set(const AcSet *set)
{
	return (SetWriter) {set, write_packed(&set->list)};
}

/* Members are added in ascending order. */
static void
add(SetWriter *writer, uint32_t member)
{
	if (writer->set->bits == NULL)
		put(&writer->list, member);
	else
		((uint8_t *) writer->set->bits)[member / 8] |= 1 << (member % 8);
}

/* Fills the directory of a bitmap. */
static void
finish_set(SetWriter *writer)
{
	const AcSet *set = writer->set;
	uint32_t	sum = 0;
	uint64_t	at;

	if (set->bits == NULL)
		return;
	for (at = 0; at <= set->universe; at += 64)
	{
		if (at % AC_RANK_BITS == 0)
			put(&writer->list, sum);
		if (at < set->universe)
			sum += ac_popcount(ac_bitmap_word(set->bits, set->universe,
											  (uint32_t) at));
	}
}

static void
write_node_set(Builder *b, const AcSet *set, const AcNodeSet *nodes)
{
	SetWriter	writer = write_set(set);
	uint32_t	left = nodes->count;
	uint32_t	word;

	for (word = 0; left > 0; word++)
	{
		uint64_t	bits = nodes->words[word];

		for (; bits != 0; bits &= bits - 1, left--)
			add(&writer, word * 64 + (uint32_t) __builtin_ctzll(bits));
		if (ac_work_poll(&b->work, 8))
			return;
	}
	finish_set(&writer);
}

typedef struct TallWriter
{
	PackedWriter low;
	PackedWriter high;
	SetWriter	escapes;
	uint32_t	next;
} TallWriter;

static TallWriter
write_tall(const AcTall *tall)
{
	return (TallWriter) {write_packed(&tall->low), write_packed(&tall->high),
		write_set(&tall->escapes), 0};
}

static void
put_tall(TallWriter *writer, uint32_t value)
{
	uint64_t	escape = ac_low_bits(writer->low.width);

	if (value < escape)
		put(&writer->low, value);
	else
	{
		put(&writer->low, escape);
		put(&writer->high, value);
		add(&writer->escapes, writer->next);
	}
	writer->next++;
}

static void
write_labels(Builder *b)
{
	const AcTrie *trie = &b->trie;
	PackedWriter labels = write_packed(&b->image.labels);
	uint8_t    *alphabet = (uint8_t *) b->image.alphabet;
	uint8_t		codes[256] = {0};
	uint32_t	node;
	int			code = 0;
	int			i;

	for (node = 1; node < trie->states; node++)
	{
		codes[trie->labels[node]] = 1;
		if (ac_work_turn(&b->work, node))
			return;
	}
	for (i = 0; i < 256; i++)
	{
		if (codes[i] == 0)
			continue;
		alphabet[code] = (uint8_t) i;
		codes[i] = (uint8_t) code++;
	}
	for (node = 1; node < trie->states; node++)
	{
		put(&labels, codes[trie->labels[node]]);
		if (ac_work_turn(&b->work, node))
			return;
	}
}

static void
write_edges(Builder *b)
{
	const AcTrie *trie = &b->trie;
	SetWriter	starts = write_set(&b->image.edge_starts);
	TallWriter	edges = write_tall(&b->image.edges);
	TallWriter	depths = write_tall(&b->image.leaf_depths);
	uint32_t	i;

	for (i = 0; i < trie->branches.count; i++)
	{
		add(&starts, trie->edge_begin[i]);
		if (ac_work_turn(&b->work, i))
			return;
	}
	finish_set(&starts);
	for (i = 0; i < trie->rows - 1; i++)
	{
		put_tall(&edges, trie->edge_child[i]);
		if (ac_work_turn(&b->work, i))
			return;
	}
	finish_set(&edges.escapes);
	for (i = 0; i < trie->rows; i++)
	{
		put_tall(&depths, ac_row_leaf_depth(trie, i));
		if (ac_work_turn(&b->work, i))
			return;
	}
	finish_set(&depths.escapes);
}

static void
write_links(Builder *b)
{
	const AcTrie *trie = &b->trie;
	PackedWriter far_links = write_packed(&b->image.far_links);
	PackedWriter head_links = write_packed(&b->image.head_links);
	SetWriter	heads = write_set(&b->image.heads);
	uint32_t	last = 0;
	uint32_t	rank = 0;
	uint32_t	word;
	uint32_t	i;

	for (i = 0; i < trie->far.count; i++)
	{
		put(&far_links, trie->far_links[i]);
		if (ac_work_turn(&b->work, i))
			return;
	}
	for (word = 0; word <= trie->states / 64; word++)
	{
		uint64_t	bits;

		for (bits = trie->stored.words[word]; bits != 0; bits &= bits - 1)
		{
			uint32_t	link = trie->fail[word * 64 + __builtin_ctzll(bits)];

			if (last == 0 || link != last + 1)
			{
				add(&heads, rank);
				put(&head_links, link);
			}
			last = link;
			rank++;
		}
		if (ac_work_poll(&b->work, 8))
			return;
	}
	finish_set(&heads);
}

static void
write_slots(Builder *b)
{
	const AcImage *im = &b->image;
	PackedWriter order = write_packed(&im->order);
	SetWriter	starts = write_set(&im->slot_starts);
	SetWriter	respelled = write_set(&im->respelled);
	PackedWriter ends = write_packed(&im->spelling_ends);
	uint32_t	end = 0;
	uint32_t	slot;

	for (slot = 0; slot < im->patterns; slot++)
	{
		uint32_t	entry = b->order[slot];
		uint64_t	length = pattern_len(b->given, entry);

		put(&order, entry);
		if (im->slot_starts.count > 0 && starts_key(b, slot))
			add(&starts, slot);
		if (is_respelled(b, entry))
		{
			acore_work_copy(&b->work, (uint8_t *) im->spellings + end,
							b->given->pool + b->given->offsets[entry],
							(size_t) length);
			end += (uint32_t) length;
			add(&respelled, slot);
			put(&ends, end);
		}
		if (ac_work_poll(&b->work, 1 + length / 64))
			return;
	}
	finish_set(&starts);
	finish_set(&respelled);
}

static void
write_winners(Builder *b)
{
	PackedWriter winners = write_packed(&b->image.winners);
	uint32_t	slot = 0;

	while (b->image.winners.width > 0 && slot < b->image.patterns)
	{
		uint32_t	first = slot;
		uint32_t	winner = slot;

		for (slot++; slot < b->image.patterns && !starts_key(b, slot); slot++)
			if (b->order[slot] < b->order[winner])
				winner = slot;
		put(&winners, winner - first);
		if (ac_work_poll(&b->work, slot - first))
			return;
	}
}

static void
write_ids(Builder *b)
{
	PackedWriter ids = write_packed(&b->image.ids);
	uint32_t	i;

	for (i = 0; b->keys.ids != NULL && i < b->image.patterns; i++)
	{
		put(&ids, (uint64_t) b->keys.ids[i] - (uint64_t) b->image.id_base);
		if (ac_work_turn(&b->work, i))
			return;
	}
}

static void
write_header(const Builder *b, uint8_t *p, size_t size)
{
	const AcImage *im = &b->image;
	size_t		offset = AC_HEADER_SIZE;
	int			i;

	ac_store32(p + AC_OFFSET_MAGIC, AC_MAGIC);
	ac_store32(p + AC_OFFSET_FORMAT, AC_FORMAT | b->given->options << 16);
	ac_store32(p + AC_OFFSET_STATES, im->states);
	ac_store32(p + AC_OFFSET_PATTERNS, im->patterns);
	ac_store32(p + AC_OFFSET_MIN_LEN, b->min_len);
	ac_store32(p + AC_OFFSET_MAX_LEN, b->max_len);
	ac_store32(p + AC_OFFSET_SIZE, (uint32_t) size);
	ac_store64(p + AC_OFFSET_BYTES, b->given->offsets[im->patterns]);
	ac_store64(p + AC_OFFSET_ID_BASE, (uint64_t) im->id_base);
	for (i = 0; i < AC_COUNTS; i++)
	{
		uint32_t	count = im->counts[i];

		for (; count >= 0x80; count >>= 7)
			p[offset++] = (uint8_t) (count | 0x80);
		p[offset++] = (uint8_t) count;
	}
}

static uint64_t
header_size(const AcImage *im)
{
	uint64_t	size = AC_HEADER_SIZE;
	int			i;

	for (i = 0; i < AC_COUNTS; i++)
		size += (ac_bit_width(im->counts[i] | 1) + 6) / 7;
	return size;
}

static void
write_fingerprint(const Builder *b, uint8_t *p)
{
	const AcRules *given = b->given;
	uint32_t	head[2] = {given->options, given->count};
	uint8_t		digest[32];
	AcSpan		parts[4] = {
		{head, sizeof(head)},
		{given->offsets, ((size_t) given->count + 1) * sizeof(uint64_t)},
		{b->keys.ids, b->keys.ids == NULL ? 0 :
		given->count * sizeof(int64_t)},
		{given->pool, (size_t) given->offsets[given->count]}
	};

	b->host->sha256(b->host->context, parts, 4, digest);
	memcpy(p + AC_OFFSET_FINGERPRINT, digest, 16);
}

void
acore_seal(void *image, size_t size, const AcHost *host)
{
	uint8_t    *p = image;

	ac_store32(p + AC_OFFSET_CHECKSUM,
			   host->crc32c(host->context, p + AC_OFFSET_FORMAT,
							size - AC_OFFSET_FORMAT));
}

static void
write_sections(Builder *b)
{
	const AcImage *im = &b->image;

	write_labels(b);
	write_node_set(b, &im->leaves, &b->trie.leaves);
	write_node_set(b, &im->branches, &b->trie.branches);
	write_edges(b);
	write_node_set(b, &im->terminals, &b->trie.terminals);
	write_node_set(b, &im->outputs, &b->trie.outputs);
	write_node_set(b, &im->far, &b->trie.far);
	write_node_set(b, &im->stored, &b->trie.stored);
	write_links(b);
	write_slots(b);
	write_winners(b);
	write_ids(b);
}

static AcStatus
write_image(Builder *b, size_t prefix, size_t max_size, uint8_t **block,
			size_t *image_size)
{
	AcImage    *im = &b->image;
	uint64_t	head = header_size(im);
	uint64_t	size = acore_image_place(im, NULL, head);
	uint8_t    *p;

	if (size > UINT32_MAX || prefix + size > max_size)
		return AC_E_TOO_LARGE;
	*block = b->host->allocate(b->host->context, prefix + (size_t) size);
	if (*block == NULL)
		return AC_E_MEMORY;
	p = *block + prefix;
	acore_work_fill(&b->work, p, 0, (size_t) size);
	if (!b->work.interrupted)
	{
		acore_image_place(im, p, head);
		write_header(b, p, (size_t) size);
		write_sections(b);
	}
	if (b->work.interrupted)
	{
		b->host->release(b->host->context, *block, prefix + (size_t) size);
		*block = NULL;
		return AC_E_INTERRUPTED;
	}
	write_fingerprint(b, p);
	acore_seal(p, (size_t) size, b->host);
	*image_size = (size_t) size;
	return AC_OK;
}

/* ---------- all of it ---------- */

static AcStatus
prepare(Builder *b, size_t max_size)
{
	AcStatus	status = fold_patterns(b);

	drop_ordinal_ids(&b->keys);
	b->order = acore_work_take(&b->work, b->given->count, sizeof(uint32_t));
	if (b->order == NULL)
		return AC_E_MEMORY;
	if (status == AC_OK)
		status = acore_sort(&b->keys, b->host, b->order);
	if (status == AC_OK)
		status = acore_trie_build(&b->keys, b->order, max_size, &b->work,
								  &b->trie);
	if (status != AC_OK)
		return status;
	b->image.options = b->given->options;
	b->image.states = b->trie.states;
	b->image.patterns = b->given->count;
	plan_nodes(b);
	plan_edges(b);
	plan_entries(b);
	status = plan_slots(b);
	return b->work.interrupted ? AC_E_INTERRUPTED : status;
}

AcStatus
acore_build(const AcRules *rules, const AcHost *host, size_t prefix,
			size_t max_size, uint8_t **block, size_t *image_size)
{
	Builder		b;
	AcStatus	status;

	memset(&b, 0, sizeof(b));
	b.given = rules;
	b.host = host;
	acore_work_init(&b.work, host);
	*block = NULL;
	*image_size = 0;
	status = prepare(&b, max_size);
	if (status == AC_OK)
		status = write_image(&b, prefix, max_size, block, image_size);
	acore_work_end(&b.work);
	return status;
}
