/*
 * ac_core.h
 *		The automaton core: build, read and match packed Aho-Corasick images.
 *
 * The core is plain C11.  It knows nothing of PostgreSQL: memory, time-outs,
 * checksums and digests come from its caller through an AcHost.  It keeps no
 * global state besides the table of CPU features, consults no locale, does
 * no I/O and never recurses over user data.
 *
 *	rules (AcRules) --acore_build()--> image --acore_open()--> AcAutomaton
 *																|
 *					 body --acore_scan_feed()--> AcScanner --acore_scan_next()--> AcMatch
 *
 * An image is one flat run of bytes, free of pointers, readable in place at
 * any alignment (ac_image.h draws it).  An AcAutomaton is a handle on an image;
 * acore_accelerate() adds tables to it that only make matching faster.
 *
 * Functions of the core begin with acore_, since the names of the SQL functions
 * belong to the glue.
 *
 * All offsets and lengths are in bytes and 0-based unless a name says "char".
 */
#ifndef AC_CORE_H
#define AC_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* What a core function can answer.  Errors are negative. */
typedef enum AcStatus
{
	AC_OK = 0,
	AC_MATCH = 1,				/* acore_scan_next: a match was stored */
	AC_MORE = 2,				/* acore_scan_next: feed the next chunk */
	AC_DONE = 3,				/* acore_scan_next: the body is finished */
	AC_E_MEMORY = -1,			/* the host's allocate() returned NULL */
	AC_E_INTERRUPTED = -2,		/* the host's interrupted() returned true */
	AC_E_TOO_LARGE = -3,		/* the image would pass the size limit */
	AC_E_FORMAT = -4,			/* an image of an unknown format or byte order */
	AC_E_DAMAGED = -5			/* an image that fails verification */
} AcStatus;

/* One run of bytes. */
typedef struct AcSpan
{
	const void *data;
	size_t		size;
} AcSpan;

/*
 * What the core asks of its surroundings.  Every hook gets "context" first.
 * A hook may leave by longjmp if all memory it handed out is reclaimed by
 * other means; the core then leaves nothing else behind.
 */
typedef struct AcHost
{
	void	   *context;
	/* "size" bytes aligned for any type, or NULL; size is never 0 */
	void	   *(*allocate) (void *context, size_t size);
	/* gives back what allocate() returned; "size" is what was asked for */
	void		(*release) (void *context, void *pointer, size_t size);
	/* polled about every 64 kB of work; true ends it with AC_E_INTERRUPTED */
	bool		(*interrupted) (void *context);
	/* CRC-32C (Castagnoli) of the bytes; like the next one it may be given a
	 * gigabyte, and may leave by longjmp in between */
	uint32_t	(*crc32c) (void *context, const void *data, size_t size);
	/* SHA-256 of the concatenated parts */
	void		(*sha256) (void *context, const AcSpan *parts, int nparts,
						   uint8_t digest[32]);
} AcHost;

/*
 * Options of a rule set.  They decide what matches, so they are part of the
 * image and of its fingerprint.  FOLD_* and WORDS_*: at most one of each.
 */
enum
{
	AC_BYTEA = 1 << 0,			/* patterns are bytes, not text */
	AC_FOLD_ASCII = 1 << 1,		/* ignore_case: [A-Z] equal [a-z] */
	AC_FOLD_UNICODE = 1 << 2,	/* ignore_case: Unicode simple folding, UTF-8 */
	AC_WORDS_ASCII = 1 << 3,	/* whole_words: [A-Za-z0-9_] */
	AC_WORDS_UNICODE = 1 << 4,	/* whole_words: Unicode word characters, UTF-8 */
	AC_FOLD_MASK = AC_FOLD_ASCII | AC_FOLD_UNICODE,
	AC_WORDS_MASK = AC_WORDS_ASCII | AC_WORDS_UNICODE,
	AC_OPTIONS_MASK = (1 << 5) - 1
};

/*
 * A rule set in the order it was given: entry i is the pattern
 * pool[offsets[i] .. offsets[i + 1]) under ids[i].  offsets[0] is 0.
 */
typedef struct AcRules
{
	uint32_t	count;
	uint32_t	options;
	const uint8_t *pool;
	const uint64_t *offsets;	/* count + 1 of them */
	const int64_t *ids;			/* NULL: 1 .. count */
} AcRules;

