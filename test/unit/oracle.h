/*
 * oracle.h
 *		All matches of a rule set in a body, by brute force.
 */
#ifndef ORACLE_H
#define ORACLE_H

#include "ac_core.h"

typedef struct OracleMatch
{
	size_t		start;
	size_t		end;
	size_t		char_start;
	size_t		char_len;
	uint32_t	entry;			/* the first given one that stands there */
} OracleMatch;

typedef struct OracleList
{
	OracleMatch *items;
	size_t		count;
	size_t		room;
} OracleList;

/*
 * Replaces what stands in the list.  Under FOLD_UNICODE and WORDS_UNICODE
 * patterns and body must be valid UTF-8.
 */
extern void oracle_scan(const AcRules *rules, AcKind kind, AcEncoding encoding,
						int (*char_len) (const uint8_t *text),
						const uint8_t *body, size_t size, OracleList *list);
extern void oracle_free(OracleList *list);

/* Nodes of the trie of the folded patterns, by sorting and comparing. */
extern uint32_t oracle_states(const AcRules *rules);

#endif							/* ORACLE_H */
