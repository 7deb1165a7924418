/*
 * ac_type.c
 *		The type acautomaton: its text and binary forms, equality and hashing,
 *		and its casts.
 *
 * Neither form carries the image.  Both carry what the image was made from, so
 * that a dump outlives the format of images, and so that nothing that comes
 * from outside is ever used as an image: it is checked as rules and built.
 *
 * The binary form is
 *
 *		uint8	version, 1
 *		uint8	SEND_* flags
 *		int32	n, number of patterns
 *		int64	n ids, if SEND_IDS
 *		n times:
 *		int32	length of a pattern in bytes
 *		bytes	the pattern; text is in the client's encoding
 *
 * Equal values have equal fingerprints (in the header of the image), so most
 * values that differ are told apart, and all are hashed, without reading them
 * whole.  Equal fingerprints are not trusted to mean equal contents.
 */
#include "ac_rules.h"

#include "catalog/pg_type.h"
#include "common/hashfn.h"
#include "libpq/pqformat.h"
#include "miscadmin.h"

#include "ac_cache.h"
#include "ac_text.h"

#define SEND_VERSION	1

enum
{
	SEND_IGNORE_CASE = 1 << 0,
	SEND_WHOLE_WORDS = 1 << 1,
	SEND_BYTEA = 1 << 2,
	SEND_IDS = 1 << 3,
	SEND_MASK = (1 << 4) - 1
};

PG_FUNCTION_INFO_V1(acautomaton_in);
PG_FUNCTION_INFO_V1(acautomaton_out);
PG_FUNCTION_INFO_V1(acautomaton_recv);
PG_FUNCTION_INFO_V1(acautomaton_send);
PG_FUNCTION_INFO_V1(acautomaton_eq);
PG_FUNCTION_INFO_V1(acautomaton_ne);
PG_FUNCTION_INFO_V1(acautomaton_hash);
PG_FUNCTION_INFO_V1(acautomaton_hash_extended);
PG_FUNCTION_INFO_V1(acautomaton_from_text_array);
PG_FUNCTION_INFO_V1(acautomaton_to_text_array);
PG_FUNCTION_INFO_V1(acautomaton_to_bytea_array);

/* ---------- text form ---------- */

Datum
acautomaton_in(PG_FUNCTION_ARGS)
{
	AcRuleSet	rules;

	ac_text_parse(PG_GETARG_CSTRING(0), &rules);
	PG_RETURN_DATUM(ac_rules_build(&rules));
}

Datum
acautomaton_out(PG_FUNCTION_ARGS)
{
	AcRules		rules;

	ac_extract(ac_get_automaton(fcinfo, 0), &rules);
	PG_RETURN_CSTRING(ac_text_write(&rules));
}

/* ---------- binary form ---------- */

Datum
acautomaton_send(PG_FUNCTION_ARGS)
{
	AcRules		rules;
	StringInfoData buf;
	uint8		flags = 0;
	uint32		i;

	ac_extract(ac_get_automaton(fcinfo, 0), &rules);
	if (rules.options & AC_FOLD_MASK)
		flags |= SEND_IGNORE_CASE;
	if (rules.options & AC_WORDS_MASK)
		flags |= SEND_WHOLE_WORDS;
	if (rules.options & AC_BYTEA)
		flags |= SEND_BYTEA;
	if (rules.ids != NULL)
		flags |= SEND_IDS;

	pq_begintypsend(&buf);
	pq_sendbyte(&buf, SEND_VERSION);
	pq_sendbyte(&buf, flags);
	pq_sendint32(&buf, rules.count);
	for (i = 0; rules.ids != NULL && i < rules.count; i++)
		pq_sendint64(&buf, rules.ids[i]);
	for (i = 0; i < rules.count; i++)
	{
		const char *pattern = (const char *) rules.pool + rules.offsets[i];
		int			size = (int) (rules.offsets[i + 1] - rules.offsets[i]);

		CHECK_FOR_INTERRUPTS();
		if (flags & SEND_BYTEA)
		{
			pq_sendint32(&buf, size);
			pq_sendbytes(&buf, pattern, size);
		}
		else
			ac_sendcountedtext(&buf, pattern, size);
	}
	PG_RETURN_BYTEA_P(pq_endtypsend(&buf));
}