/* What the header of an image tells. */
typedef struct AcInfo
{
	uint32_t	format;
	uint32_t	options;
	uint32_t	patterns;		/* entries, duplicates counted */
	uint32_t	states;			/* nodes of the trie, the root included */
	uint32_t	min_len;		/* shortest pattern as given, bytes; 0 if none */
	uint32_t	max_len;		/* longest pattern as given, bytes */
	uint64_t	pattern_bytes;	/* sum of the pattern lengths as given */
	uint64_t	image_bytes;
	uint8_t		fingerprint[16];
} AcInfo;

/* ---------- building ---------- */

/*
 * Compiles rules into a new image.
 *
 * *block receives "prefix" uninitialised bytes for the caller's own header
 * followed by the image of *image_size bytes; the caller releases it (size:
 * prefix + image_size).  The image depends on nothing but the rules: equal
 * rules give equal bytes.  No pattern may be empty.  Patterns that
 * AC_FOLD_UNICODE or AC_WORDS_UNICODE apply to must be valid UTF-8.
 *
 * Time: linear in the bytes of the patterns, plus sorting them.
 * Errors: AC_E_MEMORY, AC_E_INTERRUPTED, AC_E_TOO_LARGE when prefix +
 * image_size would pass max_size.  On error *block is NULL and all memory
 * has been released.
 */
AcStatus	acore_build(const AcRules *rules, const AcHost *host, size_t prefix,
					 size_t max_size, uint8_t **block, size_t *image_size);

/* ---------- images ---------- */

/* Bytes of an image that acore_peek needs. */
#define AC_HEADER_SIZE	64

/*
 * Reads the header of an image of which the first "available" bytes are
 * given.  Errors: AC_E_FORMAT (info->format is set), AC_E_DAMAGED.
 */
AcStatus	acore_peek(const void *image, size_t available, AcInfo *info);

/* Sections of an image; opaque outside of the core (ac_image.h). */
typedef struct AcImage AcImage;

/* Tables derived by acore_accelerate; opaque. */
typedef struct AcEngine AcEngine;

/* A handle on an image.  The image must stay where it is while it is used. */
typedef struct AcAutomaton
{
	AcInfo		info;
	AcImage    *image;
	AcEngine   *engine;			/* NULL until accelerated */
	const AcHost *host;
} AcAutomaton;

/*
 * Proves an image safe to match with, and that its checksum is right.
 * Time: linear in the image; workspace from the host is released again.
 * Errors: AC_E_FORMAT, AC_E_DAMAGED, AC_E_MEMORY, AC_E_INTERRUPTED.
 */
AcStatus	acore_verify(const void *image, size_t size, const AcHost *host);

/* As acore_verify, but takes the checksum for granted (tests, fuzzers). */
AcStatus	acore_verify_structure(const void *image, size_t size,
								const AcHost *host);

/* Writes the right checksum into an image (tests, fuzzers). */
void		acore_seal(void *image, size_t size, const AcHost *host);

/*
 * Makes a handle on an image that acore_build made or acore_verify accepted;
 * anything else is undefined behaviour.  Allocates one small block, whatever
 * the size of the image.
 * Errors: AC_E_MEMORY, AC_E_INTERRUPTED, AC_E_FORMAT, AC_E_DAMAGED.
 */
AcStatus	acore_open(const void *image, size_t size, const AcHost *host,
					AcAutomaton *automaton);

/*
 * Derives the tables that make matching fast.  Time and memory: linear in
 * the number of states, up to 40 bytes each on the way and some 10 to 35 that
 * stay; beyond 2^25 states it derives nothing.  Errors: AC_E_MEMORY,
 * AC_E_INTERRUPTED; the handle is as usable afterwards as it was before.
 */
AcStatus	acore_accelerate(AcAutomaton *automaton);

/*
 * After how many bytes of text acore_accelerate has paid for itself; 0 when
 * there is nothing to derive.
 */
size_t		acore_accelerate_after(const AcAutomaton *automaton);

/* Releases what acore_open and acore_accelerate allocated. */
void		acore_close(AcAutomaton *automaton);

/*
 * A pattern of the trie is a "key"; entries that fold to the same bytes
 * share one.  Keys are numbered from 0 in byte order.  The entries of a key
 * are a run of "slots" ordered by (id, given order).
 */
uint32_t	acore_key_slots(const AcAutomaton *automaton, uint32_t key,
						 uint32_t *first_slot);

/* The entry (0-based position in the given order) in a slot. */
uint32_t	acore_slot_entry(const AcAutomaton *automaton, uint32_t slot);

