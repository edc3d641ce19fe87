#include "trial/schedule/clock.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif
#include <time.h>

namespace xlatperf::trial {

Clock::Reading Clock::read() {
    // The narrowest of some readings: one that wasn't interrupted between the two counters.
    Reading best{0, 0, ~std::uint64_t{0}};
    for (int i = 0; i < 20; ++i) {
        timespec raw{};
        const std::uint64_t before = now();
        clock_gettime(CLOCK_MONOTONIC_RAW, &raw);
        const std::uint64_t after = now();
        const std::uint64_t width = after - before + 1;  // its last digit counts where it is slow: 25 MHz, say
        if (width < best.width_ticks) {
            best = {before + (after - before) / 2,
                    static_cast<std::uint64_t>(raw.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(raw.tv_nsec), width};
        }
    }
    return best;
}

Clock::Clock() : first_(read()) {}

Frequency Clock::measure() const {
    const Reading last = read();
    const double ticks = static_cast<double>(last.ticks - first_.ticks);
    const double seconds = static_cast<double>(last.raw_ns - first_.raw_ns) * 1e-9;
    if (seconds <= 0) return {1e9, 1e6};
    const double width = static_cast<double>(first_.width_ticks + last.width_ticks) / 2;
    return {ticks / seconds, width / ticks * 1e6};
}

void Clock::settle(double ppm, unsigned most_ms) const {
    for (unsigned ms = 0; ms < most_ms && measure().uncertainty_ppm > ppm; ++ms) {
        const timespec pause{0, 1'000'000};
        nanosleep(&pause, nullptr);
    }
}

bool Clock::invariant() {
#if defined(__x86_64__)
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & (1U << 8)) != 0;
#else
    return true;
#endif
}

}  // namespace xlatperf::trial
