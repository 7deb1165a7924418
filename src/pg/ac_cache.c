/*
 * ac_cache.c
 *		The automata of a backend: found again by the identity of their values.
 *
 * A rule set of 100 kB must not be fetched for every row that it is matched
 * against.  Two memories prevent that.  Each call site (fn_extra, an AcCall)
 * remembers the value that it saw last, which costs a comparison of some
 * bytes a row.  Call sites are short-lived, though: those in a function
 * written in SQL or PL/pgSQL may see one call only; and several rule sets may
 * take turns.  So a table that lives as long as the backend stands behind.
 *
 * Identities (AcKey).  Never an address: memory is reused for other values.
 *	- A value out of line arrives as a TOAST pointer, whose bytes are the key.
 *	  They change when the value does; they stay over updates of other columns
 *	  and VACUUM FULL.  The server may give the same value id again once its
 *	  counter has wrapped around, so before an entry of the table is trusted
 *	  the header of the stored value is compared with it: is_current().
 *	- A value inline is known by the header of its image, which holds the
 *	  fingerprint (a SHA-256 over the rules, which users cannot forge) and the
 *	  checksum, and by its size.
 *	- A value inline and compressed is compared byte by byte with the last one
 *	  when it is small; else only its header is decompressed.
 *	- Anything else (expanded or indirect) is flattened first.
 *
 * Damaged values.  Nothing is matched unverified.  A value whose identity is
 * that of a verified entry is answered from the entry, so damage behind the
 * header of such a value goes unnoticed as long as the entry lives; the answer
 * is that of the undamaged value.
 *
 * Life of an entry.  It is built in a memory context of the running query,
 * verified, opened, then moved under the cache, and entered in the table last:
 * an error or a cancel leaves nothing behind.  Call sites pin the entries they
 * refer to; they do so after registering the callback that unpins them when
 * their memory goes.  The least recently used entries are given up when
 * ac.cache_size is exceeded, those without a pin first.  One that is given up
 * while it is pinned, or is too large in the first place, lives until the last
 * pin is gone: the call sites of a query share it all the same.
 *
 * Example.  In "SELECT count(*) FROM logs, rules WHERE body @~ automaton" the
 * first row misses the table, detoasts the automaton and enters it: one miss,
 * one detoast.  All other rows find the pointer that the call site remembers.
 * The same query again finds the entry in the table and reads 64 bytes of the
 * stored value: one hit.
 */
#include "postgres.h"

#include "access/detoast.h"
#include "access/htup_details.h"
#include "access/xact.h"
#include "funcapi.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "storage/proc.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/tuplestore.h"

#include "ac_cache.h"
#include "ac_module.h"

PG_FUNCTION_INFO_V1(ac_cache);
PG_FUNCTION_INFO_V1(ac_cache_stats);
PG_FUNCTION_INFO_V1(ac_cache_reset);

/* text_left of an entry that has nothing to derive, or has it already */
#define NEVER	UINT64_MAX

typedef struct TableSlot
{
	AcKey		key;			/* must be first */
	AcEntry    *entry;
} TableSlot;

static struct
{
	MemoryContext context;		/* parent of all entries; NULL until needed */
	HTAB	   *table;
	dlist_head	recent;			/* entries in the table */
	size_t		bytes;			/* of the entries in the table */
	int64		hits;
	int64		misses;
	int64		evictions;
	int64		detoasts;
}			cache;

/* ---------- the table ---------- */

/*
 * Rules that take turns are looked up row by row, so this is made for keys of
 * this length: products that do not wait for each other.  Multiplying carries
 * each bit upwards only; the fold brings what has gathered there down again.
 */
static uint32
key_hash(const void *data, Size size)
{
	static const uint64 factors[AC_HEADER_SIZE / sizeof(uint64)] = {
		UINT64CONST(0x9E3779B97F4A7C15), UINT64CONST(0xBF58476D1CE4E5B9),
		UINT64CONST(0x94D049BB133111EB), UINT64CONST(0xD6E8FEB86659FD93),
		UINT64CONST(0xA0761D6478BD642F), UINT64CONST(0xE7037ED1A0B428DB),
		UINT64CONST(0x8EBC6AF09C88C6E3), UINT64CONST(0x589965CC75374CC3)
	};
	const AcKey *key = (const AcKey *) data;
	uint64		hash = key->size;
	uint64		word;
	size_t		i;

	(void) size;
	for (i = 0; i < lengthof(factors); i++)
	{
		memcpy(&word, key->bytes + i * sizeof(word), sizeof(word));
		hash += (word + i) * factors[i];
	}
	return (uint32) (hash ^ hash >> 32);
}

