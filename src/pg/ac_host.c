/*
 * ac_host.c
 *		The server as the core sees it, and the core's errors as users see them.
 *
 * The core asks an AcHost for memory, CRC-32C, SHA-256 and whether it should
 * give up.  Here these are memory contexts, the server's own checksums and
 * CHECK_FOR_INTERRUPTS().  That macro leaves by longjmp: a cancelled build
 * leaves its memory to the context, which goes with the statement.
 *
 * Memory that the server does not have is no error here but NULL, so that the
 * core can release what it holds before ac_raise() says "out of memory".
 */
#include "ac_pg.h"

#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "port/pg_crc32c.h"

PG_MODULE_MAGIC_EXT(.name = "ac", .version = "1.0");

static void *
host_allocate(void *context, size_t size)
{
	return MemoryContextAllocExtended((MemoryContext) context, size,
									  MCXT_ALLOC_HUGE | MCXT_ALLOC_NO_OOM);
}

static void
host_release(void *context, void *pointer, size_t size)
{
	(void) context;
	(void) size;
	pfree(pointer);
}

static bool
host_interrupted(void *context)
{
	(void) context;
	CHECK_FOR_INTERRUPTS();
	return false;
}

/* Bytes that a checksum or digest takes in between two looks at signals. */
#define PIECE	(1024 * 1024)

static uint32_t
host_crc32c(void *context, const void *data, size_t size)
{
	const char *from = (const char *) data;
	pg_crc32c	crc;

	(void) context;
	INIT_CRC32C(crc);
	while (size > 0)
	{
		size_t		piece = Min(size, PIECE);

		CHECK_FOR_INTERRUPTS();
		COMP_CRC32C(crc, from, piece);
		from += piece;
		size -= piece;
	}
	FIN_CRC32C(crc);
	return crc;
}

/* Takes one part into a digest. */
static bool
digest_part(pg_cryptohash_ctx *hash, const AcSpan *part)
{
	size_t		at;

	for (at = 0; at < part->size; at += PIECE)
	{
		CHECK_FOR_INTERRUPTS();
		if (pg_cryptohash_update(hash, (const uint8 *) part->data + at,
								 Min(part->size - at, PIECE)) < 0)
			return false;
	}
	return true;
}

/*
 * The server releases the digest of a statement that is cancelled.  OpenSSL
 * takes memory of its own, and does not fail at SHA-256 for another reason.
 */
static void
host_sha256(void *context, const AcSpan *parts, int nparts, uint8_t digest[32])
{
	pg_cryptohash_ctx *hash = pg_cryptohash_create(PG_SHA256);
	bool		ok = hash != NULL && pg_cryptohash_init(hash) >= 0;
	int			i;

	(void) context;
	for (i = 0; ok && i < nparts; i++)
		ok = digest_part(hash, &parts[i]);
	ok = ok && pg_cryptohash_final(hash, digest, 32) >= 0;
	pg_cryptohash_free(hash);
	if (!ok)
		ereport(ERROR,
				(errcode(ERRCODE_OUT_OF_MEMORY),
				 errmsg("could not compute a SHA-256 digest"),
				 errdetail("The library behind it most likely got no memory.")));
}

void
ac_host_init(AcHost *host, MemoryContext context)
{
	host->context = context;
	host->allocate = host_allocate;
	host->release = host_release;
	host->interrupted = host_interrupted;
	host->crc32c = host_crc32c;
	host->sha256 = host_sha256;
}

void
ac_raise_format(uint32 format)
{
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("acautomaton of format %u is not supported", format),
			 errhint("Install the version of the extension that wrote the value, or a newer one.")));
}

void
ac_raise(AcStatus status)
{
	switch (status)
	{
		case AC_E_MEMORY:
			ereport(ERROR,
					(errcode(ERRCODE_OUT_OF_MEMORY),
					 errmsg("out of memory"),
					 errdetail("The server could not give the memory that a value of type acautomaton needs.")));
			break;
		case AC_E_INTERRUPTED:
			/* host_interrupted leaves by longjmp, so nobody gets here */
			ereport(ERROR,
					(errcode(ERRCODE_QUERY_CANCELED),
					 errmsg("canceling statement")));
			break;
		case AC_E_TOO_LARGE:
			ereport(ERROR,
					(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
					 errmsg("acautomaton is too large"),
					 errdetail("The compiled automaton would exceed the limit of 1 GB."),
					 errhint("Divide the patterns among several values.")));
			break;
		case AC_E_FORMAT:
			ereport(ERROR,
					(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					 errmsg("acautomaton has a format that is not supported"),
					 errhint("Install the version of the extension that wrote the value, or a newer one.")));
			break;
		case AC_E_DAMAGED:
			ereport(ERROR,
					(errcode(ERRCODE_DATA_CORRUPTED),
					 errmsg("acautomaton is damaged"),
					 errhint("Restore the value, or build it from its patterns again.")));
			break;
		default:
			elog(ERROR, "unexpected status %d of the automaton core",
				 (int) status);
	}
	pg_unreachable();
}

uint32
ac_options(bool is_bytea, bool ignore_case, bool whole_words)
{
	bool		utf8 = !is_bytea && GetDatabaseEncoding() == PG_UTF8;
	uint32		options = is_bytea ? AC_BYTEA : 0;

	if (ignore_case)
		options |= utf8 ? AC_FOLD_UNICODE : AC_FOLD_ASCII;
	if (whole_words)
		options |= utf8 ? AC_WORDS_UNICODE : AC_WORDS_ASCII;
	return options;
}

void
ac_peek_datum(Datum datum, AcInfo *info)
{
	struct varlena *slice = PG_DETOAST_DATUM_SLICE(datum, 0, AC_HEADER_SIZE);
	AcStatus	status = acore_peek(VARDATA_ANY(slice),
									VARSIZE_ANY_EXHDR(slice), info);

	if ((Pointer) slice != DatumGetPointer(datum))
		pfree(slice);
	if (status == AC_E_FORMAT)
		ac_raise_format(info->format);
	ac_check(status);
}
