/*
 * ac_filter.c
 *		Finding the places where an occurrence may stand, without stepping.
 *
 * The idea: look at four bytes ("window") at every s-th place of the text only
 * (s = "stride", 1, 2 or 4), and ask a bitmap by a hash of the window whether
 * any key has it there.  Of every key, s windows that follow each other are in
 * the bitmap; one of them falls on a place that is looked at, wherever the key
 * occurs and wherever the looking began.
 *
 *	stride 2, key "/etc/passwd", windows "pass" (offset 5) and "assw" (6)
 *	text	 G E T   / x / e t c / p a s s w d
 *	places	 ^   ^   ^   ^   ^   ^   ^   ^			"assw" is found
 *
 * Which windows of a key are taken decides how often a place is answered in
 * vain: the ones that ordinary text has least often (ac_common.c).
 *
 * A key of s + 2 bytes lacks one window.  It gets the one that begins a byte in
 * front of it, with all 256 bytes that may stand there; or with stride 1, where
 * the looking may begin at the key itself, the one that ends a byte behind it.
 *
 * A place in the bitmap is then compared with the "witnesses" of its bucket:
 * up to eight bytes before and eight behind the place, as far as they belong
 * to the key.  What passes is nearly always a real occurrence.
 *
 * Memory: bitmap and buckets grow with the number of windows; above
 * WITNESS_MAX of them every place would pass, and there is no filter.
 */
#include "ac_filter.h"

#include <limits.h>

#include "ac_bits.h"
#include "ac_common.h"
#include "ac_cpu.h"

#ifdef AC_HAVE_AVX2
#include <immintrin.h>
#endif

#define WINDOW			4
#define LOOK_BACK_MAX	20		/* offsets of windows considered */
#define SHORT_MAX		16		/* keys that need 256 windows */
#define WITNESS_MAX		32768
#define ASK_MAX			16		/* witnesses asked at a place */
#define BITS_PER_WINDOW	128		/* of the bitmap */
#define BITMAP_BITS_MIN	12		/* log2 */
#define BITMAP_BITS_MAX	20
#define HASH_FACTOR		UINT32_C(0x9e3779b1)

/* The bytes around a place, where a key has some. */
typedef struct Witness
{
	uint64_t	before;			/* eight bytes in front of the place */
	uint64_t	before_mask;
	uint64_t	after;			/* eight bytes from the place on */
	uint64_t	after_mask;
} Witness;

struct AcFilter
{
	uint32_t   *bitmap;
	uint32_t   *bucket_begin;	/* one more at the end */
	Witness    *witnesses;		/* by bucket */
	uint32_t	bitmap_bits;	/* log2 */
	uint32_t	bucket_bits;	/* log2 */
	uint32_t	witness_count;
	uint32_t	stride;
	uint32_t	look_back;
	uint32_t	least;			/* bytes that must follow a place */
	bool		avx2;
};

/* ---------- looking ---------- */

static inline uint32_t
hash_window(uint32_t window)
{
	return window * HASH_FACTOR;
}

/* Eight bytes from a place on, zeros behind the end of the text. */
static inline uint64_t
bytes_after(const uint8_t *text, size_t place, size_t to)
{
	uint8_t		padded[8] = {0};

	if (to - place >= 8)
		return ac_load64(text + place);
	memcpy(padded, text + place, to - place);
	return ac_load64(padded);
}

/* Eight bytes in front of a place, zeros in front of the text. */
static inline uint64_t
bytes_before(const uint8_t *text, size_t place)
{
	uint8_t		padded[8] = {0};

	if (place >= 8)
		return ac_load64(text + place - 8);
	memcpy(padded + 8 - place, text, place);
	return ac_load64(padded);
}

/*
 * Whether a witness of some key agrees with the text around a place.  Where
 * many share a bucket, stepping is cheaper than asking all of them.
 */
