/*
 * ac_bits.h
 *		The three shapes in which an image keeps numbers.
 *
 * An image holds nothing but bytes and these shapes:
 *
 *	packed	An array of unsigned integers of one width (0 to 64 bits), bit
 *			after bit, least significant first.  Width 0 takes no space and
 *			reads as zeros.
 *	set		A subset of 0 .. universe - 1 that answers has, rank (members
 *			below i) and select (the k-th member).  It is either a bitmap
 *			behind a directory that counts the members before each 512 bits,
 *			or, where that is smaller, the sorted list of its members.
 *			Which one follows from universe and count alone, so nothing need
 *			be stored about it.
 *	tall	A packed array for mostly small values: those that do not fit
 *			the width hold all ones there, and stand in a second, wide packed
 *			array in the order of the set of their places.
 *
 * For example the set {1, 4} of universe 8 would need a byte of bits and a
 * directory of 2 bits, or a list of two 3-bit members (one byte in all), so it
 * is a list: 001 100, which is the byte 0x21.
 *
 * All shapes start at a byte boundary and are read in place at any alignment
 * and byte order.  A packed array is read in eight-byte steps, so eight bytes
 * behind its start must be readable even if it is shorter: AC_SLACK bytes of
 * zeros end every image.
 */
#ifndef AC_BITS_H
#define AC_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define AC_SLACK		8
#define AC_RANK_BITS	512		/* members are counted before each so many */

typedef struct AcPacked
{
	const uint8_t *data;
	uint32_t	width;
} AcPacked;

typedef struct AcSet
{
	const uint8_t *bits;		/* bitmap, or NULL */
	AcPacked	list;			/* directory of the bitmap, or the members */
	uint32_t	universe;
	uint32_t	count;
} AcSet;

typedef struct AcTall
{
	AcPacked	low;
	AcPacked	high;
	AcSet		escapes;
} AcTall;

static inline uint64_t
ac_load64(const uint8_t *p)
{
	uint64_t	v;

	memcpy(&v, p, sizeof(v));
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	v = __builtin_bswap64(v);
#endif
	return v;
}

static inline void
ac_store64(uint8_t *p, uint64_t v)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	v = __builtin_bswap64(v);
#endif
	memcpy(p, &v, sizeof(v));
}

static inline uint32_t
ac_load32(const uint8_t *p)
{
	uint32_t	v;

	memcpy(&v, p, sizeof(v));
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	v = __builtin_bswap32(v);
#endif
	return v;
}

static inline void
ac_store32(uint8_t *p, uint32_t v)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	v = __builtin_bswap32(v);
#endif
	memcpy(p, &v, sizeof(v));
}

/* How many bits the number needs; 0 needs none. */
static inline uint32_t
ac_bit_width(uint64_t v)
{
	return v == 0 ? 0 : 64 - (uint32_t) __builtin_clzll(v);
}

static inline uint64_t
ac_low_bits(uint32_t width)
{
	return width >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << width) - 1;
}

/* ---------- packed ---------- */

static inline uint64_t
ac_packed_bytes(uint64_t count, uint32_t width)
{
	return (count * width + 7) / 8;
}

static inline uint64_t
ac_packed_get(const AcPacked *a, uint64_t i)
{
	uint64_t	bit = i * a->width;
	const uint8_t *p = a->data + (bit >> 3);
	uint32_t	shift = bit & 7;
	uint64_t	v = ac_load64(p) >> shift;

	if (a->width + shift > 64)
		v |= (uint64_t) p[8] << (64 - shift);
	return v & ac_low_bits(a->width);
}

/* ---------- set ---------- */

/* Width of a member in a list, and of a count in a directory. */
static inline uint32_t
ac_set_list_width(uint32_t universe)
{
	return universe <= 1 ? 0 : ac_bit_width(universe - 1);
}

static inline uint64_t
ac_set_list_bytes(uint32_t universe, uint32_t count)
{
	return ac_packed_bytes(count, ac_set_list_width(universe));
}

static inline uint64_t
ac_set_directory_bytes(uint32_t universe, uint32_t count)
{
	return ac_packed_bytes((uint64_t) universe / AC_RANK_BITS + 1,
						   ac_bit_width(count));
}

static inline uint64_t
ac_set_bitmap_bytes(uint32_t universe)
{
	return ((uint64_t) universe + 7) / 8;
}

static inline bool
ac_set_is_list(uint32_t universe, uint32_t count)
{
	return ac_set_list_bytes(universe, count) <=
		ac_set_directory_bytes(universe, count) + ac_set_bitmap_bytes(universe);
}

static inline uint64_t
ac_set_bytes(uint32_t universe, uint32_t count)
{
	if (ac_set_is_list(universe, count))
		return ac_set_list_bytes(universe, count);
	return ac_set_directory_bytes(universe, count) +
		ac_set_bitmap_bytes(universe);
}

/* Bits [first, first + 64) of a bitmap of which "universe" bits are valid. */
static inline uint64_t
ac_bitmap_word(const uint8_t *bits, uint32_t universe, uint32_t first)
{
	uint64_t	v = ac_load64(bits + first / 8);

	if (universe - first < 64)
		v &= ac_low_bits(universe - first);
	return v;
}

