// The counter that time is taken from: the time stamp counter of x86-64, the generic timer of arm64.
#pragma once

#include <rte_cycles.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#include <cstdint>

namespace xlatperf::eal {

inline std::uint64_t ticks() { return rte_rdtsc(); }

/// Of what has just been read: a CPU may read its counter before a load that stands earlier in the program, and a frame that is
/// written meanwhile would arrive before it was sent (Intel SDM, RDTSC: LFENCE in front of it; Arm ARM, CNTVCT_EL0: ISB).
inline std::uint64_t ticks_behind_loads() {
#if defined(__x86_64__)
    _mm_lfence();
#else
    asm volatile("dsb ishld\n\tisb" ::: "memory");
#endif
    return ticks();
}

}  // namespace xlatperf::eal