static void
cache_init(void)
{
	MemoryContext context;
	HASHCTL		ctl;

	if (cache.context != NULL)
		return;
	context = AllocSetContextCreate(TopMemoryContext, "ac cache",
									ALLOCSET_SMALL_SIZES);
	memset(&ctl, 0, sizeof(ctl));
	ctl.keysize = sizeof(AcKey);
	ctl.entrysize = sizeof(TableSlot);
	ctl.hash = key_hash;
	ctl.hcxt = context;
	cache.table = hash_create("ac cache entries", 64, &ctl,
							  HASH_ELEM | HASH_FUNCTION | HASH_CONTEXT);
	dlist_init(&cache.recent);
	cache.context = context;
}

/* An entry that nothing refers to any more goes. */
static void
entry_free(AcEntry *entry)
{
	if (entry->listed)
		hash_search(cache.table, &entry->key, HASH_REMOVE, NULL);
	if (entry->loan != NULL)
		MemoryContextDelete(entry->loan);
	MemoryContextDelete(entry->context);
}

/* Ends that an entry is kept: it goes, or its last pin will make it go. */
static void
table_drop(AcEntry *entry)
{
	if (entry->cached)
	{
		dlist_delete(&entry->recent);
		cache.bytes -= entry->bytes;
		entry->cached = false;
	}
	if (entry->pins == 0)
		entry_free(entry);
}

/* Ends that an entry is found, too. */
static void
table_forget(AcEntry *entry)
{
	hash_search(cache.table, &entry->key, HASH_REMOVE, NULL);
	entry->listed = false;
	table_drop(entry);
}

/* The entry to give up first: unpinned ones free their memory at once. */
static AcEntry *
table_victim(void)
{
	dlist_iter	iter;

	dlist_reverse_foreach(iter, &cache.recent)
	{
		AcEntry    *entry = dlist_container(AcEntry, recent, iter.cur);

		if (entry->pins == 0)
			return entry;
	}
	return dlist_container(AcEntry, recent,
						   dlist_tail_node(&cache.recent));
}

static void
table_shrink(size_t limit)
{
	while (cache.bytes > limit)
	{
		table_drop(table_victim());
		cache.evictions++;
	}
}

static size_t
table_limit(void)
{
	return (size_t) ac_cache_size * 1024;
}

void
ac_cache_shrink(int limit)
{
	if (cache.context != NULL)
		table_shrink((size_t) limit * 1024);
}

/*
 * Enters an entry.  One that is too large is found while it is pinned, but not
 * kept.  Only the first step can fail.
 */
static void
table_insert(AcEntry *entry)
{
	TableSlot  *slot = (TableSlot *) hash_search(cache.table, &entry->key,
												 HASH_ENTER, NULL);

	slot->entry = entry;
	entry->listed = true;
	entry->bytes = MemoryContextMemAllocated(entry->context, true);
	if (entry->bytes > table_limit())
		return;
	table_shrink(table_limit() - entry->bytes);
	dlist_push_head(&cache.recent, &entry->recent);
	cache.bytes += entry->bytes;
	entry->cached = true;
}

/*
 * Counts what an entry has allocated since it was entered: scanners, tables.
 * This may be what makes the table too large, so an entry without a pin may be
 * gone afterwards.
 */
static void
table_account(AcEntry *entry)
{
	size_t		bytes;

	if (!entry->cached)
		return;
	bytes = MemoryContextMemAllocated(entry->context, true);
	cache.bytes += bytes - entry->bytes;
	entry->bytes = bytes;
	table_shrink(table_limit());
}

/* ---------- pins ---------- */

