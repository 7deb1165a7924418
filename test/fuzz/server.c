/*
 * server.c
 *		The few functions of the server that the forms of a value need.
 *
 * Each does what the server's does, as far as the glue relies on it.  All
 * memory stands in a list, so that whatever an error leaves is found again.
 */
#include "server.h"

#include <setjmp.h>
#include <stdarg.h>

#include "catalog/pg_type.h"
#include "libpq/pqformat.h"
#include "mb/pg_wchar.h"
#include "port/pg_crc32c.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#include "ac_cache.h"

/* ---------- memory ---------- */

typedef struct Block
{
	struct Block *next;
	struct Block *previous;
	size_t		size;
	max_align_t start[];
} Block;

static Block blocks = {&blocks, &blocks, 0};
static size_t allocated;

MemoryContext CurrentMemoryContext = NULL;

static Block *
block_of(void *pointer)
{
	return (Block *) ((char *) pointer - offsetof(Block, start));
}

static void *
allocate(size_t size, bool zero)
{
	Block	   *block = malloc(sizeof(Block) + size);

	if (block == NULL)
		abort();
	memset(block->start, zero ? 0 : 0xA5, size);
	block->size = size;
	block->next = blocks.next;
	block->previous = &blocks;
	blocks.next->previous = block;
	blocks.next = block;
	allocated += size;
	return block->start;
}

void
pfree(void *pointer)
{
	Block	   *block = block_of(pointer);

	block->next->previous = block->previous;
	block->previous->next = block->next;
	free(block);
}

size_t
server_allocated(void)
{
	return allocated;
}

void
server_reset(void)
{
	while (blocks.next != &blocks)
		pfree(blocks.next->start);
	allocated = 0;
}

void *
palloc(Size size)
{
	if (!AllocSizeIsValid(size))
		abort();
	return allocate(size, false);
}

void *
palloc_extended(Size size, int flags)
{
	return allocate(size, (flags & MCXT_ALLOC_ZERO) != 0);
}

void *
MemoryContextAllocExtended(MemoryContext context, Size size, int flags)
{
	(void) context;
	return palloc_extended(size, flags);
}

void *
MemoryContextAllocHuge(MemoryContext context, Size size)
{
	(void) context;
	return allocate(size, false);
}

void *
repalloc_huge(void *pointer, Size size)
{
	void	   *moved = allocate(size, false);

	memcpy(moved, pointer, Min(size, block_of(pointer)->size));
	pfree(pointer);
	return moved;
}

void *
repalloc(void *pointer, Size size)
{
	return repalloc_huge(pointer, size);
}

char *
pnstrdup(const char *in, Size length)
{
	size_t		size = strnlen(in, length);
	char	   *copy = palloc(size + 1);

	memcpy(copy, in, size);
	copy[size] = '\0';
	return copy;
}

/* ---------- errors ---------- */

sigjmp_buf *PG_exception_stack = NULL;
ErrorContextCallback *error_context_stack = NULL;
static int	state;

bool
errstart(int level, const char *domain)
{
	(void) domain;
	state = ERRCODE_INTERNAL_ERROR;
	return level >= ERROR;
}

bool
errstart_cold(int level, const char *domain)
{
	return errstart(level, domain);
}

int
errcode(int sqlerrcode)
{
	state = sqlerrcode;
	return 0;
}

int
geterrcode(void)
{
	return state;
}

/* Messages are formatted, so that what is wrong with them shows. */
static int
format_message(const char *format, va_list args)
{
	char		text[1024];

	vsnprintf(text, sizeof(text), format, args);
	return 0;
}

#define MESSAGE(name) \
int \
name(const char *format,...) \
{ \
	va_list		args; \
\
	va_start(args, format); \
	format_message(format, args); \
	va_end(args); \
	return 0; \
}

MESSAGE(errmsg)
MESSAGE(errmsg_internal)
MESSAGE(errdetail)
MESSAGE(errdetail_internal)
MESSAGE(errhint)

