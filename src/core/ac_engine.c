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
 *						bits 8-29	of a state with one child: length of the
 *									chain; else the number of children
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
 * Most states of a trie have one child.  A chain is a run of such transitions
 * that leads to no outputs.  The bytes along it also stand side by side in
 * labels[], and are compared with the text eight at a time.
 *
 * The first output of a state stands at the end of a dense row, or in front of
 * a sparse state that has outputs, where the processor has fetched it already.
 * The depth follows it in a row; those of sparse states are in an array of
 * their own, as they are not asked for at every byte.
 *
 * Byte classes are the codes of the image plus one; class 0 is every byte
 * that is no label, and always leads to the root.  Where all 256 bytes are
 * labels, classes are the codes.
 *
 * Example: the keys "he", "she".  Classes e 1, h 2, s 3; a row has 4 + 2 words.
 *	0	root	0	0	h	s	| no output, depth 0
 *	6	h		0	e!	h	s	|				 1
 *	12	s		0	0	sh	s	|				 1
 *	18	he		...			  24 ...		! marks AC_OUTPUTS
 * "she" at depth 3 is sparse.
 */
#include "ac_engine.h"

#include "ac_bits.h"
#include "ac_nodes.h"

#define DENSE_WORDS		(1 << 18)	/* of dense rows of depth 2 */
#define MANY_CHILDREN	12
#define ONE_CHILD		(UINT32_C(1) << 30)
#define AC_OUTPUTS		(UINT32_C(1) << 31)
#define COUNT_MASK		UINT32_C(0x3fffff)	/* of children, or along a chain */
#define CHAIN_MASK		(COUNT_MASK << 8)
#define PLACE_STEPS		4		/* that looking at a node of any place takes */
#define CHAIN_MIN		(UINT32_C(1) << 8)	/* longer ones are followed */

#define ROW_EXTRA		2		/* words behind a row: first output, depth */

struct AcEngine
{
	uint8_t		classes[256];	/* byte -> class */
	uint32_t	class_count;
	uint32_t	first_class;	/* of code 0 */
	uint32_t	dense_end;		/* states below are dense */
	uint32_t	key_count;
	uint32_t	max_depth;
	uint64_t	word_count;
	uint32_t   *words;
	uint32_t   *depths;			/* of sparse states; see sparse_index() */
	uint8_t    *labels;			/* byte to the only child, likewise */
	AcOutput   *outputs;		/* by key */
	AcFilter   *filter;			/* or NULL */
};

/* ---------- running ---------- */

/* Where a sparse state stands in depths[] and labels[]: every one has two words
 * at least, so that no other has its place. */
static inline size_t
sparse_index(const AcEngine *engine, uint32_t state)
{
	return (state - engine->dense_end) / 2;
}

uint32_t
acore_engine_depth(const AcEngine *engine, uint32_t state)
{
	if (state < engine->dense_end)
		return engine->words[state + engine->class_count + 1];
	return engine->depths[sparse_index(engine, state)];
}

/* The first output of a state that has some. */
static inline uint32_t
first_output(const AcEngine *engine, uint32_t state)
{
	if (state < engine->dense_end)
		return engine->words[state + engine->class_count];
	return engine->words[state - 1];
}

/* The only child of a sparse state whose word 0 is "head". */
static inline uint32_t
only_child(uint32_t state, uint32_t head)
{
	return (state + 2 + (head >> 31)) | (head & AC_OUTPUTS);
}

