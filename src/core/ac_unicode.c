/*
 * ac_unicode.c
 *		Characters of the core: folding, word boundaries, counting.
 *
 * Case is ignored by folding both sides, patterns when they are built and the
 * body while it is scanned, with Unicode's simple case folding: one character
 * becomes exactly one, so that positions counted in characters never move.
 * Their bytes may: KELVIN SIGN (E2 84 AA) folds to "k", and U+023A (C8 BA) to
 * U+2C65 (E2 B1 A5).  Few of the 1,454 foldings do so (34), and text is mostly
 * ASCII.  Hence the two primitives of the scanner: acore_fold_run() goes over
 * everything that keeps its length, 16 bytes at a time as long as they are
 * ASCII, and leaves the rare others to acore_fold_one().
 *
 *		"10 \u212A \u00C4"  31 30 20 E2 84 AA 20 C3 84
 *		acore_fold_run      31 30 20                     3 bytes
 *		acore_fold_one      6B                           3 bytes to 1
 *		acore_fold_run      20 C3 A4                     3 bytes
 *
 * Bytes that are not valid UTF-8 (overlong forms and surrogates too) stand for
 * themselves one by one, never fold and are no word characters.  What is
 * valid depends on nothing but the bytes of the character, so that a text
 * folds to the same whatever its chunks.
 *
 * The tables are those of Unicode 15.0 and belong to format 1 of the image.  A
 * newer Unicode needs a new format with tables of its own beside these, since
 * stored images hold folded patterns.
 *
 * Vectors are those of the compiler (GCC and clang lower them to whatever the
 * machine has); there is nothing to choose at load.
 */
#include "ac_unicode.h"

#include <string.h>

#include "ac_unicode_tables.h"

#define VECTOR	16
#define BLOCK	(4 * VECTOR)

typedef uint8_t Bytes __attribute__((vector_size(VECTOR)));
typedef int8_t SignedBytes __attribute__((vector_size(VECTOR)));
typedef uint64_t Words64 __attribute__((vector_size(VECTOR)));

#define HIGH_BITS	UINT64_C(0x8080808080808080)

/* What decode() answers besides a length. */
#define INVALID		0
#define INCOMPLETE	(-1)

static inline bool
is_continuation(uint8_t byte)
{
	return (byte & 0xC0) == 0x80;
}

static inline uint8_t
fold_ascii(uint8_t byte)
{
	return byte + ((uint8_t) (byte - 'A') < 26 ? 'a' - 'A' : 0);
}

static inline bool
is_ascii_word(uint8_t byte)
{
	return (uint8_t) (fold_ascii(byte) - 'a') < 26 ||
		(uint8_t) (byte - '0') < 10 || byte == '_';
}

/* ---------- tables ---------- */

/* The folded form of a code point below AC_FOLD15_LIMIT. */
static inline uint32_t
fold_code(uint32_t code_point)
{
	uint32_t	block;
	uint32_t	leaf;
	uint32_t	delta;

	block = code_point >> AC_FOLD15_LEAF_BITS;
	leaf = ac_fold15_mid[(uint32_t) ac_fold15_top[block >> AC_FOLD15_MID_BITS]
						 << AC_FOLD15_MID_BITS |
						 (block & ((1u << AC_FOLD15_MID_BITS) - 1))];
	delta = ac_fold15_delta[ac_fold15_leaf[leaf << AC_FOLD15_LEAF_BITS |
										   (code_point & ((1u << AC_FOLD15_LEAF_BITS) - 1))]];
	return (code_point & ~UINT32_C(0xFFFF)) | ((code_point + delta) & 0xFFFF);
}

uint32_t
acore_fold_char(uint32_t code_point)
{
	return code_point < AC_FOLD15_LIMIT ? fold_code(code_point) : code_point;
}

bool
acore_word_char(uint32_t code_point)
{
	uint32_t	block;
	uint32_t	leaf;

	if (code_point >= AC_WORD15_LIMIT)
		return code_point >= AC_WORD15_FAR_FIRST &&
			code_point <= AC_WORD15_FAR_LAST;
	block = code_point >> AC_WORD15_LEAF_BITS;
	leaf = ac_word15_mid[(uint32_t) ac_word15_top[block >> AC_WORD15_MID_BITS]
						 << AC_WORD15_MID_BITS |
						 (block & ((1u << AC_WORD15_MID_BITS) - 1))];
	return ac_word15_leaf[leaf] >> (code_point & ((1u << AC_WORD15_LEAF_BITS) - 1)) & 1;
}