void
pg_re_throw(void)
{
	if (PG_exception_stack == NULL)
		abort();
	siglongjmp(*PG_exception_stack, 1);
}

void
errfinish(const char *file, int line, const char *function)
{
	ErrorContextCallback *callback;

	(void) file;
	(void) line;
	(void) function;
	for (callback = error_context_stack; callback != NULL;
		 callback = callback->previous)
		callback->callback(callback->arg);
	pg_re_throw();
}

int
server_call(PGFunction function, Datum argument, Datum *result)
{
	LOCAL_FCINFO(fcinfo, 3);
	sigjmp_buf	here;

	memset(fcinfo, 0, SizeForFunctionCallInfo(3));
	fcinfo->nargs = 1;
	fcinfo->args[0].value = argument;
	error_context_stack = NULL;
	PG_exception_stack = &here;
	if (sigsetjmp(here, 0) != 0)
		return state;
	*result = function(fcinfo);
	return 0;
}

void
server_expect(int ended, const int *allowed, int count)
{
	int			i;

	for (i = 0; i < count; i++)
		if (allowed[i] == ended)
			return;
	abort();
}

/* ---------- what surrounds a function ---------- */

volatile sig_atomic_t InterruptPending = false;
bool		Array_nulls = true;

void
ProcessInterrupts(void)
{
}

TimestampTz
GetCurrentStatementStartTimestamp(void)
{
	return 0;
}

int
GetDatabaseEncoding(void)
{
	return PG_UTF8;
}

bool
pg_verify_mbstr(int encoding, const char *text, int length, bool no_error)
{
	(void) no_error;
	if (pg_encoding_verifymbstr(encoding, text, length) != length)
		ereport(ERROR, (errcode(ERRCODE_CHARACTER_NOT_IN_REPERTOIRE),
						errmsg("invalid byte sequence")));
	return true;
}

/* The Castagnoli polynomial, reflected, bit by bit. */
static pg_crc32c
comp_crc32c(pg_crc32c crc, const void *data, size_t size)
{
	const uint8 *byte = data;
	size_t		i;
	int			bit;

	for (i = 0; i < size; i++)
	{
		crc ^= byte[i];
		for (bit = 0; bit < 8; bit++)
			crc = (crc >> 1) ^ ((crc & 1) ? 0x82F63B78 : 0);
	}
	return crc;
}

pg_crc32c	(*pg_comp_crc32c) (pg_crc32c crc, const void *data, size_t size) = comp_crc32c;

struct varlena *
pg_detoast_datum(struct varlena *datum)
{
	return datum;
}

struct varlena *
pg_detoast_datum_packed(struct varlena *datum)
{
	return datum;
}

struct varlena *
pg_detoast_datum_slice(struct varlena *datum, int32 first, int32 count)
{
	(void) first;
	(void) count;
	return datum;
}

/* Without a cache: verified and opened for each call. */
AcEntry *
ac_entry_find(FunctionCallInfo fcinfo, int argno)
{
	struct varlena *value = (struct varlena *)
	DatumGetPointer(fcinfo->args[argno].value);
	AcEntry    *entry = palloc_extended(sizeof(AcEntry), MCXT_ALLOC_ZERO);

	ac_host_init(&entry->host, NULL);
	ac_check(acore_verify(VARDATA_ANY(value), VARSIZE_ANY_EXHDR(value),
						  &entry->host));
	ac_check(acore_open(VARDATA_ANY(value), VARSIZE_ANY_EXHDR(value),
						&entry->host, &entry->automaton));
	return entry;
}

/* ---------- numbers and text ---------- */

int
pg_lltoa(int64 value, char *out)
{
	return sprintf(out, INT64_FORMAT, value);
}

uint64
hex_encode(const char *from, size_t size, char *to)
{
	static const char digits[] = "0123456789abcdef";
	size_t		i;

	for (i = 0; i < size; i++)
	{
		*to++ = digits[(uint8) from[i] >> 4];
		*to++ = digits[(uint8) from[i] & 15];
	}
	return 2 * (uint64) size;
}

