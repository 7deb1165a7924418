/*
 * ac_cpu.c
 *		What the processor can do.
 *
 * One binary runs anywhere: code for newer processors is compiled beside the
 * plain one (by a target attribute) and chosen at run time.  The answer is
 * asked of the processor each time, since that is only done when an engine is
 * built.
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

bool
acore_cpu_has_avx2(void)
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

#else

bool
acore_cpu_has_avx2(void)
{
	return false;
}

#endif
