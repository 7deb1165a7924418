/*
 * ac_cpu.h
 *		What the processor can do.
 */
#ifndef AC_CPU_H
#define AC_CPU_H

#include <stdbool.h>

#if defined(__x86_64__) && !defined(AC_NO_SIMD)
#define AC_HAVE_AVX2
#endif

#pragma GCC visibility push(hidden)

/* Whether AVX2 can be used: compiled in, in the processor, and kept by the
 * operating system over context switches. */
bool		acore_cpu_has_avx2(void);

#pragma GCC visibility pop

#endif							/* AC_CPU_H */