static bool
has_witness(const AcFilter *f, const uint8_t *text, size_t place, size_t to,
			uint32_t *asked)
{
	uint64_t	after = bytes_after(text, place, to);
	uint32_t	hash = hash_window((uint32_t) after);
	uint32_t	bucket = hash >> (32 - f->bucket_bits);
	const Witness *w = f->witnesses + f->bucket_begin[bucket];
	const Witness *end = f->witnesses + f->bucket_begin[bucket + 1];
	uint64_t	before;

	*asked += (uint32_t) (end - w) + 1;
	if (end - w > ASK_MAX)
		return true;
	before = bytes_before(text, place);
	for (; w < end; w++)
		if ((((after ^ w->after) & w->after_mask) |
			 ((before ^ w->before) & w->before_mask)) == 0)
			return true;
	return false;
}

static inline bool
in_bitmap(const AcFilter *f, uint32_t window)
{
	uint32_t	bit = hash_window(window) >> (32 - f->bitmap_bits);

	return (f->bitmap[bit / 32] >> (bit % 32)) & 1;
}

size_t
acore_filter_next_scalar(const AcFilter *f, const uint8_t *text,
						 size_t from, size_t to, uint32_t *asked)
{
	for (; from + f->least <= to; from += f->stride)
		if (in_bitmap(f, (uint32_t) bytes_after(text, from, to)) &&
			has_witness(f, text, from, to, asked))
			return from;
	return to;
}

#ifdef AC_HAVE_AVX2

/* The functions below are compiled for each stride, which is a constant then. */
#define FOR_AVX2		static inline __attribute__((always_inline, target("avx2")))

/* Bytes that eight windows span. */
#define SPAN(stride)	(7 * (stride) + WINDOW)

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
	if (from + WINDOW <= to)
	{
		/* they may stand out of step; the first that counts is less than a
		 * stride in front of "from" */
		size_t		last = to - SPAN(stride);

		mask = test_windows(f, text + last, stride) &
			(0xff << (from - last) / stride);
		place = first_witnessed(f, text, last, mask, to, asked);
		if (place != to)
			return place;
		from = to - WINDOW + 1;
	}
	/* a short window may be left */
	if (from + f->least > to)
		return to;
	return acore_filter_next_scalar(f, text, from, to, asked);
}

