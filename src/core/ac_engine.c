/*
 * ac_engine.c
 *		The automaton unpacked for speed.
 *
 * The idea: text spends nearly all of its time close to the root, so the states
 * there get what is fast, and the many others what is small.  All transitions
 * stand in one array of words; a state is an offset into it.
 *
 *	dense	A row of one word a byte class, failure links already followed:
 *			one load a byte, nothing to decide.  The root and the states of
 *			depth 1 and 2 are dense, as far as that fits DENSE_WORDS, and so is
 *			any state with many children.
 *	sparse	Two words:
 *				word 0	bits 0-7	class of the only child
 *						bits 8-29	number of children when not one
 *						bit 30		has exactly one child
 *						bit 31		that child has outputs
 *				word 1	the failure link
 *			An only child stands right behind its parent.  Otherwise the
 *			children's classes follow, four a word, then their states.
 *
 * Dense states come first, so one comparison tells them from sparse ones.
 * Wherever a state is the target of a transition, bit 31 (AC_OUTPUTS) says
 * that it has outputs, so that the loop over the text tests a register.
 *
 * What only matters when something was found (a state's first output and its
 * depth) stands apart: at the end of a dense row, and for sparse states in a
 * second array under the same offset.
 *
 * Byte classes are the codes of the image plus one; class 0 is every byte
 * that is no label, and always leads to the root.  Where all 256 bytes are
 * labels, classes are the codes.
 *
 * Example: the keys "he", "she".  Classes e 1, h 2, s 3; stride 4 + 2.
 *	0	root	0	0	h	s	| first output, depth 0
 *	6	h		0	e!	h	s	|				depth 1
 *	12	s		0	0	sh	s	|				depth 1
 *	18	he		...			  20 ...		! marks AC_OUTPUTS
 * "she" at depth 3 is sparse.
 */
#include "ac_engine.h"

#include "ac_work.h"

#define DENSE_WORDS		(1 << 18)	/* of dense rows of depth 2 */
#define MANY_CHILDREN	12
#define ONE_CHILD		(UINT32_C(1) << 30)
#define AC_OUTPUTS		(UINT32_C(1) << 31)

typedef struct EngineKey
{
	uint32_t	length;
	uint32_t	next;			/* the next shorter key that ends there */
} EngineKey;

struct AcEngine
{
	uint8_t		classes[256];	/* byte -> class */
	uint32_t	class_count;
	uint32_t	first_class;	/* of code 0 */
	uint32_t	dense_end;		/* states below are dense */
	uint32_t   *words;
	uint32_t   *sparse_info;	/* [state - dense_end]: first output, depth */
	EngineKey  *keys;
	uint32_t	key_count;
	uint32_t	max_depth;
	uint64_t	word_count;
	AcFilter   *filter;			/* or NULL */
};

/* ---------- running ---------- */

/* First output and depth of a state. */
static inline const uint32_t *
state_info(const AcEngine *engine, uint32_t state)
{
	if (state < engine->dense_end)
		return engine->words + state + engine->class_count;
	return engine->sparse_info + (state - engine->dense_end);
}

/* The child of a sparse state with several children, or 0. */
static uint32_t
sparse_child(const uint32_t *record, uint32_t count, uint32_t class)
{
	const uint8_t *classes = (const uint8_t *) (record + 2);
	uint32_t	i;

	for (i = 0; i < count; i++)
		if (classes[i] == class)
			return record[2 + (count + 3) / 4 + i];
	return 0;
}

/* One transition out of a sparse state. */
static inline uint32_t
sparse_step(const AcEngine *engine, uint32_t state, uint32_t class)
{
	const uint32_t *words = engine->words;

	do
	{
		uint32_t	head = words[state];

		if (head & ONE_CHILD)
		{
			if ((head & 0xff) == class)
				return (state + 2) | (head & AC_OUTPUTS);
		}
		else if (head != 0)
		{
			uint32_t	child = sparse_child(words + state, head >> 8, class);

			if (child != 0)
				return child;
		}
		state = words[state + 1];
	} while (state >= engine->dense_end);
	return words[state + class];
}

static inline uint32_t
step(const AcEngine *engine, uint32_t state, uint8_t byte)
{
	uint32_t	class = engine->classes[byte];

	if (state < engine->dense_end)
		return engine->words[state + class];
	return sparse_step(engine, state, class);
}