/* No scanner is lent; the next ones are made anew. */
static void
free_spares(AcEntry *entry)
{
	int			kind,
				mode;

	for (kind = 0; kind < AC_KINDS; kind++)
	{
		for (mode = 0; mode < AC_MODES; mode++)
		{
			if (entry->spare[kind][mode] != NULL)
				acore_scanner_free(entry->spare[kind][mode]);
			entry->spare[kind][mode] = NULL;
		}
	}
}

/* Gives up tables that were made for the query alone; nothing here can fail. */
static void
tables_discard(AcEntry *entry)
{
	free_spares(entry);
	entry->automaton.engine = NULL;
	MemoryContextDelete(entry->loan);
	entry->loan = NULL;
	entry->text_left = acore_accelerate_after(&entry->automaton);
}

static void
entry_pin(AcEntry *entry)
{
	entry->pins++;
}

static void
entry_unpin(AcEntry *entry)
{
	Assert(entry->pins > 0);
	entry->pins--;
	if (entry->cached)
	{
		if (entry->pins == 0 && entry->loan != NULL)
			tables_discard(entry);
		dlist_move_head(&cache.recent, &entry->recent);
		table_account(entry);
	}
	else if (entry->pins == 0)
		entry_free(entry);
}

static void
arg_clear(AcArg *arg)
{
	AcEntry    *entry = arg->entry;

	arg->entry = NULL;
	arg->by_pointer = false;
	arg->compressed_size = 0;
	if (entry != NULL)
		entry_unpin(entry);
}

/* The memory of a call site is about to go. */
static void
call_release(void *argument)
{
	AcCall	   *call = (AcCall *) argument;

	ac_scanner_return(call);
	arg_clear(&call->arg[0]);
	arg_clear(&call->arg[1]);
}

/*
 * Without a call site (a direct call) the state belongs to the current
 * context and serves one call.
 */
AcCall *
ac_call_make(FunctionCallInfo fcinfo)
{
	MemoryContext context = fcinfo->flinfo != NULL ?
		fcinfo->flinfo->fn_mcxt : CurrentMemoryContext;
	AcCall	   *call = (AcCall *) MemoryContextAllocZero(context,
														 sizeof(AcCall));

	call->context = context;
	call->callback.func = call_release;
	call->callback.arg = call;
	MemoryContextRegisterResetCallback(context, &call->callback);
	if (fcinfo->flinfo != NULL)
		fcinfo->flinfo->fn_extra = call;
	return call;
}

/* ---------- entries ---------- */

/*
 * The header of an entry's value was seen now.  As long as a statement runs in
 * one subtransaction the value cannot be vacuumed away, nor its id be given
 * again.  So one look is enough for each of these, not for each of the call
 * sites that a PL/pgSQL loop makes.
 */
static void
mark_current(AcEntry *entry)
{
	entry->checked_statement = GetCurrentStatementStartTimestamp();
	entry->checked_xact = AC_LOCAL_XID();
	entry->checked_subxact = GetCurrentSubTransactionId();
}

/* Whether an entry is what a TOAST pointer with the same bytes stands for. */
static bool
is_current(AcEntry *entry, struct varlena *value)
{
	struct varlena *header;
	bool		same;

	if (entry->checked_statement == GetCurrentStatementStartTimestamp() &&
		entry->checked_xact == AC_LOCAL_XID() &&
		entry->checked_subxact == GetCurrentSubTransactionId())
		return true;
	header = detoast_attr_slice(value, 0, AC_HEADER_SIZE);
	same = VARSIZE_ANY_EXHDR(header) == AC_HEADER_SIZE &&
		memcmp(VARDATA_ANY(header), entry->image, AC_HEADER_SIZE) == 0;
	pfree(header);
	mark_current(entry);
	return same;
}

/* The name of an entry, as ac_cache() shows it. */
static char *
key_source(const AcKey *key)
{
	uint32		oids[2];		/* of the value, of its relation */

	if (key->size != 0)
		return pstrdup("inline");
	memcpy(oids, key->bytes + AC_POINTER_SIZE - sizeof(oids), sizeof(oids));
	return psprintf("toast %u/%u", oids[1], oids[0]);
}

