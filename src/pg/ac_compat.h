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

/* 14: SHA-256 moved behind the pg_cryptohash interface. */
#if PG_VERSION_NUM >= 140000
#include "common/cryptohash.h"
#define AC_HAVE_CRYPTOHASH 1
#else
#include "common/sha2.h"
#define AC_HAVE_CRYPTOHASH 0
#endif

/* 14: hash tables say that their keys are blobs; before, tag_hash was implied. */
#include "utils/hsearch.h"

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

/* 18: a module names itself and its version. */
#ifndef PG_MODULE_MAGIC_EXT
#define PG_MODULE_MAGIC_EXT(...) PG_MODULE_MAGIC
#endif

#endif							/* AC_COMPAT_H */