/* Reports outputs from "key" on; what finds no room stays in the cursor. */
static size_t
report(const AcEngine *engine, AcCursor *cursor, uint32_t key, size_t end,
	   uint32_t depth, AcHit *hits, size_t room)
{
	size_t		count = 0;

	for (; key != AC_NO_OUTPUT && count < room; key = engine->keys[key].next)
		hits[count++] = (AcHit) {(uint32_t) end, engine->keys[key].length,
			key, depth};
	cursor->output = key;
	return count;
}

size_t
acore_engine_run(const AcEngine *engine, AcCursor *cursor,
				 const uint8_t *text, size_t from, size_t to,
				 AcHit *hits, size_t room, size_t *count)
{
	uint32_t	state = cursor->state;
	size_t		done = 0;

	if (cursor->output != AC_NO_OUTPUT)
		done = report(engine, cursor, cursor->output, from, cursor->depth,
					  hits, room);
	while (from < to && done < room)
	{
		uint32_t	next = step(engine, state, text[from++]);

		state = next & ~AC_OUTPUTS;
		if ((next & AC_OUTPUTS) != 0)
		{
			const uint32_t *info = state_info(engine, state);

			done += report(engine, cursor, info[0], from, info[1],
						   hits + done, room - done);
		}
	}
	cursor->state = state;
	cursor->depth = state_info(engine, state)[1];
	*count = done;
	return from;
}

const AcFilter *
acore_engine_filter(const AcEngine *engine)
{
	return engine->filter;
}

uint32_t
acore_engine_max_depth(const AcEngine *engine)
{
	return engine->max_depth;
}

/* ---------- building ---------- */

/* The image decoded into one element a node. */
typedef struct Decoded
{
	const AcImage *image;
	AcEngine   *engine;
	AcWork		work;
	uint8_t    *class;			/* of the label */
	uint8_t    *flags;			/* LEAF ... */
	uint32_t   *depth;
	uint32_t   *fail;
	uint32_t   *first_key;		/* first output, or AC_NO_OUTPUT */
	uint32_t   *by_depth;		/* nodes ordered by depth */
	uint32_t   *state;			/* in the engine */
	uint32_t   *edge_begin;		/* per branch; one more at the end */
	uint32_t   *edge_child;
	uint32_t	dense_count;
} Decoded;

enum
{
	LEAF = 1,
	BRANCH = 2,
	TERMINAL = 4,
	STORED = 8,
	DENSE = 16
};

static bool
take_arrays(Decoded *d)
{
	const AcImage *im = d->image;
	AcWork	   *work = &d->work;
	uint32_t	n = im->states;

	d->class = acore_work_take(work, n, 1);
	d->flags = acore_work_zero(work, n, 1);
	d->depth = acore_work_take(work, n, sizeof(uint32_t));
	d->fail = acore_work_take(work, n, sizeof(uint32_t));
	d->first_key = acore_work_take(work, n, sizeof(uint32_t));
	d->by_depth = acore_work_take(work, n, sizeof(uint32_t));
	d->state = acore_work_take(work, n, sizeof(uint32_t));
	d->edge_begin = acore_work_take(work, im->counts[AC_N_BRANCHES] + 1,
									sizeof(uint32_t));
	d->edge_child = acore_work_take(work, im->edge_count, sizeof(uint32_t));
	return d->class != NULL && d->flags != NULL && d->depth != NULL &&
		d->fail != NULL && d->first_key != NULL && d->by_depth != NULL &&
		d->state != NULL && d->edge_begin != NULL && d->edge_child != NULL;
}

/* ---------- decoding nodes ---------- */

static void
flag_members(Decoded *d, const AcSet *set, uint8_t flag)
{
	AcSetWalk	walk = ac_walk_set(set);
	uint32_t	i;

	for (i = 0; i < set->count; i++)
		d->flags[ac_next_member(&walk)] |= flag;
}

