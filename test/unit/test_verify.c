/*
 * test_verify.c
 *		Damaged images: none may crash, hang or read outside of itself.
 *
 * Every single-bit flip and very many random mutations of several images:
 *
 *		as they are		the checksum must tell, or nothing was changed
 *		sealed again	the structure check is on its own: it rejects the image,
 *						or whatever is done with it ends soon and stays inside
 *
 * Run it under the address sanitizer to see reads outside of the image, which
 * stands in a block of its own of exactly its size.  --count sets how many
 * random mutations there are.
 */
#define _DEFAULT_SOURCE
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ac_image.h"
#include "survive.h"
#include "tap.h"
#include "worlds.h"

#define BODY 600
#define TIMEOUT 60				/* seconds for one mutation: it takes none */

/* One image, whose mutations are tried. */
typedef struct Victim
{
	const char *name;
	uint8_t    *image;
	size_t		size;
	uint8_t		body[3][BODY];
	AcSpan		bodies[3];
} Victim;

static TestHost host;
static const char *doing;		/* for the message of the alarm */
static uint64_t doing_round;
static uint64_t tried;
static uint64_t accepted;

static void
on_alarm(int signal)
{
	(void) signal;
	/* no way to go on: the worst that can happen is a garbled line */
	tap_bail("hang in %s, mutation %" PRIu64, doing, doing_round);
}

static void
print_mutation(const Victim *victim, const uint8_t *image, size_t size)
{
	size_t		i;

	tap_note("in %s, mutation %" PRIu64 ", %zu of %zu bytes:", victim->name,
			 doing_round, size, victim->size);
	for (i = 0; i < size && i < victim->size; i++)
		if (image[i] != victim->image[i])
			tap_note("  %zu: 0x%02X -> 0x%02X", i, victim->image[i], image[i]);
}

/* Both tests of one mutation; takes the image, a block of its own. */
static bool
stands(const Victim *victim, uint8_t *image, size_t size, Rng *rng)
{
	bool		same = size == victim->size &&
		memcmp(image, victim->image, size) == 0;
	bool		good;

	doing = victim->name;
	alarm(TIMEOUT);
	tried++;
	good = (acore_verify(image, size, &host.host) == AC_OK) == same;
	if (!good)
		tap_note("the checksum did not tell");
	if (size >= AC_HEADER_SIZE)
	{
		AcStatus	status;

		acore_seal(image, size, &host.host);
		status = acore_verify(image, size, &host.host);
		if (status != acore_verify_structure(image, size, &host.host))
		{
			tap_note("the two ways to verify differ");
			good = false;
		}
		if (status == AC_OK)
		{
			accepted++;
			if (!image_survives(&host, image, size, victim->bodies, 3, rng))
				good = false;
		}
		else if (status != AC_E_DAMAGED && status != AC_E_FORMAT)
			good = false;
	}
	good = good && host.current == 0 && host.faults == 0;
	if (!good)
		print_mutation(victim, image, size);
	free(image);
	return good;
}

static uint8_t *
copy_of(const Victim *victim, size_t size)
{
	uint8_t    *copy = test_malloc(size);

	memset(copy, 0, size);
	memcpy(copy, victim->image, size < victim->size ? size : victim->size);
	return copy;
}

static bool
flip_bits(const Victim *victim, Rng *rng)
{
	size_t		bit;

	for (bit = 0; bit < victim->size * 8; bit++)
	{
		uint8_t    *image = copy_of(victim, victim->size);

		doing_round = bit;
		image[bit / 8] ^= (uint8_t) (1 << bit % 8);
		if (!stands(victim, image, victim->size, rng))
			return false;
	}
	return true;
}

