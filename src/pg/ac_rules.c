/*
 * ac_rules.c
 *		Rule sets on their way into a value, and the rules they must keep.
 *
 * Whatever makes an acautomaton (the text form, the binary form, ac_build,
 * ac_agg, casts, set operations) collects its entries in an AcRuleSet and
 * compiles that with ac_rules_build().  So each rule is checked here once:
 *
 *		a pattern is not empty			2200F
 *		a pattern or id is not null		22004
 *		arrays have one dimension		2202E
 *		there are as many ids			2202E
 *		text is valid in its encoding	22021
 *		the value can be dumped			54000
 *		the image fits into a datum		54000 (by the core)
 *
 * "Can be dumped" means: the text form stays under 511 MB, so that COPY may
 * double its backslashes; the array that the text form is parsed into, and
 * the binary form, stay under 1 GB.  The sizes are summed up as entries come,
 * so that an aggregate over too many rows ends early.
 *
 * The pool holds the patterns one behind the other; entry i lies between
 * offsets[i] and offsets[i + 1].  As long as every id is its entry's number,
 * no ids are kept: {foo,b} is
 *
 *		pool "foob", offsets 0 3 4, ids NULL
 */
#include "ac_rules.h"

#include "access/tupmacs.h"
#include "catalog/pg_type.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"

/* The smallest room that growing starts with. */
#define AC_MIN_ENTRIES	16
#define AC_MIN_POOL		256

/* Arrays of PostgreSQL hold no more elements. */
#define AC_MAX_ENTRIES	((uint32) MaxArraySize)

static void
error_limit(const char *detail)
{
	ereport(ERROR,
			(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
			 errmsg("acautomaton is too large"),
			 errdetail_internal("%s", detail),
			 errhint("Divide the patterns among several values.")));
}

/* ---------- checks ---------- */

/* Bytes of a pattern that are looked at or copied between two polls. */
#define PIECE	65536

/* In pieces that end in front of a character, where that is easily found. */
static void
check_encoding(const char *text, size_t size)
{
	int			encoding = GetDatabaseEncoding();
	size_t		piece;

	for (; size > 0; text += piece, size -= piece)
	{
		piece = Min(size, PIECE);
		if (piece < size && encoding == PG_UTF8)
			while (piece > PIECE - 4 && (text[piece] & 0xc0) == 0x80)
				piece--;
		else if (pg_encoding_max_length(encoding) > 1)
			piece = size;
		CHECK_FOR_INTERRUPTS();
		(void) pg_verify_mbstr(encoding, text, (int) piece, false);
	}
}

static void
check_pattern(const AcRuleSet *rules, const void *pattern, size_t size,
			  int64 subscript)
{
	if (size == 0)
		ereport(ERROR,
				(errcode(ERRCODE_ZERO_LENGTH_CHARACTER_STRING),
				 errmsg(rules->by_row ?
						"pattern in input row %lld must not be empty" :
						"pattern %lld must not be empty",
						(long long) subscript)));
	if ((rules->options & AC_BYTEA) == 0)
		check_encoding((const char *) pattern, size);
}

/*
 * Bytes of the binary form (acautomaton_send) when client and server agree on
 * the encoding: version, options, count; length and id of each pattern.
 */
static uint64
binary_form_bytes(const AcRuleSet *rules)
{
	return 1 + 1 + 4 + rules->sizes.pattern_bytes +
		(uint64) rules->count * (rules->ordinal ? 4 : 12);
}

/*
 * Checked with every entry, so the sums stay far from wrapping.  text_bytes is
 * all of the text form but its brackets, which ac_rules_build() counts too.
 */
static void
check_limits(const AcRuleSet *rules, uint64 text_bytes)
{
	const AcSizes *sizes = &rules->sizes;

	if (rules->count >= AC_MAX_ENTRIES)
		error_limit("It would hold more patterns than an array can.");
	if (text_bytes > AC_MAX_TEXT_FORM)
		error_limit("The text form would exceed the limit of 511 MB.");
	if (sizes->array_bytes + ARR_OVERHEAD_NONULLS(1) > AC_MAX_DATUM)
		error_limit("The patterns would not fit into an array.");
	if (binary_form_bytes(rules) > AC_MAX_DATUM)
		error_limit("The binary form would exceed the limit of 1 GB.");
}

