/*
 * ac_cache.h
 *		Automata in use: from an argument to a verified, opened handle.
 *
 * How it works stands at the head of ac_cache.c.  For most callers there is
 * one function, ac_get_automaton().  Those that match text go through the
 * entry, which also keeps scanners ready.
 */
#ifndef AC_CACHE_H
#define AC_CACHE_H

#include "ac_pg.h"

#include "access/xact.h"
#include "lib/ilist.h"
#include "nodes/execnodes.h"
#include "utils/timestamp.h"

#pragma GCC visibility push(hidden)

/* Bytes of an on-disk TOAST pointer with its header; they hold no padding. */
#define AC_POINTER_SIZE		18

/* Inline compressed values up to this size are recognised byte by byte. */
#define AC_COMPRESSED_MAX	8192

/* What a body is to a scanner. */
typedef enum AcMode
{
	AC_MODE_TEXT,				/* text; nobody asks for characters */
	AC_MODE_CHARS,				/* text; positions in characters */
	AC_MODE_BYTES				/* bytea */
} AcMode;

#define AC_KINDS			3
#define AC_MODES			3

/*
 * The identity of a value: the bytes of its TOAST pointer, or the first bytes
 * of its image (they hold fingerprint and checksum) and the image's size.
 */
typedef struct AcKey
{
	uint32		size;			/* of the image; 0 for a TOAST pointer */
	uint8		bytes[AC_HEADER_SIZE];	/* zero behind a TOAST pointer */
} AcKey;

/* An automaton in memory, kept by the backend or held by a query alone. */
typedef struct AcEntry
{
	AcAutomaton automaton;		/* first, so that the hot path finds it near */
	const uint8 *image;
	size_t		size;			/* of the image, at least AC_HEADER_SIZE */
	uint64		text_left;		/* bytes of text until tables pay */
	AcScanner  *spare[AC_KINDS][AC_MODES];
	int			lent;			/* scanners that set-returning calls hold */
	int			pins;			/* arguments and scans that refer to this */
	bool		listed;			/* in the table, so that it is found */
	bool		cached;			/* kept when the last pin is gone */
	AcKey		key;
	AcHost		host;
	MemoryContext context;		/* holds all of it, this struct included */
	MemoryContext loan;			/* of tables that go with the last pin */
	size_t		bytes;			/* of the context, as accounted */
	dlist_node	recent;			/* most recently used first, while cached */
	int64		hits;
	TimestampTz last_used;
	/* when the header of the value was last compared, see is_current() */
	TimestampTz checked_statement;
	LocalTransactionId checked_xact;
	SubTransactionId checked_subxact;
} AcEntry;

/* What a call site remembers of one acautomaton argument. */
typedef struct AcArg
{
	AcEntry    *entry;			/* pinned; NULL before the first call */
	TimestampTz statement;		/* in which "pointer" was looked up */
	bool		by_pointer;		/* "pointer" is that of the entry */
	uint8		pointer[AC_POINTER_SIZE];
	uint32		compressed_size;	/* of "compressed", 0 if not the entry's */
	uint8	   *compressed;		/* AC_COMPRESSED_MAX bytes, once needed */
} AcArg;

/* What a call site keeps in fn_extra. */
typedef struct AcCall
{
	MemoryContext context;		/* lives as long as this struct */
	MemoryContextCallback callback;
	AcArg		arg[2];			/* for argument 0 and 1 */
	/* a scanner lent to a running set-returning call */
	AcEntry    *lender;			/* pinned */
	AcScanner  *scanner;
	AcKind		kind;
	AcMode		mode;
	void	   *extra;			/* whatever else the function keeps */
} AcCall;

/* The state of a call site, made at its first call. */
AcCall	   *ac_call_make(FunctionCallInfo fcinfo);

/* Sets arg[argno] to the automaton of the argument. */
AcEntry    *ac_entry_find(FunctionCallInfo fcinfo, int argno);

/* Derives the tables of an entry that text_left was waiting for. */
void		ac_entry_accelerate(AcEntry *entry);

/* Makes a spare scanner. */
AcScanner  *ac_scanner_make(AcEntry *entry, AcKind kind, AcMode mode);

/* Lends the scanner of (kind, mode) to a call until it is returned. */
void		ac_scanner_lend(AcCall *call, AcEntry *entry, AcKind kind,
							AcMode mode);
void		ac_scanner_return(AcCall *call);

static inline AcCall *
ac_call(FunctionCallInfo fcinfo)
{
	if (likely(fcinfo->flinfo != NULL && fcinfo->flinfo->fn_extra != NULL))
		return (AcCall *) fcinfo->flinfo->fn_extra;
	return ac_call_make(fcinfo);
}

/* Whether a value is the one that a call site saw last. */
static inline bool
ac_arg_is(const AcArg *arg, const struct varlena *value)
{
	const AcEntry *entry = arg->entry;

	if (unlikely(entry == NULL))
		return false;
	if (VARATT_IS_EXTERNAL(value))
		return arg->by_pointer && VARATT_IS_EXTERNAL_ONDISK(value) &&
			memcmp(value, arg->pointer, AC_POINTER_SIZE) == 0 &&
			arg->statement == GetCurrentStatementStartTimestamp();
	if (VARATT_IS_COMPRESSED(value))
		return arg->compressed_size == VARSIZE(value) &&
			memcmp(value, arg->compressed, arg->compressed_size) == 0;
	return VARSIZE_ANY_EXHDR(value) == entry->size &&
		memcmp(VARDATA_ANY(value), entry->image, AC_HEADER_SIZE) == 0;
}

/* The entry of an acautomaton argument, valid until the end of the call. */
static inline AcEntry *
ac_get_entry(FunctionCallInfo fcinfo, int argno)
{
	if (likely(fcinfo->flinfo != NULL && fcinfo->flinfo->fn_extra != NULL))
	{
		AcArg	   *arg = &((AcCall *) fcinfo->flinfo->fn_extra)->arg[argno];

		if (likely(ac_arg_is(arg, (const struct varlena *)
							 DatumGetPointer(fcinfo->args[argno].value))))
			return arg->entry;
	}
	return ac_entry_find(fcinfo, argno);
}

/*
 * The automaton of argument argno (0 or 1): verified, opened, and valid until
 * the end of the call.  The function's fn_extra belongs to ac_cache.c; what
 * else the function keeps hangs on ac_call(fcinfo)->extra.
 */
static inline const AcAutomaton *
ac_get_automaton(FunctionCallInfo fcinfo, int argno)
{
	return &ac_get_entry(fcinfo, argno)->automaton;
}

/*
 * A scanner of an entry for one body of "size" bytes, already started.  It is
 * the caller's until the next call of any function of ours.
 */
static inline AcScanner *
ac_scanner_begin(AcEntry *entry, AcKind kind, AcMode mode, size_t size)
{
	AcScanner  *scanner;

	if (unlikely(size >= entry->text_left))
		ac_entry_accelerate(entry);
	else
		entry->text_left -= size;
	scanner = entry->spare[kind][mode];
	if (unlikely(scanner == NULL))
		scanner = ac_scanner_make(entry, kind, mode);
	acore_scan_start(scanner);
	return scanner;
}

#pragma GCC visibility pop

#endif							/* AC_CACHE_H */