text *
cstring_to_text_with_len(const char *from, int size)
{
	text	   *result = palloc(VARHDRSZ + size);

	SET_VARSIZE(result, VARHDRSZ + size);
	memcpy(VARDATA(result), from, size);
	return result;
}

/* ---------- arrays ---------- */

int
ArrayGetNItems(int ndim, const int *dims)
{
	return ndim == 0 ? 0 : dims[0];
}

ArrayType *
construct_array(Datum *elements, int count, Oid type, int length, bool by_value,
				char align)
{
	(void) elements;
	(void) count;
	(void) type;
	(void) length;
	(void) by_value;
	(void) align;
	abort();					/* only the casts want it */
}

static void
malformed(void)
{
	ereport(ERROR, (errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
					errmsg("malformed array literal")));
}

static bool
is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static const char *
skip_space(const char *p)
{
	while (is_space(*p))
		p++;
	return p;
}

/* "[1:2]=", of which only the length is kept; -1 without. */
static const char *
read_bounds(const char *p, long *length)
{
	char	   *end;
	long		low;
	long		high;

	*length = -1;
	p = skip_space(p);
	if (*p != '[')
		return p;
	low = strtol(p + 1, &end, 10);
	if (end == p + 1)
		malformed();
	high = low;
	if (*end == ':')
	{
		p = end;
		high = strtol(p + 1, &end, 10);
		if (end == p + 1)
			malformed();
	}
	else
		low = 1;
	if (*end != ']' || high < low || high > 1000000 || low < -1000000)
		malformed();
	p = skip_space(end + 1);
	if (*p != '=')
		malformed();
	*length = high - low + 1;
	return skip_space(p + 1);
}

/* One element into "item"; *quoted tells NULL from "NULL". */
static const char *
read_element(const char *p, StringInfo item, bool *quoted)
{
	bool		in_quotes = false;
	int			keep = 0;		/* what trailing white space may not go below */

	resetStringInfo(item);
	*quoted = false;
	p = skip_space(p);
	for (; *p != '\0'; p++)
	{
		if (*p == '\\')
		{
			if (*++p == '\0')
				malformed();
			appendStringInfoChar(item, *p);
			*quoted = true;
			keep = item->len;
			continue;
		}
		if (*p == '"')
		{
			/* quotes go around all of an element */
			if (!in_quotes && (item->len > 0 || *quoted))
				malformed();
			in_quotes = !in_quotes;
			*quoted = true;
			keep = item->len;
			if (!in_quotes)
			{
				p = skip_space(p + 1);
				break;
			}
			continue;
		}
		if (!in_quotes && (*p == ',' || *p == '}' || *p == '{'))
			break;
		appendStringInfoChar(item, *p);
	}
	if (in_quotes || (*p != ',' && *p != '}'))
		malformed();
	while (item->len > keep && !in_quotes && is_space(item->data[item->len - 1]))
		item->data[--item->len] = '\0';
	if (item->len == 0 && !*quoted)
		malformed();
	return p;
}

static int
hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	if (c < 'a' || c > 'f')
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("invalid hexadecimal digit")));
	return c - 'a' + 10;
}

/* bytea in hex; anything else stands for itself. */
static void
bytea_element(StringInfo item)
{
	int			i;

	if (strncmp(item->data, "\\x", 2) != 0)
		return;
	if (item->len % 2 != 0)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("odd number of digits")));
	for (i = 2; i < item->len; i += 2)
		item->data[i / 2 - 1] = (char) (hex_digit(item->data[i]) << 4 |
										hex_digit(item->data[i + 1]));
	item->len = item->len / 2 - 1;
}

static void
append_element(StringInfo array, const StringInfo item)
{
	text	   *element = cstring_to_text_with_len(item->data, item->len);

	while (array->len % sizeof(int32) != 0)
		appendStringInfoChar(array, '\0');
	appendBinaryStringInfo(array, (char *) element, VARSIZE(element));
	pfree(element);
}

