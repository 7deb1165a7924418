/*
 * seeds.c
 *		Writes images for fuzz_image to start from.
 *
 * They are made anew by each run, so that they are always of the format that
 * is tested.  Usage: seeds DIRECTORY.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "worlds.h"

static void
write_seed(const char *directory, size_t number, const RuleSet *set)
{
	TestHost	host;
	uint8_t    *image;
	size_t		size;
	char		path[4096];
	FILE	   *file;

	test_host_init(&host);
	if (acore_build(&set->rules, &host.host, 0, SUBJECT_LIMIT, &image, &size) !=
		AC_OK)
		tap_bail("could not build");
	snprintf(path, sizeof(path), "%s/seed-%02zu", directory, number);
	file = fopen(path, "wb");
	if (file == NULL || fwrite(image, 1, size, file) != size ||
		fclose(file) != 0)
		tap_bail("could not write %s", path);
	host.host.release(&host, image, size);
}

int
main(int argc, char **argv)
{
	static const uint32_t counts[] = {0, 1, 3, 20, 100};
	Rng			rng = {1};
	RuleSet		set;
	size_t		i;

	if (argc != 2)
		tap_bail("usage: seeds DIRECTORY");
	ruleset_init(&set, 0);
	for (i = 0; i < 60; i++)
	{
		const World *world = &worlds[i % world_count];
		uint32_t	count = counts[i % 5];
		uint32_t	n;

		ruleset_clear(&set, world->options);
		ruleset_random(&set, &rng, &world->letters, count, 3 + i / 2);
		for (n = 0; n < count; n++)
			set.ids[n] = (int64_t) rng_next(&rng) >> rng_below(&rng, 64);
		if (i % 2 == 0)
			set.rules.ids = set.ids;
		write_seed(argv[1], i, &set);
	}
	ruleset_free(&set);
	return 0;
}
