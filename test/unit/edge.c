/*
 * edge.c
 *		Texts at the edges of readable memory.
 */
#define _DEFAULT_SOURCE
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "edge.h"
#include "tap.h"

/* EDGE_SIZE bytes between two unreadable pages. */
static uint8_t *
readable(size_t size)
{
	static uint8_t *base;
	size_t		page = (size_t) sysconf(_SC_PAGESIZE);

	if (size > EDGE_SIZE)
		tap_bail("text of %zu bytes is too long", size);
	if (base == NULL)
	{
		base = mmap(NULL, EDGE_SIZE + 2 * page, PROT_READ | PROT_WRITE,
					MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (base == MAP_FAILED ||
			mprotect(base, page, PROT_NONE) != 0 ||
			mprotect(base + page + EDGE_SIZE, page, PROT_NONE) != 0)
			tap_bail("could not map memory");
	}
	return base + page;
}

const uint8_t *
edge_end(const uint8_t *text, size_t size)
{
	uint8_t    *at = readable(size) + EDGE_SIZE - size;

	memcpy(at, text, size);
	return at;
}

const uint8_t *
edge_start(const uint8_t *text, size_t size)
{
	uint8_t    *at = readable(size);

	memcpy(at, text, size);
	return at;
}
