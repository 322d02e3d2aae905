// For loops that the compiler should make several times, each for a generation of processors; which one runs
// is decided when the program is loaded. Sums are grouped the same way in all of them.
#pragma once

#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__)
#define RF_FOR_EACH_PROCESSOR __attribute__((target_clones("default", "avx2,fma", "avx512f")))
#else
#define RF_FOR_EACH_PROCESSOR
#endif
