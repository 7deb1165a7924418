/*
 * subject.h
 *		What is tested: a rule set built, opened twice (in place and
 *		accelerated) and compared with the oracle.
 */
#ifndef SUBJECT_H
#define SUBJECT_H

#include "ac_core.h"
#include "host.h"
#include "oracle.h"
#include "ruleset.h"

/* The limit of an image in tests that do not test the limit. */
#define SUBJECT_LIMIT ((size_t) 1 << 30)

enum
{
	PLAIN,						/* the image in place */
	FAST,						/* after acore_accelerate */
	TWINS
};

typedef struct MatchList
{
	AcMatch    *items;
	size_t		count;
	size_t		room;
} MatchList;

typedef struct Subject
{
	TestHost	host;
	const AcRules *rules;
	uint8_t    *block;
	size_t		prefix;			/* the image is at block + prefix */
	size_t		image_size;
	AcAutomaton automaton[TWINS];
	AcEncoding	encoding;
	bool		want_chars;
	int			(*char_len) (const uint8_t *text);
	AcScanner  *scanner[TWINS][3];	/* by kind; made when first used */
	MatchList	found;
	OracleList	expected;
} Subject;

/*
 * Builds and opens.  prefix moves the image to another alignment.  The
 * encoding is UTF-8 for Unicode options, else bytes, and can be changed until
 * the first scan.
 */
extern void subject_open(Subject *subject, const AcRules *rules,
						 size_t prefix);

/* Frees all; false if the core broke a promise to the host or leaked. */
extern bool subject_close(Subject *subject);

extern AcScanner *subject_scanner(Subject *subject, int twin, AcKind kind);

/*
 * Scans one body given in pieces that end at the cuts; each piece is a
 * block of its own, freed as soon as it was left, with nothing in front of it
 * but the history that the scanner asked for.
 */
extern AcStatus scan_pieces(AcScanner *scanner, const uint8_t *body,
							size_t size, const size_t *cuts, size_t ncuts,
							MatchList *found);

/* Scans one body where it stands. */
extern AcStatus scan_whole(AcScanner *scanner, const uint8_t *body,
						   size_t size, MatchList *found);

/*
 * Compares both twins with the oracle in one body: whole, in front of and
 * behind an unreadable page, and in random pieces.  Prints what differs.
 */
extern bool subject_agrees(Subject *subject, Rng *rng, AcKind kind,
						   const uint8_t *body, size_t size);

/* The same for every way to cut the body in two (or in bytes). */
extern bool subject_agrees_cut(Subject *subject, AcKind kind,
							   const uint8_t *body, size_t size);

/* Only the whole body where it stands: what exhaustive tests can afford. */
extern bool subject_agrees_quick(Subject *subject, AcKind kind,
								 const uint8_t *body, size_t size);

/* Prints a rule set and a body as they are written in C. */
extern void print_case(const AcRules *rules, const uint8_t *body, size_t size);

extern const char *kind_name(AcKind kind);

/* Character lengths as in EUC: 1, 2, or 3 bytes after 0x8F. */
extern int	euc_char_len(const uint8_t *text);

#endif							/* SUBJECT_H */
