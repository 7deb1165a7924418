/*
 * fuzz_image.c
 *		libFuzzer target: any bytes as an image.
 *
 * The checksum is made right first, so that the structure check stands alone.
 * It rejects the bytes, or everything that can be done with such an image ends
 * soon, stays inside and gives back its memory.  The bodies are a stretch of
 * the image itself and the patterns that it claims to hold, where matches are
 * most likely.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "survive.h"

#define BODY 2000

int			LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Copies the patterns out of an image, as many as fit. */
static size_t
patterns_of(TestHost *host, const uint8_t *image, size_t size, uint8_t *out)
{
	AcAutomaton automaton;
	AcRules		rules;
	void	   *block;
	size_t		block_size;
	size_t		bytes = 0;

	if (acore_open(image, size, &host->host, &automaton) != AC_OK)
		abort();
	if (acore_extract(&automaton, &rules, &block, &block_size) == AC_OK)
	{
		bytes = (size_t) rules.offsets[rules.count];
		bytes = bytes < BODY ? bytes : BODY;
		memcpy(out, rules.pool, bytes);
		host->host.release(host, block, block_size);
	}
	acore_close(&automaton);
	return bytes;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	TestHost	host;
	uint8_t    *image;
	uint8_t		patterns[BODY];
	AcSpan		bodies[2];
	Rng			rng = {size};

	if (size < AC_HEADER_SIZE)
		return 0;
	test_host_init(&host);
	host.limit = (size_t) 64 << 20;
	image = test_malloc(size);
	memcpy(image, data, size);
	acore_seal(image, size, &host.host);
	if (acore_verify(image, size, &host.host) == AC_OK)
	{
		bodies[0].data = image;
		bodies[0].size = size < BODY ? size : BODY;
		bodies[1].data = patterns;
		bodies[1].size = patterns_of(&host, image, size, patterns);
		if (!image_survives(&host, image, size, bodies, 2, &rng))
			abort();
	}
	if (host.current != 0 || host.faults != 0)
		abort();
	free(image);
	return 0;
}