/* ---------- UTF-8 ---------- */

/*
 * Decodes the character at text, of which at least one byte can be read: its
 * length, or INVALID, or INCOMPLETE if the text ends before it is either.
 */
static inline int
decode(const uint8_t *text, size_t size, uint32_t *code_point)
{
	uint32_t	code = text[0];
	int			length;
	int			i;

	if (code < 0x80)
	{
		*code_point = code;
		return 1;
	}
	if (code < 0xC2 || code > 0xF4)
		return INVALID;
	if (code < 0xE0 && size >= 2 && is_continuation(text[1]))
	{
		*code_point = (code & 0x1F) << 6 | (text[1] & 0x3F);
		return 2;
	}
	length = code < 0xE0 ? 2 : code < 0xF0 ? 3 : 4;
	code &= 0x7Fu >> length;
	for (i = 1; i < length; i++)
	{
		if ((size_t) i == size)
			return INCOMPLETE;
		if (!is_continuation(text[i]))
			return INVALID;
		code = code << 6 | (text[i] & 0x3F);
	}
	if (code < (length == 4 ? 0x10000 : 0x800) || code > 0x10FFFF ||
		(code >= 0xD800 && code <= 0xDFFF))
		return INVALID;
	*code_point = code;
	return length;
}

static inline int
encoded_length(uint32_t code_point)
{
	return code_point < 0x80 ? 1 : code_point < 0x800 ? 2 :
		code_point < 0x10000 ? 3 : 4;
}

static inline void
encode(uint32_t code_point, int length, uint8_t *out)
{
	switch (length)
	{
		case 1:
			out[0] = code_point;
			break;
		case 2:
			out[0] = 0xC0 | code_point >> 6;
			out[1] = 0x80 | (code_point & 0x3F);
			break;
		case 3:
			out[0] = 0xE0 | code_point >> 12;
			out[1] = 0x80 | (code_point >> 6 & 0x3F);
			out[2] = 0x80 | (code_point & 0x3F);
			break;
		default:
			out[0] = 0xF0 | code_point >> 18;
			out[1] = 0x80 | (code_point >> 12 & 0x3F);
			out[2] = 0x80 | (code_point >> 6 & 0x3F);
			out[3] = 0x80 | (code_point & 0x3F);
	}
}

size_t
acore_utf8_missing(const uint8_t *text, size_t size)
{
	uint32_t	code_point;

	if (size == 0 || decode(text, size, &code_point) != INCOMPLETE)
		return 0;
	return (text[0] < 0xE0 ? 2 : text[0] < 0xF0 ? 3 : 4) - size;
}

/* Sum of the bytes of a vector. */
static inline size_t
sum_bytes(Bytes bytes)
{
	Words64		words = (Words64) bytes;
	Words64		pairs;

	pairs = (words & UINT64_C(0x00FF00FF00FF00FF)) +
		(words >> 8 & UINT64_C(0x00FF00FF00FF00FF));
	return (pairs[0] + pairs[1]) * UINT64_C(0x0001000100010001) >> 48;
}

/*
 * Characters begin wherever a byte is no continuation, which as signed bytes
 * are all those above 0xBF: a comparison gives -1 for each, and a lane can
 * add up 255 of them.
 */
size_t
acore_utf8_chars(const uint8_t *text, size_t size)
{
	size_t		chars = 0;
	size_t		i = 0;

	while (size - i >= VECTOR)
	{
		size_t		vectors = (size - i) / VECTOR;
		size_t		end = i + (vectors < 255 ? vectors : 255) * VECTOR;
		Bytes		starts = {0};

		for (; i < end; i += VECTOR)
		{
			SignedBytes bytes;

			memcpy(&bytes, text + i, VECTOR);
			starts -= (Bytes) (bytes > (int8_t) 0xBF);
		}
		chars += sum_bytes(starts);
	}
	for (; i < size; i++)
		chars += !is_continuation(text[i]);
	return chars;
}

/* ---------- folding ---------- */