/* The child of a sparse state with several children, or 0. */
static inline uint32_t
sparse_child(const uint32_t *record, uint32_t count, uint32_t class)
{
	const uint8_t *classes = (const uint8_t *) (record + 2);
	uint32_t	i;

	for (i = 0; i < count; i += 8)
	{
		/* the lowest byte that is zero is marked by its highest bit */
		uint64_t	differ = ac_load64(classes + i) ^
			class * UINT64_C(0x0101010101010101);
		uint64_t	zero = (differ - UINT64_C(0x0101010101010101)) & ~differ &
			UINT64_C(0x8080808080808080);

		if (zero != 0)
		{
			i += (uint32_t) __builtin_ctzll(zero) / 8;
			return i < count ? record[2 + (count + 3) / 4 + i] : 0;
		}
	}
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
				return only_child(state, head);
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

/*
 * How many of the next eight bytes agree with the chain at a sparse state whose
 * word 0 is "head".
 */
static inline uint32_t
follow_chain(const AcEngine *engine, uint32_t state, uint32_t head,
			 const uint8_t *text)
{
	uint32_t	length = (head >> 8) & COUNT_MASK;
	uint64_t	differ = ac_load64(text) ^
		ac_load64(engine->labels + sparse_index(engine, state));
	uint32_t	agree = differ == 0 ? 8 :
		(uint32_t) __builtin_ctzll(differ) / 8;

	return agree < length ? agree : length;
}

/* Reports outputs from "key" on; what finds no room stays in the cursor. */
static inline void
report(const AcEngine *engine, AcCursor *cursor, uint32_t key, size_t end,
	   uint32_t state, AcHits *hits)
{
	uint32_t	count = hits->count;

	for (; key != AC_NO_OUTPUT && count < hits->room;
		 key = engine->outputs[key].next)
		hits->hit[count++] = (AcHit) {(uint32_t) end,
			engine->outputs[key].length, key, state};
	hits->count = count;
	cursor->output = key;
}

size_t
acore_engine_run(const AcEngine *engine, AcCursor *cursor,
				 const uint8_t *text, size_t from, size_t to, AcHits *hits)
{
	const uint32_t *words = engine->words;
	uint32_t	state = cursor->state;

	if (cursor->output != AC_NO_OUTPUT)
		report(engine, cursor, cursor->output, from, state, hits);
	while (from < to && hits->count < hits->room)
	{
		uint32_t	class = engine->classes[text[from]];
		uint32_t	next;

		if (state < engine->dense_end)
			next = words[state + class];
		else if ((words[state] & (ONE_CHILD | 0xff)) == (ONE_CHILD | class))
		{
			uint32_t	head = words[state];

			if ((head & CHAIN_MASK) > CHAIN_MIN && to - from >= 8)
			{
				uint32_t	agree = follow_chain(engine, state, head,
												 text + from);

				from += agree;
				state += 2 * agree;
				continue;
			}
			next = only_child(state, head);
		}
		else
			next = sparse_step(engine, state, class);
		from++;
		state = next & ~AC_OUTPUTS;
		if ((next & AC_OUTPUTS) != 0)
			report(engine, cursor, first_output(engine, state), from, state,
				   hits);
	}
	cursor->state = state;
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

/* ---------- placing states ---------- */

/* Workspace of the build. */
typedef struct Build
{
	AcEngine   *engine;
	const AcHost *host;
	AcNodes		nodes;
	AcWork		work;
	uint32_t   *state;			/* of a node */
	uint32_t	dense_count;
} Build;

static inline uint32_t
class_of(const Build *b, uint32_t node)
{
	return b->nodes.code[node] + b->engine->first_class;
}

static bool
has_outputs(const Build *b, uint32_t node)
{
	return b->nodes.first_key[node] != AC_NO_OUTPUT;
}

static bool
is_dense(const Build *b, uint32_t node)
{
	return b->nodes.flags[node] & AC_NODE_DENSE;
}

static uint32_t
words_of_children(uint32_t children)
{
	return (children + 3) / 4 + children;
}

/* Whether the only child stands behind its parent. */
static bool
is_one_child(const Build *b, uint32_t node)
{
	return (b->nodes.flags[node] & (AC_NODE_LEAF | AC_NODE_BRANCH)) == 0 &&
		!is_dense(b, node + 1);
}

/* Whether a row is worth its words. */
static bool
deserves_row(const Build *b, uint32_t node, uint32_t stride)
{
	uint32_t	depth = b->nodes.depth[node];
	uint32_t	children;

	if (depth < 2)
		return true;
	if (depth == 2 && ((uint64_t) b->dense_count + 1) * stride <= DENSE_WORDS)
		return true;
	children = ac_child_count(&b->nodes, node);
	return children >= MANY_CHILDREN && children * 8 >= stride;
}

/* Gives every node its state; answers the words needed. */
static uint64_t
place_states(Build *b)
{
	AcNodes    *nodes = &b->nodes;
	uint32_t	stride = b->engine->class_count + ROW_EXTRA;
	uint64_t	at = 0;
	uint32_t	node;
	uint32_t	i;

	for (i = 0; i < nodes->image->states; i++)
	{
		node = nodes->by_depth[i];
		if (ac_work_poll(&b->work, PLACE_STEPS))
			break;
		if (!deserves_row(b, node, stride))
			continue;
		nodes->flags[node] |= AC_NODE_DENSE;
		b->dense_count++;
		b->state[node] = (uint32_t) at;
		at += stride;
	}
	if (at >= AC_OUTPUTS)
		return at;
	b->engine->dense_end = (uint32_t) at;
	for (node = 0; node < nodes->image->states && at < AC_OUTPUTS; node++)
	{
		if (ac_work_turn(&b->work, node))
			break;
		if (is_dense(b, node))
			continue;
		if (has_outputs(b, node))
			at++;
		b->state[node] = (uint32_t) at;
		at += 2;
		if (!is_one_child(b, node))
			at += words_of_children(ac_child_count(nodes, node));
	}
	return at;
}

/* ---------- writing states ---------- */

/* A node as the target of a transition. */
static uint32_t
target(const Build *b, uint32_t node)
{
	return b->state[node] | (has_outputs(b, node) ? AC_OUTPUTS : 0);
}

/* Nodes come from the last to the first, so that the rest of a chain is there
 * already. */
static void
write_only_child(Build *b, uint32_t node)
{
	AcEngine   *engine = b->engine;
	uint32_t	state = b->state[node];
	uint32_t	child = node + 1;
	uint32_t	behind = engine->words[b->state[child]];
	uint32_t	length = 1;

	if (has_outputs(b, child))
		length = 0;
	else if (is_one_child(b, child))
		length += (behind >> 8) & COUNT_MASK;
	if (length > COUNT_MASK)
		length = COUNT_MASK;
	engine->words[state] = ONE_CHILD | length << 8 | class_of(b, child) |
		(has_outputs(b, child) ? AC_OUTPUTS : 0);
	engine->labels[sparse_index(engine, state)] =
		b->nodes.image->alphabet[b->nodes.code[child]];
}

static void
write_sparse(Build *b, uint32_t node)
{
	AcEngine   *engine = b->engine;
	uint32_t	state = b->state[node];
	uint32_t   *record = engine->words + state;
	uint32_t	children = ac_child_count(&b->nodes, node);
	uint32_t	i;

	engine->depths[sparse_index(engine, state)] = b->nodes.depth[node];
	if (has_outputs(b, node))
		record[-1] = b->nodes.first_key[node];
	record[1] = b->state[b->nodes.fail[node]];
	if (is_one_child(b, node))
	{
		write_only_child(b, node);
		return;
	}
	record[0] = children << 8;
	for (i = 0; i < children; i++)
	{
		uint32_t	child = ac_nth_child(&b->nodes, node, i);

		((uint8_t *) (record + 2))[i] = (uint8_t) class_of(b, child);
		record[2 + (children + 3) / 4 + i] = target(b, child);
	}
}

/* Rows come by depth, so that those of failure links are there already. */
static void
write_dense(Build *b, uint32_t node)
{
	AcEngine   *engine = b->engine;
	uint32_t   *row = engine->words + b->state[node];
	uint32_t	from = b->nodes.fail[node];
	uint32_t	class;
	uint32_t	child;
	uint32_t	i;

	if (node != 0 && is_dense(b, from))
		memcpy(row, engine->words + b->state[from],
			   engine->class_count * sizeof(uint32_t));
	else if (node != 0)
		for (class = 0; class < engine->class_count; class++)
			row[class] = sparse_step(engine, b->state[from], class);
	for (i = 0; (child = ac_nth_child(&b->nodes, node, i)) != 0; i++)
		row[class_of(b, child)] = target(b, child);
	row[engine->class_count] = b->nodes.first_key[node];
	row[engine->class_count + 1] = b->nodes.depth[node];
}

static AcStatus
write_states(Build *b)
{
	uint32_t	dense = b->dense_count;
	uint32_t	node;
	uint32_t	i;

	for (node = b->nodes.image->states; node-- > 0;)
	{
		if (!is_dense(b, node))
			write_sparse(b, node);
		if (ac_work_poll(&b->work, PLACE_STEPS))
			return AC_E_INTERRUPTED;
	}
	for (i = 0; dense > 0; i++)
	{
		node = b->nodes.by_depth[i];
		if (!is_dense(b, node))
			continue;
		write_dense(b, node);
		dense--;
		if (ac_work_poll(&b->work, b->engine->class_count))
			return AC_E_INTERRUPTED;
	}
	return AC_OK;
}

/* ---------- the filter ---------- */

/* Counts the keys of each short length. */
static void
count_short_keys(const Build *b, uint32_t short_keys[AC_SHORT_KEYS])
{
	uint32_t	i;

	memset(short_keys, 0, AC_SHORT_KEYS * sizeof(uint32_t));
	for (i = 0; i < b->nodes.image->states; i++)
	{
		uint32_t	node = b->nodes.by_depth[i];

		if (b->nodes.depth[node] >= AC_SHORT_KEYS)
			break;
		if (b->nodes.flags[node] & AC_NODE_TERMINAL)
			short_keys[b->nodes.depth[node]]++;
	}
}

/*
 * Adds the keys, as they stand in the trie, to the filter.  "path" is the row
 * down to the node; a key that begins with another ("within") is not needed.
 */
static AcStatus
add_keys(Build *b, AcFilterBuilder *builder, uint8_t *path)
{
	uint32_t	within = UINT32_MAX;
	uint32_t	node;

	for (node = 1; node < b->nodes.image->states; node++)
	{
		uint32_t	depth = b->nodes.depth[node];
		AcStatus	status;

		if (depth <= within)
			within = UINT32_MAX;
		path[depth - 1] = b->nodes.image->alphabet[b->nodes.code[node]];
		if (ac_work_poll(&b->work, 1))
			return AC_E_INTERRUPTED;
		if (within != UINT32_MAX ||
			(b->nodes.flags[node] & AC_NODE_TERMINAL) == 0)
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
build_filter(Build *b)
{
	AcFilterBuilder *builder;
	uint32_t	short_keys[AC_SHORT_KEYS];
	uint8_t    *path = acore_work_take(&b->work, b->nodes.image->max_depth, 1);
	AcStatus	status;

	if (path == NULL)
		return AC_E_MEMORY;
	count_short_keys(b, short_keys);
	status = acore_filter_begin(b->engine->key_count, short_keys, b->host,
								&builder);
	if (status != AC_OK || builder == NULL)
		return status;
	status = add_keys(b, builder, path);
	if (status == AC_OK)
		return acore_filter_finish(builder, &b->engine->filter);
	acore_filter_abandon(builder);
	return status == AC_E_TOO_LARGE ? AC_OK : status;
}

/* ---------- all of it ---------- */

/* Elements of depths[] and labels[]. */
static size_t
sparse_room(const AcEngine *engine)
{
	return sparse_index(engine, (uint32_t) engine->word_count) + 1;
}

/* Words, and some more that sparse_child() may load. */
static size_t
word_bytes(const AcEngine *engine)
{
	return ((size_t) engine->word_count + 2) * sizeof(uint32_t);
}

/* Labels, and some more that follow_chain() may load. */
static size_t
label_bytes(const AcEngine *engine)
{
	return sparse_room(engine) + 8;
}

static bool
take_words(Build *b)
{
	AcEngine   *engine = b->engine;
	const AcHost *host = b->host;

	engine->words = host->allocate(host->context, word_bytes(engine));
	engine->depths = host->allocate(host->context, sparse_room(engine) *
									sizeof(uint32_t));
	engine->labels = host->allocate(host->context, label_bytes(engine));
	if (engine->words == NULL || engine->depths == NULL ||
		engine->labels == NULL)
		return false;
	acore_work_fill(&b->work, engine->words, 0, word_bytes(engine));
	acore_work_fill(&b->work, engine->labels, 0, label_bytes(engine));
	return true;
}

static AcStatus
build(Build *b, const AcImage *image)
{
	AcEngine   *engine = b->engine;
	AcStatus	status = acore_nodes_decode(&b->nodes, image, &b->work,
											engine->outputs);

	if (status != AC_OK)
		return status;
	b->state = acore_work_take(&b->work, image->states, sizeof(uint32_t));
	if (b->state == NULL)
		return AC_E_MEMORY;
	engine->word_count = place_states(b);
	if (b->work.interrupted)
		return AC_E_INTERRUPTED;
	if (engine->word_count >= AC_OUTPUTS)
		return AC_E_TOO_LARGE;
	if (!take_words(b))
		return AC_E_MEMORY;
	if (b->work.interrupted)
		return AC_E_INTERRUPTED;
	status = write_states(b);
	return status == AC_OK ? build_filter(b) : status;
}

static AcEngine *
make_engine(const AcImage *im, const AcHost *host)
{
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
	engine->outputs = host->allocate(host->context,
									 im->keys * sizeof(AcOutput));
	if (engine->outputs == NULL)
	{
		acore_engine_free(engine, host);
		return NULL;
	}
	return engine;
}

/* Above so many states it would take more memory than is decent: up to 40
 * bytes a state while it is built. */
#define STATES_MAX		(UINT32_C(1) << 25)

bool
acore_engine_helps(const AcImage *image)
{
	return image->states > 1 && image->states <= STATES_MAX;
}

AcStatus
acore_engine_build(const AcImage *image, const AcHost *host,
				   AcEngine **engine)
{
	Build		b = {.host = host};
	AcStatus	status;

	*engine = NULL;
	if (!acore_engine_helps(image))
		return AC_OK;
	b.engine = make_engine(image, host);
	if (b.engine == NULL)
		return AC_E_MEMORY;
	acore_work_init(&b.work, host);
	status = build(&b, image);
	acore_work_end(&b.work);
	if (status == AC_OK)
		*engine = b.engine;
	else
		acore_engine_free(b.engine, host);
	/* too many states for an engine: the image is walked in place */
	return status == AC_E_TOO_LARGE ? AC_OK : status;
}

static void
release(const AcHost *host, void *pointer, size_t size)
{
	if (pointer != NULL)
		host->release(host->context, pointer, size);
}

void
acore_engine_free(AcEngine *engine, const AcHost *host)
{
	if (engine->filter != NULL)
		acore_filter_free(engine->filter, host);
	release(host, engine->outputs, engine->key_count * sizeof(AcOutput));
	release(host, engine->words, word_bytes(engine));
	release(host, engine->depths, sparse_room(engine) * sizeof(uint32_t));
	release(host, engine->labels, label_bytes(engine));
	host->release(host->context, engine, sizeof(AcEngine));
}
