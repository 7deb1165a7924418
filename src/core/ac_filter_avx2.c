/*
 * ac_filter_avx2.c
 *		The filter's twin for processors with AVX2.
 *
 * It answers what acore_filter_next_scalar() answers, or places in between that
 * lead no further: eight windows are looked up in the bitmap at once.
 *
 * For a few windows there is no need of the bitmap.  Sixteen entries of a table
 * can be looked up for 32 bytes at once by a shuffle, which is enough for the
 * half of a byte.  So each of the first bytes of a window is split in nibbles,
 * each nibble looked up for the groups of windows that have it there, and the
 * answers are intersected (the idea is that of Teddy in Hyperscan, by Geoffrey
 * Langdale).  That looks at every place of the text.
 */
#include "ac_cpu.h"
#include "ac_filter_look.h"

#ifdef AC_HAVE_AVX2

#include <immintrin.h>

/* The stride of the functions below is a constant where they are called. */
#define FOR_AVX2 \
	static inline __attribute__((always_inline, target("avx2")))

/* Bytes that eight windows span. */
#define SPAN(stride)	(7 * (stride) + AC_WINDOW)

/* Eight windows, loading no byte outside of their span. */
FOR_AVX2 __m256i
load_windows(const uint8_t *at, uint32_t stride)
{
	__m128i		low;
	__m128i		high;

	if (stride == 4)
		return _mm256_loadu_si256((const __m256i *) at);
	if (stride == 2)
	{
		low = _mm_loadu_si128((const __m128i *) at);
		high = _mm_loadu_si128((const __m128i *) (at + 2));
		return _mm256_shuffle_epi8(_mm256_set_m128i(high, low),
								   _mm256_setr_epi8(0, 1, 2, 3, 2, 3, 4, 5,
													4, 5, 6, 7, 6, 7, 8, 9,
													6, 7, 8, 9, 8, 9, 10, 11,
													10, 11, 12, 13,
													12, 13, 14, 15));
	}
	low = _mm_loadl_epi64((const __m128i *) at);
	high = _mm_loadl_epi64((const __m128i *) (at + 3));
	return _mm256_shuffle_epi8(_mm256_set_m128i(high, low),
							   _mm256_setr_epi8(0, 1, 2, 3, 1, 2, 3, 4,
												2, 3, 4, 5, 3, 4, 5, 6,
												1, 2, 3, 4, 2, 3, 4, 5,
												3, 4, 5, 6, 4, 5, 6, 7));
}

/* Which of eight windows are in the bitmap: bit i is the one at i * stride. */
FOR_AVX2 uint32_t
test_windows(const AcFilter *f, const uint8_t *at, uint32_t stride)
{
	__m256i		factor = _mm256_set1_epi32((int) HASH_FACTOR);
	__m128i		shift = _mm_cvtsi32_si128((int) (32 - f->bitmap_bits));
	__m256i		hash = _mm256_mullo_epi32(load_windows(at, stride), factor);
	__m256i		bits = _mm256_srl_epi32(hash, shift);
	__m256i		words = _mm256_i32gather_epi32((const int *) f->bitmap,
											   _mm256_srli_epi32(bits, 5), 4);
	/* moves the bit asked for into the sign; ~bit % 32 is 31 - bit % 32 */
	__m256i		counts = _mm256_andnot_si256(bits, _mm256_set1_epi32(31));
	__m256i		found = _mm256_sllv_epi32(words, counts);

	return (uint32_t) _mm256_movemask_ps(_mm256_castsi256_ps(found));
}

/* The first of the windows in mask that has a witness, or "to". */
static size_t
first_witnessed(const AcFilter *f, const uint8_t *text, size_t from,
				uint32_t mask, size_t to, uint32_t *asked)
{
	for (; mask != 0; mask &= mask - 1)
	{
		size_t		place = from + (size_t) __builtin_ctz(mask) * f->stride;

		if (has_witness(f, text, place, to, asked))
			return place;
	}
	return to;
}

FOR_AVX2 __m256i
load_table(const uint8_t *table)
{
	return _mm256_broadcastsi128_si256(
		_mm_loadu_si128((const __m128i *) table));
}