/*
 * Folds the ASCII letters of one vector.  Adding 63 takes 'A' .. 'Z' to the
 * smallest signed bytes there are (-128 .. -103), and nothing else.
 */
static inline void
fold_vector(const uint8_t *text, uint8_t *out)
{
	Bytes		bytes;
	Bytes		upper;

	memcpy(&bytes, text, VECTOR);
	upper = (Bytes) ((SignedBytes) (bytes + 63) < (int8_t) -102);
	bytes |= upper & 0x20;
	memcpy(out, &bytes, VECTOR);
}

static void
fold_ascii_run(const uint8_t *text, size_t size, uint8_t *out)
{
	size_t		i;

	for (i = 0; size - i >= VECTOR; i += VECTOR)
		fold_vector(text + i, out + i);
	if (i > 0 && i < size)
	{
		/* once more over bytes that are done, instead of one by one */
		fold_vector(text + size - VECTOR, out + size - VECTOR);
		return;
	}
	for (; i < size; i++)
		out[i] = fold_ascii(text[i]);
}

/* How many bytes at text are ASCII, of the first VECTOR. */
static inline size_t
leading_ascii(const uint8_t *text)
{
	uint64_t	half[2];
	uint64_t	high;
	size_t		skipped = 0;

	memcpy(half, text, VECTOR);
	if (((half[0] | half[1]) & HIGH_BITS) == 0)
		return VECTOR;
	high = half[0] & HIGH_BITS;
	if (high == 0)
	{
		high = half[1] & HIGH_BITS;
		skipped = sizeof(high);
	}
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return skipped + __builtin_ctzll(high) / 8;
#else
	return skipped + __builtin_clzll(high) / 8;
#endif
}

/* Folds BLOCK bytes, and answers whether all were ASCII. */
static inline bool
fold_ascii_block(const uint8_t *text, uint8_t *out)
{
	Bytes		all = {0};
	Words64		words;
	int			i;

#if defined(__GNUC__) && !defined(__clang__)	/* clang unrolls without it */
#pragma GCC unroll 4
#endif
	for (i = 0; i < BLOCK; i += VECTOR)
	{
		Bytes		bytes;

		memcpy(&bytes, text + i, VECTOR);
		all |= bytes;
		fold_vector(text + i, out + i);
	}
	words = (Words64) all;
	return ((words[0] | words[1]) & HIGH_BITS) == 0;
}

/*
 * Folds ASCII until something else comes: the bytes done.  What is written
 * beyond them is overwritten by what comes next.
 */
static size_t
fold_ascii_prefix(const uint8_t *text, size_t size, uint8_t *out)
{
	size_t		i = 0;

	while (size - i >= VECTOR)
	{
		size_t		step = leading_ascii(text + i);

		fold_vector(text + i, out + i);
		i += step;
		if (step < VECTOR)
			return i;
		while (size - i >= BLOCK && fold_ascii_block(text + i, out + i))
			i += BLOCK;
	}
	if (i > 0 && i < size)
	{
		/* once more over bytes known to be ASCII, instead of one by one */
		i = size - VECTOR;
		fold_vector(text + i, out + i);
		return i + leading_ascii(text + i);
	}
	for (; i < size && text[i] < 0x80; i++)
		out[i] = fold_ascii(text[i]);
	return i;
}

/*
 * Whether a byte beyond ASCII can begin a character that folds.  Others, and
 * the continuation bytes behind them, stand for themselves, valid or not.
 */
static inline bool
may_fold(uint8_t byte)
{
	return byte >= 0xC0 && (AC_FOLD15_LEADS >> (byte - 0xC0) & 1) != 0;
}

/*
 * Folds characters of two bytes that stay such, until something else comes:
 * the bytes done.
 */
static size_t
fold_two_byte_prefix(const uint8_t *text, size_t size, uint8_t *out)
{
	size_t		i = 0;

	while (size - i >= 2 && (uint8_t) (text[i] - 0xC2) < 0xE0 - 0xC2 &&
		   is_continuation(text[i + 1]))
	{
		uint32_t	folded = fold_code((text[i] & 0x1Fu) << 6 |
									   (text[i + 1] & 0x3F));

		if (folded < 0x80 || folded >= 0x800)
			break;
		encode(folded, 2, out + i);
		i += 2;
	}
	return i;
}

