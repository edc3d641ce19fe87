// Memory that is asked for before it is read, so that others are at work while it comes.
#pragma once

namespace xlatperf::wire {

/// An instruction that the compiler knows nothing of: a call of what only prefetches by its own built-in function is left out by
/// GCC, as one that does nothing.
[[gnu::always_inline]] inline void prefetch(const void* at) {
#if defined(__x86_64__)
    asm volatile("prefetcht0 %0" : : "m"(*static_cast<const char*>(at)));
#else
    asm volatile("prfm pldl1keep, %0" : : "Q"(*static_cast<const char*>(at)));
#endif
}

}  // namespace xlatperf::wire