/* The number of elements of an array that must have at most one dimension. */
uint32
ac_check_array(ArrayType *array, const char *what)
{
	if (ARR_NDIM(array) > 1)
		ereport(ERROR,
				(errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
				 errmsg("array of %s must be one-dimensional", what)));
	return (uint32) ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array));
}

void
ac_check_id_count(uint32 ids, uint32 patterns)
{
	if (ids != patterns)
		ereport(ERROR,
				(errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
				 errmsg("number of ids does not match number of patterns"),
				 errdetail("There are %u ids for %u patterns.",
						   ids, patterns)));
}

void
ac_error_null(const AcRuleSet *rules, const char *what, int64 subscript)
{
	ereport(ERROR,
			(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
			 errmsg(rules != NULL && rules->by_row ?
					"%s in input row %lld must not be null" :
					"%s %lld must not be null",
					what, (long long) subscript)));
	pg_unreachable();
}

/* ---------- growing ---------- */

void
ac_rules_init(AcRuleSet *rules, uint32 options, MemoryContext context)
{
	memset(rules, 0, sizeof(*rules));
	rules->context = context;
	rules->options = options;
	rules->ordinal = true;
}

static void *
resize(const AcRuleSet *rules, void *old, Size size)
{
	return old == NULL ? MemoryContextAllocHuge(rules->context, size) :
		repalloc_huge(old, size);
}

static void
set_capacity(AcRuleSet *rules, size_t capacity)
{
	capacity = Min(Max(capacity, AC_MIN_ENTRIES), AC_MAX_ENTRIES);
	rules->offsets = resize(rules, rules->offsets,
							(capacity + 1) * sizeof(uint64));
	rules->offsets[rules->count] = rules->pool_used;
	if (!rules->ordinal)
		rules->ids = resize(rules, rules->ids, capacity * sizeof(int64));
	rules->capacity = (uint32) capacity;
}

static void
set_pool_size(AcRuleSet *rules, size_t size)
{
	size = Max(size, AC_MIN_POOL);
	rules->pool = resize(rules, rules->pool, size);
	rules->pool_size = size;
}

void
ac_rules_reserve(AcRuleSet *rules, uint32 entries, size_t bytes)
{
	if ((size_t) rules->count + entries > rules->capacity)
		set_capacity(rules, (size_t) rules->count + entries);
	if (rules->pool_used + bytes > rules->pool_size)
		set_pool_size(rules, rules->pool_used + bytes);
}

/* Writes the ids that were not worth keeping so far. */
static void
keep_ids(AcRuleSet *rules)
{
	uint32		i;

	rules->ids = resize(rules, NULL, rules->capacity * sizeof(int64));
	for (i = 0; i < rules->count; i++)
	{
		rules->ids[i] = (int64) i + 1;
		ac_sizes_add_id(&rules->sizes, rules->ids[i]);
	}
	rules->ordinal = false;
}

void
ac_rules_add(AcRuleSet *rules, const void *pattern, size_t size, int64 id,
			 int64 subscript)
{
	size_t		at;

	check_pattern(rules, pattern, size, subscript);

	if (rules->count == rules->capacity)
		set_capacity(rules, (size_t) rules->capacity * 2);
	if (size > rules->pool_size - rules->pool_used)
		set_pool_size(rules, Max(rules->pool_size * 2,
								 rules->pool_used + size));

	if (rules->ordinal && id != (int64) rules->count + 1)
		keep_ids(rules);
	if (!rules->ordinal)
	{
		rules->ids[rules->count] = id;
		ac_sizes_add_id(&rules->sizes, id);
	}
	for (at = 0; at < size; at += PIECE)
	{
		CHECK_FOR_INTERRUPTS();
		memcpy(rules->pool + rules->pool_used + at,
			   (const uint8 *) pattern + at, Min(size - at, PIECE));
	}
	rules->pool_used += size;
	rules->offsets[++rules->count] = rules->pool_used;
	ac_sizes_add_pattern(&rules->sizes, rules->options, pattern, size);
	check_limits(rules, rules->sizes.text_bytes + rules->sizes.id_bytes);
}

/* ---------- arrays ---------- */

/*
 * Steps through a one-dimensional array of varlena elements in place: no
 * array of Datums stands beside the array, as deconstruct_array would have it.
 */