/* The whole value in the current context, never the value itself. */
static struct varlena *
fetch_whole(struct varlena *value)
{
	struct varlena *copy;

	if (VARATT_IS_EXTERNAL(value) || VARATT_IS_COMPRESSED(value))
	{
		cache.detoasts++;
		return detoast_attr(value);
	}
	copy = (struct varlena *) palloc(VARSIZE_ANY(value));
	memcpy(copy, value, VARSIZE_ANY(value));
	return copy;
}

/*
 * Makes an entry of a value: a copy of the image, verified and opened, in a
 * child of the current context.
 */
static AcEntry *
entry_build(const AcKey *key, struct varlena *value)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext,
												  "ac automaton",
												  ALLOCSET_SMALL_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	AcEntry    *entry = (AcEntry *) palloc0(sizeof(AcEntry));
	struct varlena *copy = fetch_whole(value);
	char	   *source = key_source(key);
	AcStatus	status;
	size_t		pays;

	entry->key = *key;
	entry->context = context;
	entry->image = (const uint8 *) VARDATA_ANY(copy);
	entry->size = VARSIZE_ANY_EXHDR(copy);
	ac_host_init(&entry->host, context);
	status = acore_verify(entry->image, entry->size, &entry->host);
	if (status == AC_OK)
		status = acore_open(entry->image, entry->size, &entry->host,
							&entry->automaton);
	if (status == AC_E_FORMAT &&
		acore_peek(entry->image, entry->size,
				   &entry->automaton.info) == AC_E_FORMAT)
		ac_raise_format(entry->automaton.info.format);
	ac_check(status);
	pays = acore_accelerate_after(&entry->automaton);
	entry->text_left = pays != 0 ? pays : NEVER;
	MemoryContextSetIdentifier(context,
							   psprintf("%s, %u patterns", source,
										entry->automaton.info.patterns));
	pfree(source);
	MemoryContextSwitchTo(old);
	mark_current(entry);
	return entry;
}

/*
 * Tables are built beside the entry and adopted when they are complete.  The
 * scanners of before do not know them; new ones do.
 *
 * Where an entry would be too large to be kept with its tables, they are on
 * loan: they go with the last pin and the entry stays, since fetching it again
 * costs more than deriving them again when there is enough text.
 */
void
ac_entry_accelerate(AcEntry *entry)
{
	MemoryContext tables;
	AcStatus	status = AC_OK;

	entry->text_left = acore_accelerate_after(&entry->automaton);
	if (entry->lent > 0)
		return;					/* not under a running scan */
	free_spares(entry);
	tables = AllocSetContextCreate(CurrentMemoryContext, "ac tables",
								   ALLOCSET_SMALL_SIZES);
	entry->host.context = tables;
	PG_TRY();
	{
		status = acore_accelerate(&entry->automaton);
	}
	PG_FINALLY();
	{
		entry->host.context = entry->context;
	}
	PG_END_TRY();
	entry->text_left = NEVER;
	if (status != AC_OK)
	{
		MemoryContextDelete(tables);	/* it matches without, too */
		return;
	}
	if (entry->cached &&
		MemoryContextMemAllocated(entry->context, true) +
		MemoryContextMemAllocated(tables, true) > table_limit())
	{
		MemoryContextSetParent(tables, cache.context);
		entry->loan = tables;
		return;
	}
	MemoryContextSetParent(tables, entry->context);
	table_account(entry);
}

/* ---------- scanners ---------- */

static int
char_len(const uint8_t *text)
{
	return pg_encoding_mblen(GetDatabaseEncoding(), (const char *) text);
}

AcScanner *
ac_scanner_make(AcEntry *entry, AcKind kind, AcMode mode)
{
	AcEncoding	encoding = AC_ENC_BYTES;

	if (mode != AC_MODE_BYTES && pg_database_encoding_max_length() > 1)
		encoding = GetDatabaseEncoding() == PG_UTF8 ?
			AC_ENC_UTF8 : AC_ENC_MULTIBYTE;
	ac_check(acore_scanner_create(&entry->automaton, kind, encoding,
								  mode == AC_MODE_CHARS, char_len,
								  &entry->spare[kind][mode]));
	table_account(entry);
	return entry->spare[kind][mode];
}

