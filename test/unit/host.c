/*
 * host.c
 *		The surroundings of the core in tests.
 *
 * Each block carries its size in front, where a release with another size is
 * noticed:
 *
 *		| size (8) | mark (8) | block ...				|
 *		 ^ poisoned under the address sanitizer
 *
 * so the sanitizer sees underruns of the block although the header is ours.
 * Fresh memory is filled with host->fill and released memory scribbled over,
 * so that neither reads as the zeros of a quiet machine.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <openssl/evp.h>

#include "host.h"
#include "tap.h"

#if defined(__SANITIZE_ADDRESS__)
#define HAVE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAVE_ASAN 1
#endif
#endif

#ifdef HAVE_ASAN
#include <sanitizer/asan_interface.h>
#define POISON(at, size) ASAN_POISON_MEMORY_REGION(at, size)
#define UNPOISON(at, size) ASAN_UNPOISON_MEMORY_REGION(at, size)
#else
#define POISON(at, size) ((void) 0)
#define UNPOISON(at, size) ((void) 0)
#endif

#define HEAD 16
#define MARK UINT64_C(0x5AFEB10C5AFEB10C)

static void
fault(TestHost *host, const char *what)
{
	host->faults++;
	tap_note("fault: %s", what);
}

/* 0 unless the host is timed: asking the clock takes longer than most calls. */
static double
processor_time(const TestHost *host)
{
	struct timespec now;

	if (!host->timed)
		return 0;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

static void *
host_allocate(void *context, size_t size)
{
	TestHost   *host = context;
	double		start = processor_time(host);
	uint64_t	head[2];
	uint8_t    *block;

	host->allocations++;
	if (size == 0)
		fault(host, "allocation of no bytes");
	if (host->fail_at != 0 &&
		(host->allocations == host->fail_at ||
		 (host->fail_on && host->allocations > host->fail_at)))
		return NULL;
	if (host->limit != 0 && (size > host->limit ||
							 host->current > host->limit - size))
		return NULL;
	block = test_malloc(size + HEAD);
	head[0] = size;
	head[1] = MARK;
	memcpy(block, head, HEAD);
	memset(block + HEAD, host->fill, size);
	POISON(block, HEAD);
	host->current += size;
	if (host->current > host->peak)
		host->peak = host->current;
	/* filling is not the core's work */
	host->polled += processor_time(host) - start;
	return block + HEAD;
}

static void
host_release(void *context, void *pointer, size_t size)
{
	TestHost   *host = context;
	double		start = processor_time(host);
	uint64_t	head[2];
	uint8_t    *block;

	if (pointer == NULL)
	{
		fault(host, "release of NULL");
		return;
	}
	block = (uint8_t *) pointer - HEAD;
	UNPOISON(block, HEAD);
	memcpy(head, block, HEAD);
	if (head[1] != MARK)
	{
		fault(host, "release of what was never allocated");
		return;
	}
	if (head[0] != size)
		fault(host, "release with another size");
	host->current -= head[0];
	memset(block, 0xDD, head[0] + HEAD);
	free(block);
	host->polled += processor_time(host) - start;
}

void
test_host_poll(TestHost *host)
{
	double		now = processor_time(host);

	if (now - host->polled > host->gap)
		host->gap = now - host->polled;
	host->polled = now;
}

static bool
host_interrupted(void *context)
{
	TestHost   *host = context;

	host->polls++;
	test_host_poll(host);
	return host->interrupt_at != 0 && host->polls >= host->interrupt_at;
}

/* The Castagnoli polynomial, reflected, a byte at a time. */
static uint32_t
host_crc32c(void *context, const void *data, size_t size)
{
	static uint32_t table[256];
	TestHost   *host = context;
	const uint8_t *byte = data;
	uint32_t	crc = UINT32_MAX;
	size_t		i;

	test_host_poll(host);
	if (table[1] == 0)
		for (i = 0; i < 256; i++)
		{
			uint32_t	value = (uint32_t) i;
			int			bit;

			for (bit = 0; bit < 8; bit++)
				value = (value >> 1) ^ ((value & 1) ? 0x82F63B78 : 0);
			table[i] = value;
		}
	for (i = 0; i < size; i++)
		crc = (crc >> 8) ^ table[(crc ^ byte[i]) & 0xFF];
	/* a real host looks for interrupts while it sums up */
	host->polled = processor_time(host);
	return ~crc;
}

static void
host_sha256(void *context, const AcSpan *parts, int nparts, uint8_t digest[32])
{
	EVP_MD_CTX *sha = EVP_MD_CTX_new();
	TestHost   *host = context;
	bool		good;
	int			i;

	test_host_poll(host);
	good = sha != NULL && EVP_DigestInit_ex(sha, EVP_sha256(), NULL) == 1;
	for (i = 0; good && i < nparts; i++)
		good = EVP_DigestUpdate(sha, parts[i].data, parts[i].size) == 1;
	good = good && EVP_DigestFinal_ex(sha, digest, NULL) == 1;
	EVP_MD_CTX_free(sha);
	if (!good)
		tap_bail("could not compute SHA-256");
	host->polled = processor_time(host);
}

void
test_host_init(TestHost *host)
{
	memset(host, 0, sizeof(*host));
	host->host.context = host;
	host->host.allocate = host_allocate;
	host->host.release = host_release;
	host->host.interrupted = host_interrupted;
	host->host.crc32c = host_crc32c;
	host->host.sha256 = host_sha256;
	host->fill = 0xA5;
}

void
test_host_reset(TestHost *host)
{
	host->peak = host->current;
	host->allocations = 0;
	host->fail_at = 0;
	host->fail_on = false;
	host->polls = 0;
	host->interrupt_at = 0;
	host->polled = processor_time(host);
	host->gap = 0;
}

void *
test_malloc(size_t size)
{
	return test_grow(NULL, size);
}

void *
test_grow(void *pointer, size_t size)
{
	void	   *block = realloc(pointer, size > 0 ? size : 1);

	if (block == NULL)
		tap_bail("out of memory");
	return block;
}

bool
test_host_sound(void)
{
	static const uint8_t abc[4] = {0xBA, 0x78, 0x16, 0xBF};
	const AcSpan parts[2] = {{"a", 1}, {"bc", 2}};
	uint8_t		digest[32];
	TestHost	host;

	test_host_init(&host);
	host_sha256(&host, parts, 2, digest);
	return memcmp(digest, abc, sizeof(abc)) == 0 &&
		host_crc32c(&host, "123456789", 9) == 0xE3069283;
}