void
ac_array_start(AcArrayWalk *walk, ArrayType *array)
{
	walk->next = ARR_DATA_PTR(array);
	walk->nulls = ARR_NULLBITMAP(array);
	walk->subscript = 0;
}

/* The next element, or NULL where the array has a NULL. */
struct varlena *
ac_array_next(AcArrayWalk *walk)
{
	int64		i = walk->subscript++;
	char	   *element;

	if (walk->nulls != NULL && (walk->nulls[i / 8] & (1 << (i % 8))) == 0)
		return NULL;
	element = (char *) att_align_nominal(walk->next, TYPALIGN_INT);
	walk->next = element + VARSIZE_ANY(element);
	return (struct varlena *) element;
}

/* The ids of an array: they lie side by side when none is NULL. */
const int64 *
ac_ids_from_array(ArrayType *array, uint32 *count)
{
	uint32		i;

	*count = ac_check_array(array, "ids");
	if (ARR_HASNULL(array))
		for (i = 0; i < *count; i++)
			if ((ARR_NULLBITMAP(array)[i / 8] & (1 << (i % 8))) == 0)
				ac_error_null(NULL, "id", (int64) i + 1);
	return (const int64 *) ARR_DATA_PTR(array);
}

/*
 * Adds the patterns of a text[] or bytea[].  ids NULL: they get their
 * subscripts.
 */
void
ac_rules_add_array(AcRuleSet *rules, ArrayType *patterns, const int64 *ids,
				   uint32 nids)
{
	uint32		count = ac_check_array(patterns, "patterns");
	AcArrayWalk walk;
	uint32		i;
	size_t		bytes = 0;

	if (ids != NULL)
		ac_check_id_count(nids, count);

	/* the first walk finds what is wrong before anything is allocated */
	ac_array_start(&walk, patterns);
	for (i = 0; i < count; i++)
	{
		struct varlena *pattern = ac_array_next(&walk);

		CHECK_FOR_INTERRUPTS();
		if (pattern == NULL)
			ac_error_null(rules, "pattern", walk.subscript);
		bytes += VARSIZE_ANY_EXHDR(pattern);
	}
	ac_rules_reserve(rules, count, bytes);

	ac_array_start(&walk, patterns);
	for (i = 0; i < count; i++)
	{
		struct varlena *pattern = ac_array_next(&walk);

		ac_rules_add(rules, VARDATA_ANY(pattern), VARSIZE_ANY_EXHDR(pattern),
					 ids != NULL ? ids[i] : walk.subscript, walk.subscript);
	}
}

/* ---------- compiling ---------- */

AcRules
ac_rules_view(const AcRuleSet *rules)
{
	static const uint64 no_offsets[1] = {0};
	AcRules		view;

	view.count = rules->count;
	view.options = rules->options;
	view.pool = rules->pool;
	view.offsets = rules->count > 0 ? rules->offsets : no_offsets;
	view.ids = rules->ordinal ? NULL : rules->ids;
	return view;
}

Datum
ac_rules_build(const AcRuleSet *rules)
{
	AcRules		view = ac_rules_view(rules);
	AcHost		host;
	uint8_t    *block;
	size_t		image_size;

	check_limits(rules, ac_text_form_bytes(&rules->sizes, rules->options,
										   rules->ordinal));
	ac_host_init(&host, CurrentMemoryContext);
	ac_check(acore_build(&view, &host, VARHDRSZ, AC_MAX_DATUM,
						 &block, &image_size));
	SET_VARSIZE(block, VARHDRSZ + image_size);
	return PointerGetDatum(block);
}

/*
 * The handle's own host may allocate where a cache keeps its entries; a copy
 * of the handle gets another one for this call.
 */
void
ac_extract(const AcAutomaton *automaton, AcRules *rules)
{
	AcAutomaton here = *automaton;
	AcHost		host;
	void	   *block;
	size_t		block_size;
	uint32		i = 0;

	ac_host_init(&host, CurrentMemoryContext);
	here.host = &host;
	ac_check(acore_extract(&here, rules, &block, &block_size));
	if (rules->ids == NULL)
		return;
	while (i < rules->count && rules->ids[i] == (int64) i + 1)
		i++;
	if (i == rules->count)
		rules->ids = NULL;
}