/*
 * Number of ones.  The compiler's builtin would call a function, since no
 * processor instruction for it can be taken for granted; adding up in place
 * is faster.
 */
static inline uint32_t
ac_popcount(uint64_t v)
{
	v -= (v >> 1) & UINT64_C(0x5555555555555555);
	v = (v & UINT64_C(0x3333333333333333)) +
		((v >> 2) & UINT64_C(0x3333333333333333));
	v = (v + (v >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
	return (uint32_t) ((v * UINT64_C(0x0101010101010101)) >> 56);
}

/* Number of members below i; i is at most universe. */
static inline uint32_t
ac_set_rank(const AcSet *s, uint32_t i)
{
	if (s->bits != NULL)
	{
		uint32_t	block = i / AC_RANK_BITS;
		uint32_t	at = block * AC_RANK_BITS;
		uint32_t	rank = (uint32_t) ac_packed_get(&s->list, block);

		for (; at + 64 <= i; at += 64)
			rank += ac_popcount(ac_load64(s->bits + at / 8));
		if (at < i)
			rank += ac_popcount(ac_load64(s->bits + at / 8) &
								ac_low_bits(i - at));
		return rank;
	}
	else
	{
		uint32_t	low = 0;
		uint32_t	high = s->count;

		while (low < high)
		{
			uint32_t	mid = low + (high - low) / 2;

			if (ac_packed_get(&s->list, mid) < i)
				low = mid + 1;
			else
				high = mid;
		}
		return low;
	}
}

static inline bool
ac_set_has(const AcSet *s, uint32_t i)
{
	uint32_t	rank;

	if (s->bits != NULL)
		return (s->bits[i / 8] >> (i % 8)) & 1;
	if (s->count == 0)
		return false;
	rank = ac_set_rank(s, i);
	return rank < s->count && ac_packed_get(&s->list, rank) == i;
}

/* The k-th member, counted from 0; k is below count. */
static inline uint32_t
ac_set_select(const AcSet *s, uint32_t k)
{
	uint32_t	low = 0;
	uint32_t	high;
	uint32_t	at;
	uint64_t	word;

	if (s->bits == NULL)
		return (uint32_t) ac_packed_get(&s->list, k);

	/* the last block that has at most k members before it */
	high = s->universe / AC_RANK_BITS;
	while (low < high)
	{
		uint32_t	mid = low + (high - low + 1) / 2;

		if (ac_packed_get(&s->list, mid) <= k)
			low = mid;
		else
			high = mid - 1;
	}
	k -= (uint32_t) ac_packed_get(&s->list, low);
	for (at = low * AC_RANK_BITS;; at += 64)
	{
		uint32_t	members;

		word = ac_load64(s->bits + at / 8);
		members = ac_popcount(word);
		if (k < members)
			break;
		k -= members;
	}
	while (k-- > 0)
		word &= word - 1;
	return at + (uint32_t) __builtin_ctzll(word);
}

/* Visits the members of a set in ascending order. */
typedef struct AcSetWalk
{
	const AcSet *set;
	uint64_t	word;			/* what is left of the word of a bitmap */
	uint32_t	base;			/* its first bit */
	uint32_t	next;			/* members visited */
} AcSetWalk;

static inline AcSetWalk
ac_walk_set(const AcSet *set)
{
	AcSetWalk		walk = {set, 0, 0, 0};

	if (set->bits != NULL)
		walk.word = ac_bitmap_word(set->bits, set->universe, 0);
	return walk;
}

/* The next member when the word at hand holds none. */
static inline uint32_t
ac_next_member_elsewhere(AcSetWalk *walk)
{
	const AcSet *set = walk->set;
	uint32_t	member;

	if (walk->next == set->count)
		return UINT32_MAX;
	walk->next++;
	if (set->bits == NULL)
		return (uint32_t) ac_packed_get(&set->list, walk->next - 1);
	while (walk->word == 0)
	{
		walk->base += 64;
		walk->word = ac_bitmap_word(set->bits, set->universe, walk->base);
	}
	member = walk->base + (uint32_t) __builtin_ctzll(walk->word);
	walk->word &= walk->word - 1;
	return member;
}

/* The next member, or UINT32_MAX. */
static inline uint32_t
ac_next_member(AcSetWalk *walk)
{
	uint32_t	member;

	if (walk->word == 0)
		return ac_next_member_elsewhere(walk);
	walk->next++;
	member = walk->base + (uint32_t) __builtin_ctzll(walk->word);
	walk->word &= walk->word - 1;
	return member;
}

/* ---------- tall ---------- */

static inline uint64_t
ac_tall_get(const AcTall *t, uint32_t i)
{
	uint64_t	v = ac_packed_get(&t->low, i);

	if (v == ac_low_bits(t->low.width))
		v = ac_packed_get(&t->high, ac_set_rank(&t->escapes, i));
	return v;
}

#endif							/* AC_BITS_H */