void
ac_scanner_lend(AcCall *call, AcEntry *entry, AcKind kind, AcMode mode)
{
	Assert(call->lender == NULL && entry->spare[kind][mode] != NULL);
	call->kind = kind;
	call->mode = mode;
	call->scanner = entry->spare[kind][mode];
	call->lender = entry;
	entry->spare[kind][mode] = NULL;
	entry->lent++;
	entry_pin(entry);
}

void
ac_scanner_return(AcCall *call)
{
	AcEntry    *entry = call->lender;

	if (entry == NULL)
		return;
	call->lender = NULL;
	entry->lent--;
	if (entry->spare[call->kind][call->mode] == NULL)
		entry->spare[call->kind][call->mode] = call->scanner;
	else
		acore_scanner_free(call->scanner);
	entry_unpin(entry);
}

/* ---------- look-up ---------- */

/* The identity of a value that is flat: image and size. */
static void
key_of_image(AcKey *key, const void *image, size_t available, size_t size)
{
	key->size = (uint32) size;
	memcpy(key->bytes, image, Min(available, AC_HEADER_SIZE));
}

/*
 * The identity of any value.  *value gives way to a flat copy where nothing
 * less tells who it is.
 */
static void
key_of(AcKey *key, struct varlena **value)
{
	struct varlena *v = *value;

	memset(key, 0, sizeof(*key));
	if (VARATT_IS_EXTERNAL_ONDISK(v))
	{
		Assert(VARSIZE_EXTERNAL(v) == AC_POINTER_SIZE);
		memcpy(key->bytes, v, AC_POINTER_SIZE);
		return;
	}
	if (VARATT_IS_COMPRESSED(v))
	{
		struct varlena *header = detoast_attr_slice(v, 0, AC_HEADER_SIZE);

		key_of_image(key, VARDATA_ANY(header), VARSIZE_ANY_EXHDR(header),
					 toast_raw_datum_size(PointerGetDatum(v)) - VARHDRSZ);
		pfree(header);
		return;
	}
	if (VARATT_IS_EXTERNAL(v))
		*value = v = detoast_attr(v);
	key_of_image(key, VARDATA_ANY(v), VARSIZE_ANY_EXHDR(v),
				 VARSIZE_ANY_EXHDR(v));
}

/* Looks an identity up in the table: the entry, pinned, or NULL. */
static AcEntry *
table_find(const AcKey *key, struct varlena *value)
{
	TableSlot  *slot = (TableSlot *) hash_search(cache.table, key, HASH_FIND,
												 NULL);
	AcEntry    *entry = slot != NULL ? slot->entry : NULL;

	if (entry != NULL && VARATT_IS_EXTERNAL_ONDISK(value) &&
		!is_current(entry, value))
	{
		table_forget(entry);
		entry = NULL;
	}
	if (entry == NULL)
	{
		cache.misses++;
		return NULL;
	}
	cache.hits++;
	entry->hits++;
	entry->last_used = GetCurrentStatementStartTimestamp();
	entry_pin(entry);
	if (entry->cached)
		dlist_move_head(&cache.recent, &entry->recent);
	table_account(entry);
	return entry;
}

/* Makes an entry and enters it: the entry, pinned. */
static AcEntry *
table_add(const AcKey *key, struct varlena *value)
{
	AcEntry    *entry = entry_build(key, value);

	entry->last_used = GetCurrentStatementStartTimestamp();
	table_insert(entry);
	/* from here on nothing fails */
	MemoryContextSetParent(entry->context, cache.context);
	entry_pin(entry);
	return entry;
}

/* Remembers how the value of an entry looked, for ac_arg_is(). */
static void
arg_remember(AcCall *call, AcArg *arg, const struct varlena *value)
{
	if (VARATT_IS_EXTERNAL_ONDISK(value))
	{
		memcpy(arg->pointer, value, AC_POINTER_SIZE);
		arg->statement = GetCurrentStatementStartTimestamp();
		arg->by_pointer = true;
	}
	else if (VARATT_IS_COMPRESSED(value) &&
			 VARSIZE(value) <= AC_COMPRESSED_MAX)
	{
		if (arg->compressed == NULL)
			arg->compressed = (uint8 *) MemoryContextAlloc(call->context,
														   AC_COMPRESSED_MAX);
		memcpy(arg->compressed, value, VARSIZE(value));
		arg->compressed_size = VARSIZE(value);
	}
}

