/*
 * ac_cpu.c
 *		What the processor can do.
 *
 * One binary runs anywhere: code for newer processors is compiled beside the
 * plain one (by a target attribute) and chosen at run time.  The processor is
 * asked once, since a virtual machine may take long to answer.
 */
#include "ac_cpu.h"

#ifdef AC_HAVE_AVX2

#include <cpuid.h>
#include <stdint.h>

#define CPUID_1_ECX_OSXSAVE	(1u << 27)
#define CPUID_7_EBX_AVX2	(1u << 5)
#define XCR0_SSE_AND_AVX	6u

/* The register that tells what the operating system saves. */
static uint32_t
read_xcr0(void)
{
	uint32_t	low;
	uint32_t	high;

	__asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	return low;
}

static bool
ask_for_avx2(void)
{
	unsigned	eax;
	unsigned	ebx;
	unsigned	ecx;
	unsigned	edx;

	if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) ||
		(ecx & CPUID_1_ECX_OSXSAVE) == 0 ||
		(read_xcr0() & XCR0_SSE_AND_AVX) != XCR0_SSE_AND_AVX)
		return false;
	return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) &&
		(ebx & CPUID_7_EBX_AVX2) != 0;
}

bool
acore_cpu_has_avx2(void)
{
	static enum
	{
		UNKNOWN, NO, YES
	}			answer = UNKNOWN;

	if (answer == UNKNOWN)
		answer = ask_for_avx2() ? YES : NO;
	return answer == YES;
}

#else

bool
acore_cpu_has_avx2(void)
{
	return false;
}

#endif
