/*
 * server.h
 *		What stands for the server when its forms of a value are fuzzed.
 *
 * The files of the glue that read and write text and binary form run as they
 * are, on the functions of server.c: memory that is counted and freed after
 * each input, errors that leave by longjmp, a database in UTF-8, and an
 * array_in() for one dimension.
 */
#ifndef FUZZ_SERVER_H
#define FUZZ_SERVER_H

#include "postgres.h"

#include "fmgr.h"
#include "lib/stringinfo.h"

/* What a call ended with: 0, or its SQLSTATE as ERRCODE_... */
extern int	server_call(PGFunction function, Datum argument, Datum *result);

/* Bytes given out since server_reset(), freed ones too. */
extern size_t server_allocated(void);

/* Frees everything. */
extern void server_reset(void);

/* Ends the program when an SQLSTATE is none of those in the list. */
extern void server_expect(int state, const int *allowed, int count);

extern Datum acautomaton_in(PG_FUNCTION_ARGS);
extern Datum acautomaton_out(PG_FUNCTION_ARGS);
extern Datum acautomaton_recv(PG_FUNCTION_ARGS);
extern Datum acautomaton_send(PG_FUNCTION_ARGS);

#endif							/* FUZZ_SERVER_H */
