/*
 * bench_pg.c
 *		Yardsticks inside the server, loaded by sql.sh.
 *
 *	bench_cpu()				milliseconds of processor time of this backend
 *	bench_memchr(body)		fetches its argument and runs memchr over it: the
 *							least that any function over a body does
 *	bench_empty(rules, body)	a set-returning function that leaves at once
 *	bench_nodes(how, patterns)	builds a trie of one allocation a node, in a
 *							context of that kind ("aset", "slab",
 *							"generation"), by "malloc", or in one growing
 *							"array"; answers milliseconds and bytes
 */
#include "postgres.h"

#include <time.h>

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

PG_MODULE_MAGIC;

PG_FUNCTION_INFO_V1(bench_cpu);
PG_FUNCTION_INFO_V1(bench_memchr);
PG_FUNCTION_INFO_V1(bench_empty);
PG_FUNCTION_INFO_V1(bench_nodes);

static double
milliseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return 1e3 * (double) now.tv_sec + 1e-6 * (double) now.tv_nsec;
}

Datum
bench_cpu(PG_FUNCTION_ARGS)
{
	PG_RETURN_FLOAT8(milliseconds());
}

Datum
bench_memchr(PG_FUNCTION_ARGS)
{
	text	   *body = PG_GETARG_TEXT_PP(0);
	bool		found = memchr(VARDATA_ANY(body), 1, VARSIZE_ANY_EXHDR(body)) != NULL;

	PG_FREE_IF_COPY(body, 0);
	PG_RETURN_BOOL(found);
}

Datum
bench_empty(PG_FUNCTION_ARGS)
{
	((ReturnSetInfo *) fcinfo->resultinfo)->isDone = ExprEndResult;
	PG_RETURN_NULL();
}

/* ---------- the cost of allocation ---------- */

/* A node with sibling lists: as small as a node of its own gets. */
typedef struct TrieNode
{
	uint32		child;			/* in the array; else the pointers below */
	uint32		sibling;
	struct TrieNode *child_at;
	struct TrieNode *sibling_at;
	uint8		label;
	bool		ends;
} TrieNode;

typedef struct Builder
{
	MemoryContext context;		/* NULL: malloc */
	bool		in_array;
	TrieNode	   *array;
	uint32		count;
	uint32		room;
	Size		bytes;
	TrieNode	  **made;			/* by malloc, to be released */
} Builder;

static TrieNode *
new_node(Builder *builder, uint8 label)
{
	TrieNode	   *node;

	if (builder->count == builder->room)
	{
		builder->room *= 2;
		if (builder->in_array)
			builder->array = repalloc_huge(builder->array, builder->room * sizeof(TrieNode));
		if (builder->made != NULL)
			builder->made = repalloc_huge(builder->made, builder->room * sizeof(TrieNode *));
	}
	if (builder->in_array)
		node = &builder->array[builder->count];
	else if (builder->context != NULL)
		node = MemoryContextAlloc(builder->context, sizeof(TrieNode));
	else
		node = builder->made[builder->count] = malloc(sizeof(TrieNode));
	if (node == NULL)
		elog(ERROR, "out of memory");
	memset(node, 0, sizeof(TrieNode));
	node->label = label;
	builder->count++;
	return node;
}

static void
insert_by_pointer(Builder *builder, TrieNode *node, const uint8 *pattern, int length)
{
	int			i;

	for (i = 0; i < length; i++)
	{
		TrieNode	   *child = node->child_at;

		while (child != NULL && child->label != pattern[i])
			child = child->sibling_at;
		if (child == NULL)
		{
			child = new_node(builder, pattern[i]);
			child->sibling_at = node->child_at;
			node->child_at = child;
		}
		node = child;
	}
	node->ends = true;
}

static void
insert_by_number(Builder *builder, const uint8 *pattern, int length)
{
	uint32		node = 0;
	int			i;

	for (i = 0; i < length; i++)
	{
		uint32		child = builder->array[node].child;

		while (child != 0 && builder->array[child].label != pattern[i])
			child = builder->array[child].sibling;
		if (child == 0)
		{
			child = builder->count;
			new_node(builder, pattern[i]);
			builder->array[child].sibling = builder->array[node].child;
			builder->array[node].child = child;
		}
		node = child;
	}
	builder->array[node].ends = true;
}

static void
begin(Builder *builder, const char *how)
{
	memset(builder, 0, sizeof(Builder));
	builder->room = 1024;
	if (strcmp(how, "aset") == 0)
		builder->context = AllocSetContextCreate(CurrentMemoryContext, "nodes", ALLOCSET_DEFAULT_SIZES);
	else if (strcmp(how, "slab") == 0)
		builder->context = SlabContextCreate(CurrentMemoryContext, "nodes", SLAB_LARGE_BLOCK_SIZE, sizeof(TrieNode));
	else if (strcmp(how, "generation") == 0)
#if PG_VERSION_NUM >= 150000
		builder->context = GenerationContextCreate(CurrentMemoryContext, "nodes", ALLOCSET_DEFAULT_SIZES);
#else
		builder->context = GenerationContextCreate(CurrentMemoryContext, "nodes", SLAB_LARGE_BLOCK_SIZE);
#endif
	else if (strcmp(how, "array") == 0)
	{
		builder->in_array = true;
		builder->array = palloc(builder->room * sizeof(TrieNode));
	}
	else
		builder->made = palloc(builder->room * sizeof(TrieNode *));
}

static void
end(Builder *builder)
{
	uint32		i;

	if (builder->context != NULL)
	{
		builder->bytes = MemoryContextMemAllocated(builder->context, true);
		MemoryContextDelete(builder->context);
	}
	else if (builder->in_array)
	{
		builder->bytes = builder->room * sizeof(TrieNode);
		pfree(builder->array);
	}
	else
	{
		/* glibc: eight bytes of header, rounded up to sixteen */
		builder->bytes = builder->count * (Size) ((sizeof(TrieNode) + 8 + 15) & ~15);
		for (i = 0; i < builder->count; i++)
			free(builder->made[i]);
		pfree(builder->made);
	}
}

Datum
bench_nodes(PG_FUNCTION_ARGS)
{
	char	   *how = text_to_cstring(PG_GETARG_TEXT_PP(0));
	ArrayType  *patterns = PG_GETARG_ARRAYTYPE_P(1);
	Datum	   *values;
	Datum		row[2];
	bool		nulls[2] = {false, false};
	TupleDesc	tupdesc;
	Builder		builder;
	TrieNode	   *root;
	double		start;
	int			count,
				i;

	deconstruct_array(patterns, TEXTOID, -1, false, TYPALIGN_INT, &values, NULL, &count);
	get_call_result_type(fcinfo, NULL, &tupdesc);
	start = milliseconds();
	begin(&builder, how);
	root = new_node(&builder, 0);
	for (i = 0; i < count; i++)
	{
		text	   *pattern = (text *) DatumGetPointer(values[i]);
		const uint8 *bytes = (const uint8 *) VARDATA_ANY(pattern);

		if (builder.in_array)
			insert_by_number(&builder, bytes, VARSIZE_ANY_EXHDR(pattern));
		else
			insert_by_pointer(&builder, root, bytes, VARSIZE_ANY_EXHDR(pattern));
	}
	end(&builder);
	row[0] = Float8GetDatum(milliseconds() - start);
	row[1] = Int64GetDatum((int64) builder.bytes);
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(tupdesc), row, nulls)));
}