static void
error_binary(const char *detail)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
			 errmsg("invalid binary form of type acautomaton"),
			 errdetail_internal("%s", detail)));
}

/* Bytes of the message that have not been read. */
static size_t
bytes_left(const StringInfo buf)
{
	return (size_t) (buf->len - buf->cursor);
}

/*
 * Reads the count, and answers it when the message has the bytes for so many
 * patterns (their lengths and ids; that none is empty has an error of its own):
 * then room for all of them is less than a few times the message.
 */
static uint32
recv_count(StringInfo buf, uint8 flags)
{
	uint32		count = pq_getmsgint(buf, 4);
	size_t		least = flags & SEND_IDS ? 8 + 4 : 4;

	if (count > MaxArraySize)
		error_binary("The number of patterns is impossible.");
	if (count > bytes_left(buf) / least)
		ereport(ERROR,
				(errcode(ERRCODE_PROTOCOL_VIOLATION),
				 errmsg("insufficient data left in message")));
	return count;
}

/* Reads one pattern and adds it. */
static void
recv_pattern(StringInfo buf, AcRuleSet *rules, int64 id, int64 subscript)
{
	int			size = (int) pq_getmsgint(buf, 4);

	if (size < 0)
		error_binary("The length of a pattern is negative.");
	if (rules->options & AC_BYTEA)
		ac_rules_add(rules, pq_getmsgbytes(buf, size), size, id, subscript);
	else
	{
		char	   *pattern = pq_getmsgtext(buf, size, &size);

		ac_rules_add(rules, pattern, size, id, subscript);
		pfree(pattern);
	}
}

Datum
acautomaton_recv(PG_FUNCTION_ARGS)
{
	StringInfo	buf = (StringInfo) PG_GETARG_POINTER(0);
	AcRuleSet	rules;
	int			version = pq_getmsgbyte(buf);
	uint8		flags;
	uint32		count;
	int64	   *ids = NULL;
	uint32		i;

	if (version != SEND_VERSION)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("version %d of the binary form of type acautomaton is not supported",
						version)));
	flags = (uint8) pq_getmsgbyte(buf);
	if ((flags & ~SEND_MASK) != 0 ||
		((flags & SEND_BYTEA) && (flags & SEND_WHOLE_WORDS)))
		error_binary("The flags are impossible.");
	count = recv_count(buf, flags);

	ac_rules_init(&rules, ac_options(flags & SEND_BYTEA,
									 flags & SEND_IGNORE_CASE,
									 flags & SEND_WHOLE_WORDS),
				  CurrentMemoryContext);
	if (flags & SEND_IDS)
	{
		ids = palloc_extended(Max(count, 1) * sizeof(int64), MCXT_ALLOC_HUGE);
		for (i = 0; i < count; i++)
			ids[i] = pq_getmsgint64(buf);
	}
	for (i = 0; i < count; i++)
		recv_pattern(buf, &rules, ids != NULL ? ids[i] : (int64) i + 1,
					 (int64) i + 1);
	if (bytes_left(buf) > 0)
		error_binary("There are bytes behind the last pattern.");
	PG_RETURN_DATUM(ac_rules_build(&rules));
}

/* ---------- equality and hashing ---------- */

static bool
same_rules(const AcRules *a, const AcRules *b)
{
	if (a->count != b->count || a->options != b->options ||
		(a->ids == NULL) != (b->ids == NULL))
		return false;
	if (a->ids != NULL &&
		memcmp(a->ids, b->ids, a->count * sizeof(int64)) != 0)
		return false;
	return memcmp(a->offsets, b->offsets,
				  ((size_t) a->count + 1) * sizeof(uint64)) == 0 &&
		(a->count == 0 ||
		 memcmp(a->pool, b->pool, a->offsets[a->count]) == 0);
}