/* One random edit somewhere in the image. */
static void
edit(uint8_t *image, size_t size, Rng *rng)
{
	static const uint8_t extremes[] = {0x00, 0x01, 0x7F, 0x80, 0xFE, 0xFF};
	/* header and counts decide most, so look there more often */
	size_t		range = rng_chance(rng, 40) && size > 100 ? 100 : size;
	size_t		at = rng_below(rng, (uint32_t) range);
	size_t		left = size - at;
	size_t		n = 1 + rng_below(rng, left < 16 ? (uint32_t) left : 16);

	switch (rng_below(rng, 6))
	{
		case 0:
			image[at] ^= (uint8_t) (1 << rng_below(rng, 8));
			break;
		case 1:
			image[at] = (uint8_t) rng_next(rng);
			break;
		case 2:
			image[at] = (uint8_t) (image[at] + rng_below(rng, 9) - 4);
			break;
		case 3:
			image[at] = extremes[rng_below(rng, sizeof(extremes))];
			break;
		case 4:
			memset(image + at, extremes[rng_below(rng, sizeof(extremes))], n);
			break;
		default:
			memmove(image + at, image + rng_below(rng, (uint32_t) (size - n + 1)),
					n);
			break;
	}
}

static bool
mutate(const Victim *victim, Rng *rng, uint64_t count)
{
	for (doing_round = 0; doing_round < count; doing_round++)
	{
		size_t		size = victim->size;
		uint32_t	edits = 1 + rng_below(rng, rng_chance(rng, 70) ? 2 : 12);
		uint8_t    *image;

		if (rng_chance(rng, 3))
			size = rng_below(rng, (uint32_t) size + 20);
		if (size == 0)
			continue;
		image = copy_of(victim, size);
		/* now and then a size that fits what is left */
		if (size != victim->size && size >= AC_HEADER_SIZE &&
			rng_chance(rng, 80))
		{
			image[AC_OFFSET_SIZE] = (uint8_t) size;
			image[AC_OFFSET_SIZE + 1] = (uint8_t) (size >> 8);
		}
		while (edits-- > 0)
			edit(image, size, rng);
		if (!stands(victim, image, size, rng))
			return false;
	}
	return true;
}

static void
make_victim(Victim *victim, const char *name, const RuleSet *set,
			const Letters *letters, Rng *rng)
{
	uint8_t    *block;
	size_t		i;

	victim->name = name;
	if (acore_build(&set->rules, &host.host, 0, SUBJECT_LIMIT, &block,
					&victim->size) != AC_OK)
		tap_bail("could not build");
	victim->image = test_malloc(victim->size);
	memcpy(victim->image, block, victim->size);
	host.host.release(&host, block, victim->size);
	for (i = 0; i < 3; i++)
	{
		victim->bodies[i].data = victim->body[i];
		victim->bodies[i].size = BODY;
	}
	victim->bodies[0].size = text_random(&set->rules, rng, letters,
										 victim->body[0], BODY);
	memset(victim->body[1], victim->body[0][0], BODY);
	for (i = 0; i < BODY; i++)
		victim->body[2][i] = (uint8_t) rng_next(rng);
}

static void
check_victim(Victim *victim, uint64_t mutations)
{
	Rng			rng = {tap_seed()};

	tried = accepted = 0;
	tap_ok(flip_bits(victim, &rng), "%s (%zu bytes): every single bit",
		   victim->name, victim->size);
	tap_note("%" PRIu64 " of %" PRIu64 " accepted when sealed again", accepted,
			 tried);
	tried = accepted = 0;
	tap_ok(mutate(victim, &rng, mutations), "%s: %" PRIu64 " mutations",
		   victim->name, mutations);
	tap_note("%" PRIu64 " of %" PRIu64 " accepted when sealed again", accepted,
			 tried);
	alarm(0);
	free(victim->image);
}

/*
 * A label that is no code of the alphabet must be rejected: the accelerated
 * automaton has no class for it.
 */
