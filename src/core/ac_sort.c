/*
 * ac_sort.c
 *		Sorting patterns into byte order.
 *
 * The idea: an MSD radix sort that takes eight bytes of every pattern at a
 * time.  A group of patterns that agree in their first bytes is sorted by the
 * next eight, read as one big-endian number; patterns that agree in these
 * too form a group of the next round.  Within a group a stable LSD radix sort
 * orders the numbers, so that no input makes it quadratic, and equal patterns
 * stay in the order given.
 *
 * Groups still to be sorted wait on an explicit stack.  They are disjoint and
 * hold two patterns or more, so half as many places as patterns suffice.
 *
 * A pattern that ends within its eight bytes is padded with zeros.  It may then
 * tie with one that really has zeros there; the shorter one goes first.
 */
#include "ac_sort.h"

#include "ac_bits.h"

#define INSERTION_MAX	48		/* below that, insertion sort is faster */

typedef struct Group
{
	uint32_t	begin;
	uint32_t	end;
	uint32_t	round;			/* eight-byte steps already equal */
} Group;

typedef struct Sorter
{
	const AcRules *rules;
	AcWork		work;
	uint32_t   *order;
	uint64_t   *numbers;		/* sort key of order[i] */
	uint64_t   *spare_numbers;
	uint32_t   *spare_order;
	Group	   *stack;
	uint32_t	depth;			/* of the stack */
} Sorter;

/* The eight bytes of an entry that the round looks at, as a number. */
static uint64_t
eight_bytes(const AcRules *rules, uint32_t entry, uint32_t round)
{
	uint64_t	begin = rules->offsets[entry] + (uint64_t) round * 8;
	uint64_t	end = rules->offsets[entry + 1];
	uint8_t		padded[8] = {0};

	if (begin + 8 <= end)
		return __builtin_bswap64(ac_load64(rules->pool + begin));
	if (begin < end)
		memcpy(padded, rules->pool + begin, end - begin);
	return __builtin_bswap64(ac_load64(padded));
}

static void
insertion_sort(Sorter *s, uint32_t begin, uint32_t end)
{
	uint32_t	i;

	for (i = begin + 1; i < end; i++)
	{
		uint64_t	number = s->numbers[i];
		uint32_t	entry = s->order[i];
		uint32_t	j = i;

		for (; j > begin && s->numbers[j - 1] > number; j--)
		{
			s->numbers[j] = s->numbers[j - 1];
			s->order[j] = s->order[j - 1];
		}
		s->numbers[j] = number;
		s->order[j] = entry;
	}
}

/* One pass of the LSD radix sort; answers false if all digits are equal. */
static bool
radix_pass(Sorter *s, uint32_t begin, uint32_t end, int shift,
		   uint32_t places[256])
{
	uint32_t	sum = begin;
	uint32_t	i;

	if (places[(s->numbers[begin] >> shift) & 255] == end - begin)
		return false;
	for (i = 0; i < 256; i++)
	{
		uint32_t	count = places[i];

		places[i] = sum;
		sum += count;
	}
	for (i = begin; i < end; i++)
	{
		uint32_t	place = places[(s->numbers[i] >> shift) & 255]++;

		s->spare_numbers[place] = s->numbers[i];
		s->spare_order[place] = s->order[i];
		if (ac_work_turn(&s->work, i))
			break;
	}
	return true;
}

/* Sorts order[begin .. end) by numbers, stably. */
static void
sort_numbers(Sorter *s, uint32_t begin, uint32_t end)
{
	uint32_t	places[8][256];
	uint32_t	i;
	int			digit;

	if (end - begin <= INSERTION_MAX)
	{
		insertion_sort(s, begin, end);
		return;
	}
	memset(places, 0, sizeof(places));
	for (i = begin; i < end; i++)
	{
		for (digit = 0; digit < 8; digit++)
			places[digit][(s->numbers[i] >> (digit * 8)) & 255]++;
		if (ac_work_turn(&s->work, i))
			return;
	}
	for (digit = 0; digit < 8 && !s->work.interrupted; digit++)
	{
		uint64_t   *numbers = s->spare_numbers;
		uint32_t   *order = s->spare_order;

		if (!radix_pass(s, begin, end, digit * 8, places[digit]))
			continue;
		/* what was spare holds the result now */
		s->spare_numbers = s->numbers;
		s->spare_order = s->order;
		s->numbers = numbers;
		s->order = order;
	}
}