/*
 * The build is deterministic, so equal rules of one format have equal images.
 * Those of two formats do not; then the rules decide.
 */
static bool
same_contents(FunctionCallInfo fcinfo)
{
	struct varlena *a = PG_GETARG_VARLENA_PP(0);
	struct varlena *b = PG_GETARG_VARLENA_PP(1);
	AcRules		rules_a;
	AcRules		rules_b;

	if (VARSIZE_ANY_EXHDR(a) == VARSIZE_ANY_EXHDR(b) &&
		memcmp(VARDATA_ANY(a), VARDATA_ANY(b), VARSIZE_ANY_EXHDR(a)) == 0)
	{
		PG_FREE_IF_COPY(a, 0);
		PG_FREE_IF_COPY(b, 1);
		return true;
	}
	ac_extract(ac_get_automaton(fcinfo, 0), &rules_a);
	ac_extract(ac_get_automaton(fcinfo, 1), &rules_b);
	return same_rules(&rules_a, &rules_b);
}

static bool
automata_equal(FunctionCallInfo fcinfo)
{
	AcInfo		a;
	AcInfo		b;

	ac_peek_datum(PG_GETARG_DATUM(0), &a);
	ac_peek_datum(PG_GETARG_DATUM(1), &b);
	return memcmp(a.fingerprint, b.fingerprint, sizeof(a.fingerprint)) == 0 &&
		same_contents(fcinfo);
}

Datum
acautomaton_eq(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(automata_equal(fcinfo));
}

Datum
acautomaton_ne(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(!automata_equal(fcinfo));
}

Datum
acautomaton_hash(PG_FUNCTION_ARGS)
{
	AcInfo		info;

	ac_peek_datum(PG_GETARG_DATUM(0), &info);
	return hash_any(info.fingerprint, sizeof(info.fingerprint));
}

Datum
acautomaton_hash_extended(PG_FUNCTION_ARGS)
{
	AcInfo		info;

	ac_peek_datum(PG_GETARG_DATUM(0), &info);
	return hash_any_extended(info.fingerprint, sizeof(info.fingerprint),
							 PG_GETARG_INT64(1));
}

/* ---------- casts ---------- */

Datum
acautomaton_from_text_array(PG_FUNCTION_ARGS)
{
	AcRuleSet	rules;

	ac_rules_init(&rules, ac_options(false, false, false),
				  CurrentMemoryContext);
	ac_rules_add_array(&rules, PG_GETARG_ARRAYTYPE_P(0), NULL, 0);
	PG_RETURN_DATUM(ac_rules_build(&rules));
}

void
ac_require_kind(uint32 options, bool is_bytea)
{
	if (((options & AC_BYTEA) != 0) != is_bytea)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg(is_bytea ?
						"acautomaton has text patterns where bytea patterns are required" :
						"acautomaton has bytea patterns where text patterns are required")));
}

/* The patterns as an array of their own type. */
static ArrayType *
patterns_array(const AcAutomaton *automaton, bool is_bytea)
{
	AcRules		rules;
	Datum	   *elements;
	uint32		i;

	ac_require_kind(automaton->info.options, is_bytea);
	ac_extract(automaton, &rules);
	elements = palloc_extended(Max(rules.count, 1) * sizeof(Datum),
							   MCXT_ALLOC_HUGE);
	for (i = 0; i < rules.count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		elements[i] = ac_pattern_datum(0, rules.pool + rules.offsets[i],
									   rules.offsets[i + 1] - rules.offsets[i]);
	}
	return construct_array(elements, (int) rules.count,
						   is_bytea ? BYTEAOID : TEXTOID, -1, false,
						   TYPALIGN_INT);
}

Datum
acautomaton_to_text_array(PG_FUNCTION_ARGS)
{
	PG_RETURN_ARRAYTYPE_P(patterns_array(ac_get_automaton(fcinfo, 0), false));
}

Datum
acautomaton_to_bytea_array(PG_FUNCTION_ARGS)
{
	PG_RETURN_ARRAYTYPE_P(patterns_array(ac_get_automaton(fcinfo, 0), true));
}