static void
check_labels(RuleSet *set)
{
	uint32_t	accepted_codes = 0;
	uint32_t	letters;

	for (letters = 3; letters < 256; letters += letters < 8 ? 1 : 59)
	{
		AcImage		where;
		uint8_t    *image;
		size_t		size;
		uint32_t	i;

		ruleset_clear(set, AC_BYTEA);
		for (i = 0; i < letters; i++)
			ruleset_add(set, (uint8_t[]) {(uint8_t) i, 'x'}, 1 + i % 2);
		if (acore_build(&set->rules, &host.host, 0, SUBJECT_LIMIT, &image,
						&size) != AC_OK ||
			acore_image_read(image, size, &where) != AC_OK)
			tap_bail("could not build");
		/* all bits of the last label: a code only if all codes are used */
		for (i = 0; i < where.labels.width; i++)
		{
			size_t		bit = (where.states - 2) * where.labels.width + i;

			image[where.labels.data - image + (ptrdiff_t) (bit / 8)] |=
				(uint8_t) (1 << bit % 8);
		}
		acore_seal(image, size, &host.host);
		if ((where.counts[AC_N_ALPHABET] & (where.counts[AC_N_ALPHABET] - 1)) != 0
			&& acore_verify(image, size, &host.host) != AC_E_DAMAGED)
			accepted_codes++;
		host.host.release(&host, image, size);
	}
	tap_ok(accepted_codes == 0, "a label beyond the alphabet is damage");
}

/* a, aa, aaa ... and ba, baa ...: failure and output links everywhere. */
static void
nested_rules(RuleSet *set)
{
	uint8_t		pattern[41];
	uint32_t	i;

	memset(pattern, 'a', sizeof(pattern));
	for (i = 1; i <= 40; i++)
		ruleset_add(set, pattern, i);
	pattern[0] = 'b';
	for (i = 20; i <= 40; i++)
		ruleset_add(set, pattern, i);
}

/* Far output links: one short key at the end of long paths in the trie. */
static void
far_rules(RuleSet *set)
{
	uint8_t		pattern[60];
	uint32_t	i;

	for (i = 0; i < 60; i++)
		pattern[i] = (uint8_t) (i % 7 == 6 ? 'b' : 'a');
	for (i = 1; i < 40; i += 3)
		ruleset_add(set, pattern + i, 60 - i);
	ruleset_add_text(set, "a");
	ruleset_add_text(set, "ba");
}

/* Random words, ids of all sizes, several to a pattern. */
static void
id_rules(RuleSet *set, Rng *rng)
{
	uint32_t	i;

	ruleset_random(set, rng, &worlds[WORLD_AZ].letters, 150, 9);
	for (i = 0; i < set->rules.count; i++)
		set->ids[i] = (int64_t) rng_next(rng) >> rng_below(rng, 64);
	set->rules.ids = set->ids;
}

int
main(int argc, char **argv)
{
	Rng			rng;
	RuleSet		set;
	Victim		victim;
	uint64_t	each;

	tap_start(argc, argv);
	signal(SIGALRM, on_alarm);
	test_host_init(&host);
	host.limit = 256 << 20;
	rng.state = tap_seed();
	each = tap_count(120000, 1000000) / 6 / (tap_share() > 1 ? 3 : 1);
	ruleset_init(&set, 0);

	check_labels(&set);
	ruleset_clear(&set, 0);
	ruleset_add_text(&set, "she");
	ruleset_add_text(&set, "he");
	make_victim(&victim, "two words", &set, &worlds[WORLD_AZ].letters, &rng);
	check_victim(&victim, each);
	ruleset_clear(&set, 0);
	nested_rules(&set);
	make_victim(&victim, "nested words", &set, &worlds[1].letters, &rng);
	check_victim(&victim, each);
	ruleset_clear(&set, AC_BYTEA);
	far_rules(&set);
	make_victim(&victim, "far outputs", &set, &worlds[1].letters, &rng);
	check_victim(&victim, each);
	ruleset_clear(&set, 0);
	id_rules(&set, &rng);
	make_victim(&victim, "ids", &set, &worlds[WORLD_AZ].letters, &rng);
	check_victim(&victim, each);
	ruleset_clear(&set, AC_FOLD_UNICODE | AC_WORDS_UNICODE);
	ruleset_random(&set, &rng, &worlds[WORLD_FOLD].letters, 60, 8);
	make_victim(&victim, "spellings", &set, &worlds[WORLD_FOLD].letters, &rng);
	check_victim(&victim, each);
	ruleset_clear(&set, AC_BYTEA | AC_FOLD_ASCII);
	ruleset_random(&set, &rng, &worlds[WORLD_BYTES].letters, 60, 8);
	make_victim(&victim, "bytes", &set, &worlds[WORLD_BYTES].letters, &rng);
	check_victim(&victim, each);
	ruleset_free(&set);
	return tap_finish();
}
