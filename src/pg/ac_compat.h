/*
 * ac_compat.h
 *		What differs between PostgreSQL 13 and 18, in one place.
 *
 * No other file tests PG_VERSION_NUM.  Each difference gets a name of its own
 * here; the code outside is written as for the newest server.
 */
#ifndef AC_COMPAT_H
#define AC_COMPAT_H

#include "postgres.h"

/* 16: macros on varlena values left postgres.h. */
#if PG_VERSION_NUM >= 160000
#include "varatt.h"
#endif

/*
 * 14: the pg_cryptohash interface to SHA-256.  Before, the functions behind it
 * are there, but their header wants that of OpenSSL, which a server's headers
 * do not bring; so here is the interface on top of them.
 */
#if PG_VERSION_NUM >= 140000
#include "common/cryptohash.h"
#else
typedef struct pg_cryptohash_ctx
{
	uint64		state[32];		/* twice the size of either implementation's */
} pg_cryptohash_ctx;

extern void pg_sha256_init(void *state);
extern void pg_sha256_update(void *state, const uint8 *data, size_t size);
extern void pg_sha256_final(void *state, uint8 *digest);

#define PG_SHA256	0

static inline pg_cryptohash_ctx *
pg_cryptohash_create(int type)
{
	(void) type;
	return (pg_cryptohash_ctx *) palloc(sizeof(pg_cryptohash_ctx));
}

static inline int
pg_cryptohash_init(pg_cryptohash_ctx *hash)
{
	pg_sha256_init(hash->state);
	return 0;
}

static inline int
pg_cryptohash_update(pg_cryptohash_ctx *hash, const uint8 *data, size_t size)
{
	pg_sha256_update(hash->state, data, size);
	return 0;
}

static inline int
pg_cryptohash_final(pg_cryptohash_ctx *hash, uint8 *digest, size_t size)
{
	(void) size;
	pg_sha256_final(hash->state, digest);
	return 0;
}

static inline void
pg_cryptohash_free(pg_cryptohash_ctx *hash)
{
	pfree(hash);
}
#endif

/* 15: the prefix of a module's settings can be reserved. */
#if PG_VERSION_NUM < 150000
#define MarkGUCPrefixReserved(prefix) EmitWarningsOnPlaceholders(prefix)
#endif

/* 17: a local transaction id moved; macro, so that only users need proc.h. */
#if PG_VERSION_NUM >= 170000
#define AC_LOCAL_XID()	(MyProc->vxid.lxid)
#else
#define AC_LOCAL_XID()	(MyProc->lxid)
#endif

/* 17: the length sent never counts itself any more. */
#if PG_VERSION_NUM >= 170000
#define ac_sendcountedtext(buf, text, size) \
	pq_sendcountedtext(buf, text, size)
#else
#define ac_sendcountedtext(buf, text, size) \
	pq_sendcountedtext(buf, text, size, false)
#endif

/* 18: functions that do not return say so in front. */
#ifndef pg_noreturn
#define pg_noreturn pg_attribute_noreturn()
#endif

/* 18: a module names itself and its version. */
#ifndef PG_MODULE_MAGIC_EXT
#define PG_MODULE_MAGIC_EXT(...) PG_MODULE_MAGIC
#endif

#endif							/* AC_COMPAT_H */
