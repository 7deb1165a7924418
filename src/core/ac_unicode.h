/*
 * ac_unicode.h
 *		Characters of the core: folding, word boundaries, counting.
 *
 * What ac_core.h declares under "characters" is there for the glue too; the
 * functions below serve the builder and the scanner alone.
 */
#ifndef AC_UNICODE_H
#define AC_UNICODE_H

#include "ac_core.h"

#pragma GCC visibility push(hidden)

/* Bytes of the longest character, in and out of a fold. */
#define AC_CHAR_MAX		4

/*
 * Folds text into out for as long as every character keeps its length, and
 * answers how many bytes that were: the bytes behind them in out are garbage
 * up to "size", for which out must have room.  It stops in front of the first
 * character whose folded form has another length, and in front of one that
 * might fold but is cut off by the end of the text; bytes that are no UTF-8
 * are copied.  Without AC_FOLD_UNICODE nothing ever stops it.  out must not
 * overlap text.
 */
size_t		acore_fold_run(uint32_t options, const uint8_t *text, size_t size,
						   uint8_t *out);

/*
 * Folds the one character at text, of which "size" (at least 1) bytes can be
 * read, into out: answers its new length and sets *consumed to the old one.
 * Answers 0, consuming nothing, if the text ends inside the character; "last"
 * says that nothing follows, and the first byte is copied.
 */
size_t		acore_fold_one(uint32_t options, const uint8_t *text, size_t size,
						   bool last, uint8_t out[AC_CHAR_MAX],
						   size_t *consumed);

/*
 * How many bytes must follow to complete the UTF-8 character that begins at
 * text: 0 if it is complete, or can never be.
 */
size_t		acore_utf8_missing(const uint8_t *text, size_t size);

/*
 * Whether the character that ends in front of text[pos] is a word character
 * by the WORDS option; nothing in front of text[low] is read.
 * No character there (pos == low), or no valid one, is no word character.
 */
bool		acore_word_before(uint32_t options, const uint8_t *text, size_t low,
							  size_t pos);

/* The same for the character that begins at text[pos]; text[size] ends it. */
bool		acore_word_at(uint32_t options, const uint8_t *text, size_t pos,
						  size_t size);

#pragma GCC visibility pop

#endif							/* AC_UNICODE_H */