/*
 * The arrays change roles with every radix pass; afterwards the result of a
 * range may stand in the spare ones.  Puts it back to where it belongs.
 * When interrupted it leaves nothing that makes sense, and answers false.
 */
static bool
sort_range(Sorter *s, uint32_t begin, uint32_t end)
{
	uint64_t   *numbers = s->numbers;
	uint32_t   *order = s->order;
	size_t		count = end - begin;

	sort_numbers(s, begin, end);
	if (s->order != order)
	{
		acore_work_copy(&s->work, numbers + begin, s->numbers + begin,
						count * sizeof(*numbers));
		acore_work_copy(&s->work, order + begin, s->order + begin,
						count * sizeof(*order));
		s->spare_numbers = s->numbers;
		s->spare_order = s->order;
		s->numbers = numbers;
		s->order = order;
	}
	return !ac_work_poll(&s->work, count);
}

/* Equal patterns stand in order[begin .. end): orders them by id. */
static bool
sort_equal(Sorter *s, uint32_t begin, uint32_t end)
{
	uint32_t	i;

	if (s->rules->ids == NULL || end - begin < 2)
		return true;
	for (i = begin; i < end; i++)
	{
		s->numbers[i] = (uint64_t) s->rules->ids[s->order[i]] ^
			(UINT64_C(1) << 63);
		if (ac_work_turn(&s->work, i))
			return false;
	}
	return sort_range(s, begin, end);
}

/*
 * The patterns of order[begin .. end) agree in this round's eight bytes.
 * Those that end here come first, shortest first; the others form a group of
 * the next round.
 */
static bool
split_ties(Sorter *s, uint32_t begin, uint32_t end, uint32_t round)
{
	uint64_t	limit = ((uint64_t) round + 1) * 8;
	uint32_t	first;
	uint32_t	i;

	for (i = begin; i < end; i++)
	{
		uint32_t	entry = s->order[i];
		uint64_t	length = s->rules->offsets[entry + 1] -
			s->rules->offsets[entry];

		s->numbers[i] = length <= limit ? length : limit + 1;
		if (ac_work_turn(&s->work, i))
			return false;
	}
	if (!sort_range(s, begin, end))
		return false;
	while (begin < end)
	{
		uint64_t	length = s->numbers[begin];

		for (first = begin; begin < end && s->numbers[begin] == length;)
			begin++;
		if (length > limit && begin - first > 1)
			s->stack[s->depth++] = (Group) {first, begin, round + 1};
		else if (length <= limit && !sort_equal(s, first, begin))
			return false;
	}
	return true;
}

static bool
sort_group(Sorter *s, Group group)
{
	uint32_t	i;
	uint32_t	first;

	for (i = group.begin; i < group.end; i++)
	{
		s->numbers[i] = eight_bytes(s->rules, s->order[i], group.round);
		if (ac_work_turn(&s->work, i))
			return false;
	}
	if (!sort_range(s, group.begin, group.end))
		return false;
	for (i = group.begin; i < group.end;)
	{
		uint64_t	number = s->numbers[i];

		for (first = i; i < group.end && s->numbers[i] == number;)
			i++;
		if (i - first > 1 && !split_ties(s, first, i, group.round))
			return false;
	}
	return true;
}

static AcStatus
sort(Sorter *s, uint32_t count)
{
	uint32_t	i;

	s->numbers = acore_work_take(&s->work, count, sizeof(uint64_t));
	s->spare_numbers = acore_work_take(&s->work, count, sizeof(uint64_t));
	s->spare_order = acore_work_take(&s->work, count, sizeof(uint32_t));
	s->stack = acore_work_take(&s->work, count / 2 + 1, sizeof(Group));
	if (s->numbers == NULL || s->spare_numbers == NULL ||
		s->spare_order == NULL || s->stack == NULL)
		return AC_E_MEMORY;
	for (i = 0; i < count; i++)
	{
		s->order[i] = i;
		if (ac_work_turn(&s->work, i))
			return AC_E_INTERRUPTED;
	}
	if (count > 1)
		s->stack[s->depth++] = (Group) {0, count, 0};
	while (s->depth > 0)
		if (!sort_group(s, s->stack[--s->depth]))
			return AC_E_INTERRUPTED;
	return AC_OK;
}

AcStatus
acore_sort(const AcRules *rules, const AcHost *host, uint32_t *order)
{
	Sorter		s = {.rules = rules,.order = order};
	AcStatus	status;

	acore_work_init(&s.work, host);
	status = sort(&s, rules->count);
	acore_work_end(&s.work);
	return status;
}