__attribute__((target("avx2")))
size_t
acore_filter_next_avx2(const AcFilter *f, const uint8_t *text,
					   size_t from, size_t to, uint32_t *asked)
{
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

#endif

size_t
acore_filter_next(const AcFilter *f, const uint8_t *text, size_t from,
				  size_t to, uint32_t *asked)
{
	if (f->avx2)
		return acore_filter_next_avx2(f, text, from, to, asked);
	return acore_filter_next_scalar(f, text, from, to, asked);
}

uint32_t
acore_filter_look_back(const AcFilter *f)
{
	return f->look_back;
}

/* ---------- building ---------- */

typedef struct Window
{
	uint32_t	hash;
	Witness		witness;
} Window;

struct AcFilterBuilder
{
	const AcHost *host;
	Window	   *windows;
	uint32_t	count;
	uint32_t	capacity;
	uint32_t	stride;
	uint32_t	look_back;
	bool		has_short;
	AcCommon	common;
};

/* The widest stride that the shortest keys allow, or 0. */
static uint32_t
choose_stride(const uint32_t short_keys[AC_SHORT_KEYS])
{
	uint32_t	stride;

	for (stride = 4; stride > 0; stride /= 2)
	{
		uint32_t	too_short = 0;
		uint32_t	length;

		for (length = 0; length < stride + 2; length++)
			too_short += short_keys[length];
		if (too_short == 0 && short_keys[stride + 2] <= SHORT_MAX)
			return stride;
	}
	return 0;
}

AcStatus
acore_filter_begin(const uint32_t short_keys[AC_SHORT_KEYS],
				   const AcHost *host, AcFilterBuilder **builder)
{
	uint32_t	stride = choose_stride(short_keys);
	AcFilterBuilder *b;

	*builder = NULL;
	if (stride == 0)
		return AC_OK;
	b = host->allocate(host->context, sizeof(*b));
	if (b == NULL)
		return AC_E_MEMORY;
	memset(b, 0, sizeof(*b));
	b->host = host;
	b->stride = stride;
	acore_common_learn(&b->common);
	*builder = b;
	return AC_OK;
}

static AcStatus
reserve_windows(AcFilterBuilder *b, uint32_t more)
{
	uint32_t	capacity = b->capacity == 0 ? 64 : b->capacity;
	Window	   *windows;

	if (b->count + more > WITNESS_MAX)
		return AC_E_TOO_LARGE;
	while (capacity < b->count + more)
		capacity *= 2;
	if (capacity == b->capacity)
		return AC_OK;
	windows = b->host->allocate(b->host->context, capacity * sizeof(Window));
	if (windows == NULL)
		return AC_E_MEMORY;
	if (b->capacity > 0)
	{
		memcpy(windows, b->windows, b->count * sizeof(Window));
		b->host->release(b->host->context, b->windows,
						 b->capacity * sizeof(Window));
	}
	b->windows = windows;
	b->capacity = capacity;
	return AC_OK;
}

/* How common the commonest of the windows from an offset on is. */
static int
offset_common(const AcFilterBuilder *b, const uint8_t *key, uint32_t offset)
{
	int			most = INT_MIN;
	uint32_t	i;

	for (i = offset; i < offset + b->stride; i++)
	{
		int			common = acore_common_quad(&b->common, key + i);

		if (common > most)
			most = common;
	}
	return most;
}

/* The offset from which the windows of a key are taken. */
static uint32_t
best_offset(const AcFilterBuilder *b, const uint8_t *key, uint32_t length)
{
	uint32_t	best = 0;
	int			least = INT_MAX;
	uint32_t	offset;

	for (offset = 0; offset + b->stride + WINDOW - 1 <= length &&
		 offset + b->stride - 1 <= LOOK_BACK_MAX; offset++)
	{
		int			common = offset_common(b, key, offset);

		if (common < least)
		{
			least = common;
			best = offset;
		}
	}
	return best;
}

/* The window of a key at an offset; -1 is the byte in front of it. */
static Witness
key_witness(const uint8_t *key, uint32_t length, int32_t offset)
{
	uint8_t		bytes[16] = {0};
	uint8_t		mask[16] = {0};
	int32_t		i;

	for (i = 0; i < 16; i++)
	{
		int32_t		at = offset + i - 8;

		if (at < 0 || (uint32_t) at >= length)
			continue;
		bytes[i] = key[at];
		mask[i] = 0xff;
	}
	return (Witness) {ac_load64(bytes), ac_load64(mask),
		ac_load64(bytes + 8), ac_load64(mask + 8)};
}

/* The window that a short key lacks, with each byte that can complete it. */
static void
add_short_window(AcFilterBuilder *b, const uint8_t *key, uint32_t length)
{
	bool		in_front = b->stride > 1;
	uint8_t		window[WINDOW];
	int			byte;

	memcpy(window + in_front, key, WINDOW - 1);
	for (byte = 0; byte < 256; byte++)
	{
		window[in_front ? 0 : WINDOW - 1] = (uint8_t) byte;
		b->windows[b->count++] = (Window) {hash_window(ac_load32(window)),
			key_witness(key, length, in_front ? -1 : 0)};
	}
}

AcStatus
acore_filter_add(AcFilterBuilder *b, const uint8_t *key, uint32_t length)
{
	bool		is_short = length == WINDOW + b->stride - 2;
	uint32_t	windows = is_short ? b->stride - 1 : b->stride;
	uint32_t	best = is_short ? 0 : best_offset(b, key, length);
	uint32_t	offset;
	AcStatus	status;

	status = reserve_windows(b, is_short ? b->stride - 1 + 256 : b->stride);
	if (status != AC_OK)
		return status;
	b->has_short |= is_short;
	if (is_short)
		add_short_window(b, key, length);
	for (offset = best; offset < best + windows; offset++)
		b->windows[b->count++] = (Window) {
			hash_window(ac_load32(key + offset)),
			key_witness(key, length, (int32_t) offset)};
	if (windows > 0 && best + windows - 1 > b->look_back)
		b->look_back = best + windows - 1;
	return AC_OK;
}

/* Bitmap and buckets; a counting sort puts the witnesses into these. */
static void
fill_filter(const AcFilterBuilder *b, AcFilter *f)
{
	uint32_t	shift = 32 - f->bucket_bits;
	uint32_t	i;

	for (i = 0; i < b->count; i++)
	{
		uint32_t	bit = b->windows[i].hash >> (32 - f->bitmap_bits);

		f->bitmap[bit / 32] |= UINT32_C(1) << (bit % 32);
		f->bucket_begin[(b->windows[i].hash >> shift) + 2]++;
	}
	for (i = 2; i < (UINT32_C(1) << f->bucket_bits) + 2; i++)
		f->bucket_begin[i] += f->bucket_begin[i - 1];
	for (i = 0; i < b->count; i++)
		f->witnesses[f->bucket_begin[(b->windows[i].hash >> shift) + 1]++] =
			b->windows[i].witness;
}

static size_t
bitmap_bytes(const AcFilter *f)
{
	return ((size_t) 1 << f->bitmap_bits) / 8;
}

static size_t
bucket_bytes(const AcFilter *f)
{
	return (((size_t) 1 << f->bucket_bits) + 2) * sizeof(uint32_t);
}

AcStatus
acore_filter_finish(AcFilterBuilder *b, AcFilter **filter)
{
	const AcHost *host = b->host;
	AcFilter   *f = host->allocate(host->context, sizeof(*f));

	*filter = NULL;
	if (f != NULL)
	{
		memset(f, 0, sizeof(*f));
		f->stride = b->stride;
		f->look_back = b->look_back;
		f->least = b->has_short && b->stride == 1 ? WINDOW - 1 : WINDOW;
		f->witness_count = b->count;
		f->avx2 = acore_cpu_has_avx2();
		f->bitmap_bits = ac_bit_width((uint64_t) b->count * BITS_PER_WINDOW);
		if (f->bitmap_bits < BITMAP_BITS_MIN)
			f->bitmap_bits = BITMAP_BITS_MIN;
		if (f->bitmap_bits > BITMAP_BITS_MAX)
			f->bitmap_bits = BITMAP_BITS_MAX;
		f->bucket_bits = ac_bit_width(b->count) + 1;
		f->bitmap = host->allocate(host->context, bitmap_bytes(f));
		f->bucket_begin = host->allocate(host->context, bucket_bytes(f));
		f->witnesses = host->allocate(host->context,
									  b->count * sizeof(Witness));
	}
	if (f == NULL || f->bitmap == NULL || f->bucket_begin == NULL ||
		f->witnesses == NULL)
	{
		if (f != NULL)
			acore_filter_free(f, host);
		acore_filter_abandon(b);
		return AC_E_MEMORY;
	}
	memset(f->bitmap, 0, bitmap_bytes(f));
	memset(f->bucket_begin, 0, bucket_bytes(f));
	fill_filter(b, f);
	acore_filter_abandon(b);
	*filter = f;
	return AC_OK;
}

void
acore_filter_abandon(AcFilterBuilder *b)
{
	const AcHost *host = b->host;

	if (b->capacity > 0)
		host->release(host->context, b->windows,
					  b->capacity * sizeof(Window));
	host->release(host->context, b, sizeof(*b));
}

void
acore_filter_free(AcFilter *f, const AcHost *host)
{
	if (f->bitmap != NULL)
		host->release(host->context, f->bitmap, bitmap_bytes(f));
	if (f->bucket_begin != NULL)
		host->release(host->context, f->bucket_begin, bucket_bytes(f));
	if (f->witnesses != NULL)
		host->release(host->context, f->witnesses,
					  f->witness_count * sizeof(Witness));
	host->release(host->context, f, sizeof(*f));
}
