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
 * With AVX2 (ac_filter_avx2.c) and a few keys the stride is 1: looking at every
 * place by nibbles is faster then, and one window a key is enough.
 *
 * Memory: bitmap and buckets grow with the number of windows; above
 * WITNESS_MAX of them every place would pass, and there is no filter.
 */
#include "ac_filter.h"

#include <limits.h>

#include "ac_common.h"
#include "ac_cpu.h"
#include "ac_filter_look.h"

#define LOOK_BACK_MAX	20		/* offsets of windows considered */
#define FEW_KEYS		16		/* for which nibbles are better than the bitmap */
#define SHORT_MAX		16		/* keys that need 256 windows */
#define WITNESS_MAX		32768
#define BITS_PER_WINDOW	128		/* of the bitmap */
#define BITMAP_BITS_MIN	12		/* log2 */
#define BITMAP_BITS_MAX	20

/* ---------- looking ---------- */

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
	bool		few;
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
acore_filter_begin(uint32_t keys, const uint32_t short_keys[AC_SHORT_KEYS],
				   const AcHost *host, AcFilterBuilder **builder)
{
	uint32_t	stride = choose_stride(short_keys);
	bool		few = acore_cpu_has_avx2() && keys <= FEW_KEYS &&
		short_keys[AC_WINDOW - 1] == 0;
	AcFilterBuilder *b;

	*builder = NULL;
	if (stride == 0)
		return AC_OK;
	b = host->allocate(host->context, sizeof(*b));
	if (b == NULL)
		return AC_E_MEMORY;
	memset(b, 0, sizeof(*b));
	b->host = host;
	b->stride = few ? 1 : stride;
	b->few = few;
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

	for (offset = 0; offset + b->stride + AC_WINDOW - 1 <= length &&
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
	uint8_t		window[AC_WINDOW];
	int			byte;

	memcpy(window + in_front, key, AC_WINDOW - 1);
	for (byte = 0; byte < 256; byte++)
	{
		window[in_front ? 0 : AC_WINDOW - 1] = (uint8_t) byte;
		b->windows[b->count++] = (Window) {hash_window(ac_load32(window)),
			key_witness(key, length, in_front ? -1 : 0)};
	}
}

AcStatus
acore_filter_add(AcFilterBuilder *b, const uint8_t *key, uint32_t length)
{
	bool		is_short = length == AC_WINDOW + b->stride - 2;
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

/* Windows are dealt out to eight groups, one a bit. */
static void
fill_nibbles(const AcFilterBuilder *b, AcFilter *f)
{
	uint32_t	i;
	uint32_t	k;

	for (i = 0; i < b->count; i++)
		for (k = 0; k < AC_NIBBLE_BYTES; k++)
		{
			uint8_t		byte = (uint8_t) (b->windows[i].witness.after >> 8 * k);

			f->nibbles[k][0][byte & 15] |= (uint8_t) (1 << i % 8);
			f->nibbles[k][1][byte >> 4] |= (uint8_t) (1 << i % 8);
		}
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
		f->few = b->few;
		f->least = b->has_short && b->stride == 1 ? AC_WINDOW - 1 : AC_WINDOW;
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
	if (f->few)
		fill_nibbles(b, f);
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
