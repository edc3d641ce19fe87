// Loops over arrays that the compiler turns into vector instructions.
#pragma once

/// Of a function: it is compiled for AVX2 and for AVX-512 (x86-64-v4) as well; which one is used is chosen when the program is
/// loaded. What it calls has to be inlined. Not with sanitizers: they aren't ready when that is chosen. Tests define it to take
/// one of them.
#if !defined(XLATPERF_VECTOR_CLONES)
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define XLATPERF_VECTOR_CLONES
#endif
#endif
#if defined(XLATPERF_VECTOR_CLONES)
#elif !defined(__x86_64__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define XLATPERF_VECTOR_CLONES
#else
#define XLATPERF_VECTOR_CLONES [[gnu::target_clones("default", "avx2", "arch=x86-64-v4")]]
#endif
#endif