/* array_in() for one dimension; a NULL stands for itself, as an error does. */
Datum
OidInputFunctionCall(Oid function, char *literal, Oid type, int32 typmod)
{
	StringInfoData data;
	StringInfoData item;
	ArrayType  *array;
	bits8	   *nulls = palloc_extended(strlen(literal) / 8 + 8, MCXT_ALLOC_ZERO);
	bool		has_null = false;
	bool		quoted;
	long		length;
	int			count = 0;
	const char *p = read_bounds(literal, &length);

	(void) function;
	(void) typmod;
	initStringInfo(&data);
	initStringInfo(&item);
	if (*p != '{')
		malformed();
	if (*skip_space(p + 1) == '}')
		p = skip_space(p + 1);
	else
		do
		{
			p = read_element(p + 1, &item, &quoted);
			if (!quoted && Array_nulls && pg_strcasecmp(item.data, "NULL") == 0)
				has_null = true;
			else
			{
				nulls[count / 8] |= 1 << (count % 8);
				if (type == BYTEAOID)
					bytea_element(&item);
				append_element(&data, &item);
			}
			count++;
		} while (*p == ',');
	if (*skip_space(p + 1) != '\0' || (length >= 0 && length != count))
		malformed();

	array = palloc_extended(ARR_OVERHEAD_WITHNULLS(1, count) + data.len,
							MCXT_ALLOC_ZERO);
	array->ndim = count > 0 ? 1 : 0;
	array->dataoffset = has_null ? ARR_OVERHEAD_WITHNULLS(1, count) : 0;
	array->elemtype = type;
	ARR_DIMS(array)[0] = count;
	if (has_null)
		memcpy(ARR_NULLBITMAP(array), nulls, (count + 7) / 8);
	memcpy(ARR_DATA_PTR(array), data.data, data.len);
	return PointerGetDatum(array);
}

/* ---------- messages ---------- */

static const char *
take_bytes(StringInfo message, int size)
{
	const char *at = message->data + message->cursor;

	if (size < 0 || size > message->len - message->cursor)
		ereport(ERROR, (errcode(ERRCODE_PROTOCOL_VIOLATION),
						errmsg("insufficient data left in message")));
	message->cursor += size;
	return at;
}

static uint64
take_number(StringInfo message, int size)
{
	const uint8 *at = (const uint8 *) take_bytes(message, size);
	uint64		number = 0;

	while (size-- > 0)
		number = number << 8 | *at++;
	return number;
}

int
pq_getmsgbyte(StringInfo message)
{
	return (int) take_number(message, 1);
}

unsigned int
pq_getmsgint(StringInfo message, int size)
{
	return (unsigned int) take_number(message, size);
}

int64
pq_getmsgint64(StringInfo message)
{
	return (int64) take_number(message, 8);
}

const char *
pq_getmsgbytes(StringInfo message, int size)
{
	return take_bytes(message, size);
}

char *
pq_getmsgtext(StringInfo message, int size, int *bytes)
{
	const char *at = take_bytes(message, size);
	char	   *text = palloc(size + 1);

	pg_verify_mbstr(PG_UTF8, at, size, false);
	memcpy(text, at, size);
	text[size] = '\0';
	*bytes = size;
	return text;
}

void
pq_begintypsend(StringInfo message)
{
	initStringInfo(message);
	appendStringInfoSpaces(message, VARHDRSZ);
}

bytea *
pq_endtypsend(StringInfo message)
{
	SET_VARSIZE(message->data, message->len);
	return (bytea *) message->data;
}

#if PG_VERSION_NUM >= 160000
typedef void SentBytes;
#else
typedef char SentBytes;
#endif

void
pq_sendbytes(StringInfo message, const SentBytes *data, int size)
{
	appendBinaryStringInfo(message, data, size);
}

void
pq_sendcountedtext(StringInfo message, const char *text, int size,
				   bool includes_self)
{
	pq_sendint32(message, size + (includes_self ? 4 : 0));
	appendBinaryStringInfo(message, text, size);
}
