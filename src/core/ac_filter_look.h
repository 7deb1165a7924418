/*
 * ac_filter_look.h
 *		What the filter's twins look at.
 */
#ifndef AC_FILTER_LOOK_H
#define AC_FILTER_LOOK_H

#include "ac_bits.h"
#include "ac_filter.h"

#define AC_WINDOW		4		/* bytes */
#define AC_NIBBLE_BYTES	3		/* of a window that nibbles[] looks at */
#define ASK_MAX			16		/* witnesses asked at a place */
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
	bool		few;			/* so few that nibbles[] tells more */
	/* bit b of nibbles[i][half][n]: byte i of a window in group b has n there */
	uint8_t		nibbles[AC_NIBBLE_BYTES][2][16];
};

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
static inline bool
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

#endif							/* AC_FILTER_LOOK_H */