/* Two blocks of eight windows at a time, then the last eight of the text. */
FOR_AVX2 size_t
next_by_blocks(const AcFilter *f, const uint8_t *text, size_t from, size_t to,
			   uint32_t *asked, uint32_t stride)
{
	size_t		block = 8 * (size_t) stride;
	uint32_t	mask;
	size_t		place;

	if (to - from < SPAN(stride))
		return acore_filter_next_scalar(f, text, from, to, asked);
	for (; from + block + SPAN(stride) <= to; from += 2 * block)
	{
		mask = test_windows(f, text + from, stride) |
			test_windows(f, text + from + block, stride) << 8;
		if (mask == 0)
			continue;
		place = first_witnessed(f, text, from, mask, to, asked);
		if (place != to)
			return place;
	}
	if (from + SPAN(stride) <= to)
	{
		mask = test_windows(f, text + from, stride);
		place = first_witnessed(f, text, from, mask, to, asked);
		if (place != to)
			return place;
		from += block;
	}
	if (from + AC_WINDOW <= to)
	{
		/* they may stand out of step; the first that counts is less than a
		 * stride in front of "from" */
		size_t		last = to - SPAN(stride);

		mask = test_windows(f, text + last, stride) &
			(0xff << (from - last) / stride);
		place = first_witnessed(f, text, last, mask, to, asked);
		if (place != to)
			return place;
		from = to - AC_WINDOW + 1;
	}
	/* a short window may be left */
	if (from + f->least > to)
		return to;
	return acore_filter_next_scalar(f, text, from, to, asked);
}

/* Which of 32 places may begin a window, told by the nibbles of its first
 * bytes: some group must have all of them. */
FOR_AVX2 uint32_t
test_nibbles(const AcFilter *f, const uint8_t *at)
{
	__m256i		low_half = _mm256_set1_epi8(0x0f);
	__m256i		groups = _mm256_set1_epi8(-1);
	int			i;

	for (i = 0; i < AC_NIBBLE_BYTES; i++)
	{
		__m256i		bytes = _mm256_loadu_si256((const __m256i *) (at + i));
		__m256i		low = _mm256_and_si256(bytes, low_half);
		__m256i		high = _mm256_and_si256(_mm256_srli_epi16(bytes, 4),
											low_half);

		low = _mm256_shuffle_epi8(load_table(f->nibbles[i][0]), low);
		high = _mm256_shuffle_epi8(load_table(f->nibbles[i][1]), high);
		groups = _mm256_and_si256(groups, _mm256_and_si256(low, high));
	}
	return ~(uint32_t) _mm256_movemask_epi8(
		_mm256_cmpeq_epi8(groups, _mm256_setzero_si256()));
}

#define NIBBLE_SPAN		(32 + AC_NIBBLE_BYTES - 1)

/* Texts shorter than a block, from a copy. */
FOR_AVX2 size_t
next_in_short(const AcFilter *f, const uint8_t *text, size_t from, size_t to,
			  uint32_t *asked)
{
	uint8_t		copy[NIBBLE_SPAN] = {0};

	if (from + f->least > to)
		return to;
	memcpy(copy, text + from, to - from);
	return first_witnessed(f, text, from, test_nibbles(f, copy) &
						   ((UINT32_C(1) << (to - from - f->least)) * 2 - 1),
						   to, asked);
}

/* A block of 32 places at a time, then the last 32 of the text. */
FOR_AVX2 size_t
next_by_nibbles(const AcFilter *f, const uint8_t *text, size_t from,
				size_t to, uint32_t *asked)
{
	size_t		last = to - NIBBLE_SPAN;
	uint32_t	mask;
	size_t		place;

	if (to - from < NIBBLE_SPAN)
		return next_in_short(f, text, from, to, asked);
	for (; from <= last; from += 32)
	{
		mask = test_nibbles(f, text + from);
		if (mask == 0)
			continue;
		place = first_witnessed(f, text, from, mask, to, asked);
		if (place != to)
			return place;
	}
	if (from + f->least > to)
		return to;
	/* from "from" on, and no further than windows fit */
	mask = test_nibbles(f, text + last) & (UINT32_MAX << (from - last)) &
		(UINT32_MAX >> (f->least - AC_NIBBLE_BYTES));
	return first_witnessed(f, text, last, mask, to, asked);
}

__attribute__((target("avx2")))
size_t
acore_filter_next_avx2(const AcFilter *f, const uint8_t *text,
					   size_t from, size_t to, uint32_t *asked)
{
	if (f->few)
		return next_by_nibbles(f, text, from, to, asked);
	if (f->stride == 4)
		return next_by_blocks(f, text, from, to, asked, 4);
	if (f->stride == 2)
		return next_by_blocks(f, text, from, to, asked, 2);
	return next_by_blocks(f, text, from, to, asked, 1);
}

#else

size_t
acore_filter_next_avx2(const AcFilter *f, const uint8_t *text,
					   size_t from, size_t to, uint32_t *asked)
{
	return acore_filter_next_scalar(f, text, from, to, asked);
}

#endif							/* AC_HAVE_AVX2 */