/* Flags, classes and depths of all nodes. */
static void
decode_nodes(Decoded *d)
{
	const AcImage *im = d->image;
	AcSetWalk	leaves = ac_walk_set(&im->leaves);
	uint32_t	node;
	uint32_t	row;

	flag_members(d, &im->leaves, LEAF | TERMINAL);
	flag_members(d, &im->terminals, TERMINAL);
	flag_members(d, &im->branches, BRANCH);
	flag_members(d, &im->stored, STORED);
	d->class[0] = 0;
	d->depth[0] = 0;
	for (node = 1; node < im->states; node++)
		d->class[node] = (uint8_t) (ac_label(im, node) +
										d->engine->first_class);
	for (row = 0, node = 1; row < im->counts[AC_N_LEAVES]; row++)
	{
		uint32_t	leaf = ac_next_member(&leaves);
		uint32_t	depth = (uint32_t) ac_tall_get(&im->leaf_depths, row) -
			(leaf - node);

		for (; node <= leaf; node++)
			d->depth[node] = depth++;
	}
}

static void
decode_edges(Decoded *d)
{
	const AcImage *im = d->image;
	AcSetWalk	branches = ac_walk_set(&im->branches);
	AcSetWalk	starts = ac_walk_set(&im->edge_starts);
	uint32_t	count = im->counts[AC_N_BRANCHES];
	uint32_t	branch;
	uint32_t	edge;

	for (branch = 0; branch < count; branch++)
		d->edge_begin[branch] = ac_next_member(&starts);
	d->edge_begin[count] = im->edge_count;
	for (branch = 0; branch < count; branch++)
	{
		uint32_t	node = ac_next_member(&branches);

		for (edge = d->edge_begin[branch]; edge < d->edge_begin[branch + 1];
			 edge++)
			d->edge_child[edge] = node + 2 +
				(uint32_t) ac_tall_get(&im->edges, edge);
	}
}

