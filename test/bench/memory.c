/*
 * memory.c
 *		Counts the bytes that this process has allocated, whoever asks.
 *
 * The C library's allocation functions are replaced by ones that add up what
 * malloc_usable_size() answers, and so see Hyperscan, RE2, Rust and ourselves
 * alike.  The benchmark has one thread.
 */
#include <errno.h>
#include <malloc.h>
#include <string.h>

#include "bench.h"

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

static size_t now;
static size_t peak;
static size_t calls;

size_t
memory_now(void)
{
	return now;
}

size_t
memory_peak(void)
{
	return peak;
}

size_t
memory_calls(void)
{
	return calls;
}

void
memory_mark(void)
{
	peak = now;
	calls = 0;
}

static void *
came(void *block)
{
	if (block != NULL)
		now += malloc_usable_size(block);
	if (now > peak)
		peak = now;
	calls++;
	return block;
}

void *
malloc(size_t size)
{
	return came(__libc_malloc(size));
}

void *
calloc(size_t count, size_t size)
{
	return came(__libc_calloc(count, size));
}

void *
realloc(void *block, size_t size)
{
	size_t		before = block != NULL ? malloc_usable_size(block) : 0;
	void	   *after = __libc_realloc(block, size);

	if (after != NULL || size == 0)
		now -= before;
	return came(after);
}

void
free(void *block)
{
	if (block != NULL)
		now -= malloc_usable_size(block);
	__libc_free(block);
}

void *
memalign(size_t alignment, size_t size)
{
	return came(__libc_memalign(alignment, size));
}

void *
aligned_alloc(size_t alignment, size_t size)
{
	return came(__libc_memalign(alignment, size));
}

int
posix_memalign(void **block, size_t alignment, size_t size)
{
	*block = came(__libc_memalign(alignment, size));
	return *block != NULL ? 0 : ENOMEM;
}