/* The entry of a key that was given first. */
uint32_t	acore_key_first(const AcAutomaton *automaton, uint32_t key);

/* The id of an entry. */
int64_t		acore_entry_id(const AcAutomaton *automaton, uint32_t entry);

/*
 * The spelling of an entry where it differs from the (folded) bytes of its
 * key: true and *spelling, which points into the image; else false.
 */
bool		acore_slot_spelling(const AcAutomaton *automaton, uint32_t slot,
							 AcSpan *spelling);

/*
 * Reads all rules back, in the order given.  The three arrays of *rules are
 * one block from the host at *block of *block_size bytes.
 * Errors: AC_E_MEMORY, AC_E_INTERRUPTED.
 */
AcStatus	acore_extract(const AcAutomaton *automaton, AcRules *rules,
					   void **block, size_t *block_size);

/* ---------- matching ---------- */

typedef enum AcKind
{
	AC_ALL,						/* every occurrence, overlaps included */
	AC_LEFTMOST_LONGEST,		/* non-overlapping */
	AC_LEFTMOST_FIRST			/* non-overlapping, first given wins */
} AcKind;

/* How a body is divided into characters. */
typedef enum AcEncoding
{
	AC_ENC_BYTES,				/* every byte is one character */
	AC_ENC_UTF8,
	AC_ENC_MULTIBYTE			/* by the char_len hook; bytes below 0x80 are
								 * characters of their own */
} AcEncoding;

/*
 * One match: a span and the key that stands there.  Under AC_ALL matches
 * come ordered by end, then longest first; else by start.
 */
typedef struct AcMatch
{
	size_t		start;			/* offset of the first byte in the body */
	size_t		end;			/* offset behind the last byte */
	size_t		char_start;		/* the same in characters, if wanted */
	size_t		char_len;		/* length in characters, if wanted */
	uint32_t	key;
} AcMatch;

/*
 * A scan over one body after another.  Allocated once and reused: scanning
 * allocates nothing, except when a leftmost kind has to look further ahead, or
 * a fold moves more offsets, than ever before.
 */
typedef struct AcScanner AcScanner;

/*
 * Makes a scanner.  char_len is only called for AC_ENC_MULTIBYTE and
 * answers the length of the character at "text" in bytes, at least 1.
 * want_chars: fill char_start and char_len.  Errors: AC_E_MEMORY.
 */
AcStatus	acore_scanner_create(const AcAutomaton *automaton, AcKind kind,
							  AcEncoding encoding, bool want_chars,
							  int (*char_len) (const uint8_t *text),
							  AcScanner **scanner);
void		acore_scanner_free(AcScanner *scanner);

/* Starts a new body. */
void		acore_scan_start(AcScanner *scanner);

/*
 * Gives the scanner the next chunk of the body, of less than 2^31 bytes; "last"
 * ends the body.  The chunk must stay readable until acore_scan_next answers
 * AC_MORE or AC_DONE.  acore_scan_history() bytes before the chunk (as far as
 * the body has them) must be readable in front of it too.
 */
void		acore_scan_feed(AcScanner *scanner, const uint8_t *chunk, size_t size,
						 bool last);

/* How many bytes in front of a chunk must stay readable; 0 without
 * whole_words. */
size_t		acore_scan_history(const AcScanner *scanner);

/*
 * Answers AC_MATCH and the next match, AC_MORE when it needs another
 * chunk, AC_DONE at the end of the body.  Errors: AC_E_MEMORY,
 * AC_E_INTERRUPTED.  Time over the whole body: linear in the body plus the
 * occurrences of the keys.
 */
AcStatus	acore_scan_next(AcScanner *scanner, AcMatch *match);

/* ---------- characters ---------- */

/* Number of UTF-8 characters that start in the bytes. */
size_t		acore_utf8_chars(const uint8_t *text, size_t size);

/*
 * Folds size bytes of text by the FOLD option into out, which has room for
 * AC_FOLD_GROWTH * size bytes; answers the bytes written.
 */
#define AC_FOLD_GROWTH 2
size_t		acore_fold(uint32_t options, const uint8_t *text, size_t size,
					uint8_t *out);

/*
 * Whether a code point folds to another one (Unicode 15.0, CaseFolding
 * statuses C and S): the folded code point, or the code point itself.
 */
uint32_t	acore_fold_char(uint32_t code_point);

/* Whether a code point is a word character by the contract of whole_words. */
bool		acore_word_char(uint32_t code_point);

#pragma GCC visibility pop

#endif							/* AC_CORE_H */