/* The child of a node by a class, or 0. */
static uint32_t
child(const Decoded *d, uint32_t node, uint8_t class)
{
	uint32_t	branch;
	uint32_t	low;
	uint32_t	high;

	if (node == 0)
		return d->image->root_child[class - d->engine->first_class];
	if (d->flags[node] & LEAF)
		return 0;
	if (d->class[node + 1] == class)
		return node + 1;
	if ((d->flags[node] & BRANCH) == 0)
		return 0;
	branch = ac_set_rank(&d->image->branches, node);
	low = d->edge_begin[branch];
	high = d->edge_begin[branch + 1];
	while (low < high)
	{
		uint32_t	mid = low + (high - low) / 2;
		uint32_t	at = d->edge_child[mid];

		if (d->class[at] == class)
			return at;
		if (d->class[at] < class)
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
decode_links(Decoded *d)
{
	const AcImage *im = d->image;
	AcSetWalk	heads = ac_walk_set(&im->heads);
	uint32_t	head = ac_next_member(&heads);
	uint32_t	suffix[AC_PREDICT_DEPTH + 1] = {0};
	uint32_t	rank = 0;
	uint32_t	link = 0;
	uint32_t	node;
	uint32_t	k;

	d->fail[0] = 0;
	for (node = 1; node < im->states; node++)
	{
		if (d->flags[node - 1] & LEAF)
			memset(suffix, 0, sizeof(suffix));
		for (k = AC_PREDICT_DEPTH; k > 0; k--)
			suffix[k] = k > 1 && suffix[k - 1] == 0 ? 0 :
				child(d, suffix[k - 1], d->class[node]);
		if ((d->flags[node] & STORED) == 0)
		{
			for (k = AC_PREDICT_DEPTH; k > 0; k--)
				if (suffix[k] != 0 && k < d->depth[node])
					break;
			d->fail[node] = suffix[k];
			continue;
		}
		link++;
		if (rank++ == head)
		{
			link = (uint32_t) ac_packed_get(&im->head_links, heads.next - 1);
			head = ac_next_member(&heads);
		}
		d->fail[node] = link;
	}
}

/* Orders nodes by depth: a counting sort. */
static AcStatus
order_nodes(Decoded *d)
{
	uint64_t	depths = (uint64_t) d->image->max_depth + 2;
	uint32_t   *places = acore_work_zero(&d->work, depths, sizeof(uint32_t));
	uint64_t	i;

	if (places == NULL)
		return AC_E_MEMORY;
	for (i = 0; i < d->image->states; i++)
		places[d->depth[i] + 1]++;
	for (i = 1; i < depths; i++)
		places[i] += places[i - 1];
	for (i = 0; i < d->image->states; i++)
		d->by_depth[places[d->depth[i]]++] = (uint32_t) i;
	acore_work_drop(&d->work, places);
	return AC_OK;
}

/* Outputs: those of a node's failure link follow its own. */
static void
link_outputs(Decoded *d)
{
	AcEngine   *engine = d->engine;
	uint32_t	key = 0;
	uint32_t	node;
	uint32_t	i;

	for (node = 1; node < d->image->states; node++)
	{
		if ((d->flags[node] & TERMINAL) == 0)
			continue;
		d->first_key[node] = key;
		engine->keys[key++].length = d->depth[node];
	}
	d->first_key[0] = AC_NO_OUTPUT;
	for (i = 1; i < d->image->states; i++)
	{
		uint32_t	next;

		node = d->by_depth[i];
		next = d->first_key[d->fail[node]];
		if (d->flags[node] & TERMINAL)
			engine->keys[d->first_key[node]].next = next;
		else
			d->first_key[node] = next;
	}
}

/* ---------- placing states ---------- */

static uint32_t
children_of(const Decoded *d, uint32_t node)
{
	uint32_t	branch;

	if (d->flags[node] & LEAF)
		return 0;
	if ((d->flags[node] & BRANCH) == 0)
		return 1;
	branch = ac_set_rank(&d->image->branches, node);
	return 1 + d->edge_begin[branch + 1] - d->edge_begin[branch];
}

/* Whether a row is worth its words. */
static bool
deserves_row(const Decoded *d, uint32_t node, uint32_t stride)
{
	uint32_t	children;

	if (d->depth[node] < 2)
		return true;
	if (d->depth[node] == 2 &&
		((uint64_t) d->dense_count + 1) * stride <= DENSE_WORDS)
		return true;
	if ((d->flags[node] & BRANCH) == 0)
		return false;
	children = children_of(d, node);
	return children >= MANY_CHILDREN && children * 8 >= stride;
}

/* Gives every node its state; answers the words needed. */
static uint64_t
place_states(Decoded *d)
{
	uint32_t	stride = d->engine->class_count + 2;
	uint64_t	at = 0;
	uint32_t	node;
	uint32_t	i;

	for (i = 0; i < d->image->states; i++)
	{
		node = d->by_depth[i];
		if (!deserves_row(d, node, stride))
			continue;
		d->flags[node] |= DENSE;
		d->dense_count++;
		d->state[node] = (uint32_t) at;
		at += stride;
	}
	if (at >= AC_OUTPUTS)
		return at;
	d->engine->dense_end = (uint32_t) at;
	for (node = 0; node < d->image->states; node++)
	{
		if (d->flags[node] & DENSE)
			continue;
		d->state[node] = (uint32_t) at;
		at += 2;
		if (d->flags[node] & LEAF)
			continue;
		if ((d->flags[node] & BRANCH) || (d->flags[node + 1] & DENSE))
		{
			uint32_t	children = children_of(d, node);

			at += (children + 3) / 4 + children;
		}
		if (at >= AC_OUTPUTS)
			break;
	}
	return at;
}

/* ---------- writing states ---------- */

/* A state as the target of a transition. */
static uint32_t
target(const Decoded *d, uint32_t node)
{
	return d->state[node] |
		(d->first_key[node] != AC_NO_OUTPUT ? AC_OUTPUTS : 0);
}

/* Calls for the children of a node one by one; 0 behind the last. */
static uint32_t
nth_child(const Decoded *d, uint32_t node, uint32_t n)
{
	uint32_t	branch;

	if (n == 0)
		return d->flags[node] & LEAF ? 0 : node + 1;
	if ((d->flags[node] & BRANCH) == 0)
		return 0;
	branch = ac_set_rank(&d->image->branches, node);
	if (d->edge_begin[branch] + n - 1 >= d->edge_begin[branch + 1])
		return 0;
	return d->edge_child[d->edge_begin[branch] + n - 1];
}

static void
write_sparse(Decoded *d, uint32_t node)
{
	AcEngine   *engine = d->engine;
	uint32_t	state = d->state[node];
	uint32_t   *record = engine->words + state;
	uint32_t   *info = engine->sparse_info + (state - engine->dense_end);
	uint32_t	children;
	uint32_t	i;

	info[0] = d->first_key[node];
	info[1] = d->depth[node];
	record[1] = d->state[d->fail[node]];
	if (d->flags[node] & LEAF)
		return;
	if ((d->flags[node] & BRANCH) == 0 &&
		(d->flags[node + 1] & DENSE) == 0)
	{
		record[0] = ONE_CHILD | d->class[node + 1] |
			(target(d, node + 1) & AC_OUTPUTS);
		return;
	}
	children = children_of(d, node);
	record[0] = children << 8;
	for (i = 0; i < children; i++)
	{
		uint32_t	at = nth_child(d, node, i);

		((uint8_t *) (record + 2))[i] = d->class[at];
		record[2 + (children + 3) / 4 + i] = target(d, at);
	}
}

/* Rows come by depth, so that those of failure links are there already. */
static void
write_dense(Decoded *d, uint32_t node)
{
	AcEngine   *engine = d->engine;
	uint32_t   *row = engine->words + d->state[node];
	uint32_t	from = d->fail[node];
	uint32_t	class;
	uint32_t	i;
	uint32_t	at;

	if (node != 0 && (d->flags[from] & DENSE))
		memcpy(row, engine->words + d->state[from],
			   engine->class_count * sizeof(uint32_t));
	else if (node != 0)
		for (class = 0; class < engine->class_count; class++)
			row[class] = sparse_step(engine, d->state[from], class);
	for (i = 0; (at = nth_child(d, node, i)) != 0; i++)
		row[d->class[at]] = target(d, at);
	row[engine->class_count] = d->first_key[node];
	row[engine->class_count + 1] = d->depth[node];
}

static AcStatus
write_states(Decoded *d)
{
	const AcHost *host = d->work.host;
	uint32_t	dense = d->dense_count;
	uint32_t	node;
	uint32_t	i;

	for (node = 0; node < d->image->states; node++)
	{
		if ((d->flags[node] & DENSE) == 0)
			write_sparse(d, node);
		if (node % 65536 == 0 && host->interrupted(host->context))
			return AC_E_INTERRUPTED;
	}
	for (i = 0; dense > 0; i++)
	{
		node = d->by_depth[i];
		if ((d->flags[node] & DENSE) == 0)
			continue;
		write_dense(d, node);
		if (dense-- % 1024 == 0 && host->interrupted(host->context))
			return AC_E_INTERRUPTED;
	}
	return AC_OK;
}

/* ---------- the filter ---------- */

/* Counts the keys of each short length. */
static void
count_short_keys(const Decoded *d, uint32_t short_keys[AC_SHORT_KEYS])
{
	uint32_t	i;

	memset(short_keys, 0, AC_SHORT_KEYS * sizeof(uint32_t));
	for (i = 0; i < d->image->states; i++)
	{
		uint32_t	node = d->by_depth[i];

		if (d->depth[node] >= AC_SHORT_KEYS)
			break;
		if (d->flags[node] & TERMINAL)
			short_keys[d->depth[node]]++;
	}
}

/*
 * Adds the keys, as they stand in the trie, to the filter.  "path" is the row
 * down to the node; a key that begins with another ("within") is not needed.
 */
static AcStatus
add_keys(const Decoded *d, AcFilterBuilder *builder, uint8_t *path)
{
	uint32_t	within = UINT32_MAX;
	uint32_t	node;

	for (node = 1; node < d->image->states; node++)
	{
		uint32_t	depth = d->depth[node];
		AcStatus	status;

		if (depth <= within)
			within = UINT32_MAX;
		path[depth - 1] = d->image->alphabet[d->class[node] -
											 d->engine->first_class];
		if (within != UINT32_MAX || (d->flags[node] & TERMINAL) == 0)
			continue;
		within = depth;
		status = acore_filter_add(builder, path, depth);
		if (status != AC_OK)
			return status;
	}
	return AC_OK;
}

/* Leaves the engine without a filter where none can help. */
static AcStatus
build_filter(Decoded *d)
{
	AcFilterBuilder *builder;
	uint32_t	short_keys[AC_SHORT_KEYS];
	uint8_t    *path = acore_work_take(&d->work, d->image->max_depth, 1);
	AcStatus	status;

	if (path == NULL)
		return AC_E_MEMORY;
	count_short_keys(d, short_keys);
	status = acore_filter_begin(short_keys, d->work.host, &builder);
	if (status != AC_OK || builder == NULL)
		return status;
	status = add_keys(d, builder, path);
	if (status == AC_OK)
		return acore_filter_finish(builder, &d->engine->filter);
	acore_filter_abandon(builder);
	return status == AC_E_TOO_LARGE ? AC_OK : status;
}

/* ---------- all of it ---------- */

static bool
take_words(AcEngine *engine, const AcHost *host)
{
	size_t		words = (size_t) engine->word_count * sizeof(uint32_t);
	size_t		info = words - engine->dense_end * sizeof(uint32_t) +
		sizeof(uint32_t);

	engine->words = host->allocate(host->context, words);
	if (engine->words == NULL)
		return false;
	memset(engine->words, 0, words);
	engine->sparse_info = host->allocate(host->context, info);
	return engine->sparse_info != NULL;
}

static AcStatus
decode(Decoded *d)
{
	const AcHost *host = d->work.host;
	AcEngine   *engine = d->engine;
	AcStatus	status;

	if (!take_arrays(d))
		return AC_E_MEMORY;
	decode_nodes(d);
	decode_edges(d);
	status = order_nodes(d);
	if (status != AC_OK)
		return status;
	if (host->interrupted(host->context))
		return AC_E_INTERRUPTED;
	decode_links(d);
	link_outputs(d);
	engine->word_count = place_states(d);
	if (engine->word_count >= AC_OUTPUTS)
		return AC_E_TOO_LARGE;
	if (!take_words(engine, host))
		return AC_E_MEMORY;
	status = write_states(d);
	return status == AC_OK ? build_filter(d) : status;
}

static AcEngine *
make_engine(const AcImage *im, const AcHost *host)
{
	size_t		key_bytes = im->keys * sizeof(EngineKey);
	AcEngine   *engine = host->allocate(host->context, sizeof(AcEngine));
	int			byte;

	if (engine == NULL)
		return NULL;
	memset(engine, 0, sizeof(*engine));
	engine->key_count = im->keys;
	engine->max_depth = im->max_depth;
	engine->first_class = im->counts[AC_N_ALPHABET] < 256 ? 1 : 0;
	engine->class_count = im->counts[AC_N_ALPHABET] + engine->first_class;
	for (byte = 0; byte < 256; byte++)
		if (im->codes[byte] != AC_NO_CODE)
			engine->classes[byte] = (uint8_t) (im->codes[byte] +
												engine->first_class);
	engine->keys = host->allocate(host->context, key_bytes);
	if (engine->keys == NULL)
	{
		acore_engine_free(engine, host);
		return NULL;
	}
	return engine;
}

AcStatus
acore_engine_build(const AcImage *image, const AcHost *host,
				   AcEngine **engine)
{
	Decoded		d = {.image = image};
	AcStatus	status;

	*engine = NULL;
	if (image->states == 1)
		return AC_OK;
	d.engine = make_engine(image, host);
	if (d.engine == NULL)
		return AC_E_MEMORY;
	acore_work_init(&d.work, host);
	status = decode(&d);
	acore_work_end(&d.work);
	if (status == AC_OK)
		*engine = d.engine;
	else
		acore_engine_free(d.engine, host);
	/* too many states for an engine: the image is walked in place */
	return status == AC_E_TOO_LARGE ? AC_OK : status;
}

void
acore_engine_free(AcEngine *engine, const AcHost *host)
{
	size_t		key_bytes = engine->key_count * sizeof(EngineKey);
	size_t		words = (size_t) engine->word_count * sizeof(uint32_t);

	if (engine->filter != NULL)
		acore_filter_free(engine->filter, host);
	if (engine->keys != NULL)
		host->release(host->context, engine->keys, key_bytes);
	if (engine->words != NULL)
		host->release(host->context, engine->words, words);
	if (engine->sparse_info != NULL)
		host->release(host->context, engine->sparse_info, words -
					  engine->dense_end * sizeof(uint32_t) + sizeof(uint32_t));
	host->release(host->context, engine, sizeof(AcEngine));
}