AcEntry *
ac_entry_find(FunctionCallInfo fcinfo, int argno)
{
	AcCall	   *call = ac_call(fcinfo);
	AcArg	   *arg = &call->arg[argno];
	struct varlena *arrived = (struct varlena *)
	DatumGetPointer(fcinfo->args[argno].value);
	struct varlena *value = arrived;
	AcEntry    *entry;
	AcKey		key;

	cache_init();
	arg_clear(arg);
	key_of(&key, &value);
	entry = table_find(&key, value);
	if (entry == NULL)
		entry = table_add(&key, value);
	arg->entry = entry;
	arg_remember(call, arg, arrived);
	if (value != arrived)
		pfree(value);
	return entry;
}

/* ---------- looking inside ---------- */

/* A tuplestore that a set-returning function fills at once. */
static Tuplestorestate *
result_store(FunctionCallInfo fcinfo, TupleDesc *tupdesc)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	MemoryContext old;
	Tuplestorestate *store;

	if (rsinfo == NULL || !IsA(rsinfo, ReturnSetInfo) ||
		(rsinfo->allowedModes & SFRM_Materialize) == 0)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("set-valued function called in context that cannot accept a set")));
	old = MemoryContextSwitchTo(rsinfo->econtext->ecxt_per_query_memory);
	if (get_call_result_type(fcinfo, NULL, tupdesc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	store = tuplestore_begin_heap((rsinfo->allowedModes &
								   SFRM_Materialize_Random) != 0,
								  false, work_mem);
	rsinfo->returnMode = SFRM_Materialize;
	rsinfo->setResult = store;
	rsinfo->setDesc = *tupdesc;
	MemoryContextSwitchTo(old);
	return store;
}

/* SETOF (source, patterns, image_bytes, memory_bytes, hits, last_used) */
Datum
ac_cache(PG_FUNCTION_ARGS)
{
	TupleDesc	tupdesc;
	Tuplestorestate *store = result_store(fcinfo, &tupdesc);
	dlist_iter	iter;

	cache_init();
	dlist_foreach(iter, &cache.recent)
	{
		AcEntry    *entry = dlist_container(AcEntry, recent, iter.cur);
		Datum		values[6];
		bool		nulls[6] = {false, false, false, false, false, false};

		values[0] = CStringGetTextDatum(key_source(&entry->key));
		values[1] = Int32GetDatum((int32) entry->automaton.info.patterns);
		values[2] = Int64GetDatum((int64) entry->size);
		values[3] = Int64GetDatum((int64) MemoryContextMemAllocated(entry->context,
																	true));
		values[4] = Int64GetDatum(entry->hits);
		values[5] = TimestampTzGetDatum(entry->last_used);
		tuplestore_putvalues(store, tupdesc, values, nulls);
	}
	return (Datum) 0;
}

/* (limit_bytes, hits, misses, evictions, detoasts) */
Datum
ac_cache_stats(PG_FUNCTION_ARGS)
{
	TupleDesc	tupdesc;
	Datum		values[5];
	bool		nulls[5] = {false, false, false, false, false};

	if (get_call_result_type(fcinfo, NULL, &tupdesc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	tupdesc = BlessTupleDesc(tupdesc);
	values[0] = Int64GetDatum((int64) table_limit());
	values[1] = Int64GetDatum(cache.hits);
	values[2] = Int64GetDatum(cache.misses);
	values[3] = Int64GetDatum(cache.evictions);
	values[4] = Int64GetDatum(cache.detoasts);
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(tupdesc, values,
													  nulls)));
}

/* Empties the table and sets the counters to zero. */
Datum
ac_cache_reset(PG_FUNCTION_ARGS)
{
	HASH_SEQ_STATUS all;
	TableSlot  *slot;

	(void) fcinfo;
	cache_init();
	hash_seq_init(&all, cache.table);
	while ((slot = (TableSlot *) hash_seq_search(&all)) != NULL)
		table_forget(slot->entry);
	cache.hits = 0;
	cache.misses = 0;
	cache.evictions = 0;
	cache.detoasts = 0;
	PG_RETURN_VOID();
}