/*
 * Folds the character beyond ASCII at text if it keeps its length, or copies
 * bytes that do not fold: the bytes done, 0 in front of what must stop
 * acore_fold_run().
 */
static size_t
fold_same_length(const uint8_t *text, size_t size, uint8_t *out)
{
	uint32_t	code;
	uint32_t	folded;
	size_t		i;
	int			length;

	for (i = 0; i < size && text[i] >= 0x80 && !may_fold(text[i]); i++)
		out[i] = text[i];
	if (i > 0)
		return i;
	length = decode(text, size, &code);
	if (length == INCOMPLETE)
		return 0;
	if (length == INVALID)
	{
		out[0] = text[0];
		return 1;
	}
	folded = acore_fold_char(code);
	if (encoded_length(folded) != length)
		return 0;
	encode(folded, length, out);
	return length;
}

static size_t
fold_unicode_run(const uint8_t *text, size_t size, uint8_t *out)
{
	size_t		i = 0;

	while (i < size)
	{
		size_t		step;

		if (text[i] < 0x80)
			step = fold_ascii_prefix(text + i, size - i, out + i);
		else
		{
			step = fold_two_byte_prefix(text + i, size - i, out + i);
			if (step == 0)
				step = fold_same_length(text + i, size - i, out + i);
			if (step == 0)
				break;
		}
		i += step;
	}
	return i;
}

size_t
acore_fold_run(uint32_t options, const uint8_t *text, size_t size,
			   uint8_t *out)
{
	if (options & AC_FOLD_UNICODE)
		return fold_unicode_run(text, size, out);
	if (options & AC_FOLD_ASCII)
		fold_ascii_run(text, size, out);
	else if (size > 0)
		memcpy(out, text, size);
	return size;
}

size_t
acore_fold_one(uint32_t options, const uint8_t *text, size_t size, bool last,
			   uint8_t out[AC_CHAR_MAX], size_t *consumed)
{
	uint32_t	code_point;
	int			length = INVALID;

	if (options & AC_FOLD_UNICODE)
		length = decode(text, size, &code_point);
	if (length == INCOMPLETE && !last)
	{
		*consumed = 0;
		return 0;
	}
	if (length <= 0)
	{
		*consumed = 1;
		out[0] = options & AC_FOLD_ASCII ? fold_ascii(text[0]) : text[0];
		return 1;
	}
	*consumed = length;
	code_point = acore_fold_char(code_point);
	length = encoded_length(code_point);
	encode(code_point, length, out);
	return length;
}

size_t
acore_fold(uint32_t options, const uint8_t *text, size_t size, uint8_t *out)
{
	size_t		in = 0;
	size_t		written = 0;

	while (in < size)
	{
		size_t		consumed = acore_fold_run(options, text + in, size - in,
											  out + written);

		in += consumed;
		written += consumed;
		if (in < size)
		{
			uint8_t		character[AC_CHAR_MAX];
			size_t		length = acore_fold_one(options, text + in, size - in,
												true, character, &consumed);

			memcpy(out + written, character, length);
			in += consumed;
			written += length;
		}
	}
	return written;
}

/* ---------- word boundaries ---------- */

bool
acore_word_at(uint32_t options, const uint8_t *text, size_t pos, size_t size)
{
	uint32_t	code_point;

	if ((options & AC_WORDS_MASK) == 0 || pos >= size)
		return false;
	if (text[pos] < 0x80)
		return is_ascii_word(text[pos]);
	return (options & AC_WORDS_UNICODE) != 0 &&
		decode(text + pos, size - pos, &code_point) > 0 &&
		acore_word_char(code_point);
}

bool
acore_word_before(uint32_t options, const uint8_t *text, size_t low,
				  size_t pos)
{
	uint32_t	code_point = 0;
	size_t		start;

	if ((options & AC_WORDS_MASK) == 0 || pos <= low)
		return false;
	start = pos - 1;
	if (text[start] < 0x80)
		return is_ascii_word(text[start]);
	if ((options & AC_WORDS_UNICODE) == 0)
		return false;
	while (start > low && pos - start < AC_CHAR_MAX &&
		   is_continuation(text[start]))
		start--;
	return decode(text + start, pos - start, &code_point) ==
		(int) (pos - start) && acore_word_char(code_point);
}
