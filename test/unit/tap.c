/*
 * tap.c
 *		Test results in the Test Anything Protocol, and random numbers.
 *
 * The plan is printed at the end, so that nobody has to count tests.  A
 * program that dies on its way prints no plan, which a TAP reader takes for a
 * failure.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tap.h"

static struct
{
	int			run;
	int			failed;
	uint64_t	seed;
	uint64_t	count;			/* 0: the default of the program */
	uint32_t	share;
	bool		longer;
}			tap;

static uint64_t
number(const char *text)
{
	char	   *end;
	uint64_t	value = strtoull(text, &end, 0);

	if (*text == '\0' || *end != '\0')
		tap_bail("not a number: \"%s\"", text);
	return value;
}

void
tap_start(int argc, char **argv)
{
	const char *value;
	int			i;

	/* a crash must not swallow the lines before it */
	setvbuf(stdout, NULL, _IOLBF, 0);
	tap.seed = (uint64_t) time(NULL);
	tap.share = 1;
	if ((value = getenv("AC_TEST_SEED")) != NULL)
		tap.seed = number(value);
	if ((value = getenv("AC_TEST_COUNT")) != NULL)
		tap.count = number(value);
	if ((value = getenv("AC_TEST_SHARE")) != NULL)
		tap.share = (uint32_t) number(value);
	if ((value = getenv("AC_TEST_LONG")) != NULL)
		tap.longer = number(value) != 0;
	for (i = 1; i < argc; i++)
	{
		if (strcmp(argv[i], "--long") == 0)
			tap.longer = true;
		else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc)
			tap.seed = number(argv[++i]);
		else if (strcmp(argv[i], "--count") == 0 && i + 1 < argc)
			tap.count = number(argv[++i]);
		else if (strcmp(argv[i], "--share") == 0 && i + 1 < argc)
			tap.share = (uint32_t) number(argv[++i]);
		else
			tap_bail("unknown argument \"%s\"", argv[i]);
	}
	if (tap.share == 0)
		tap.share = 1;
	printf("# seed %" PRIu64 "\n", tap.seed);
}

uint64_t
tap_seed(void)
{
	return tap.seed;
}

bool
tap_long(void)
{
	return tap.longer;
}

uint64_t
tap_count(uint64_t quick, uint64_t longer)
{
	if (tap.count != 0)
		return tap.count;
	return tap.longer ? longer : quick;
}

uint32_t
tap_share(void)
{
	return tap.longer ? 1 : tap.share;
}

bool
tap_ok(bool good, const char *name,...)
{
	va_list		args;

	tap.run++;
	if (!good)
		tap.failed++;
	printf("%sok %d - ", good ? "" : "not ", tap.run);
	va_start(args, name);
	vprintf(name, args);
	va_end(args);
	putchar('\n');
	return good;
}

void
tap_skip(const char *name, const char *reason)
{
	printf("ok %d - %s # SKIP %s\n", ++tap.run, name, reason);
}

void
tap_note(const char *text,...)
{
	va_list		args;

	printf("# ");
	va_start(args, text);
	vprintf(text, args);
	va_end(args);
	putchar('\n');
}

void
tap_bail(const char *text,...)
{
	va_list		args;

	printf("Bail out! ");
	va_start(args, text);
	vprintf(text, args);
	va_end(args);
	putchar('\n');
	exit(255);
}

int
tap_finish(void)
{
	printf("1..%d\n", tap.run);
	if (tap.failed > 0)
		tap_note("%d of %d failed; seed %" PRIu64, tap.failed, tap.run,
				 tap.seed);
	return tap.failed > 0 ? 1 : 0;
}

uint64_t
rng_next(Rng *rng)
{
	uint64_t	z = (rng->state += UINT64_C(0x9E3779B97F4A7C15));

	z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
	return z ^ (z >> 31);
}

uint32_t
rng_below(Rng *rng, uint32_t bound)
{
	return (uint32_t) (((rng_next(rng) >> 32) * bound) >> 32);
}

bool
rng_chance(Rng *rng, uint32_t percent)
{
	return rng_below(rng, 100) < percent;
}
