#include "port/clock.h"

#include <time.h>

#include <limits>

namespace xlatperf::reference {

namespace {
std::uint64_t raw_ns() {
    timespec t{};
    clock_gettime(CLOCK_MONOTONIC_RAW, &t);
    return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(t.tv_nsec);
}
}  // namespace

/// The closest of several pairs: a reading between two counts that are near each other.
Clock::Reading Clock::read() {
    Reading best;
    std::uint64_t narrowest = std::numeric_limits<std::uint64_t>::max();
    for (int i = 0; i < 64; ++i) {
        const std::uint64_t before = rte_rdtsc();
        const std::uint64_t ns = raw_ns();
        const std::uint64_t width = rte_rdtsc() - before;
        if (width >= narrowest) continue;
        narrowest = width;
        best = {before + width / 2, ns};
    }
    return best;
}

Clock::Clock() : start_(read()) {}

void Clock::calibrate() {
    constexpr std::uint64_t apart_ns = 100'000'000;
    for (std::uint64_t now = raw_ns(); now < start_.ns + apart_ns; now = raw_ns()) {
        const timespec rest{0, static_cast<long>(start_.ns + apart_ns - now)};
        nanosleep(&rest, nullptr);
    }
    const Reading end = read();
    const auto ns = static_cast<long double>(end.ns - start_.ns), cycles = static_cast<long double>(end.cycles - start_.cycles);
    ns_per_cycle_ = static_cast<std::uint64_t>(ns / cycles * (1ULL << 40) + 0.5L);
    hz_ = static_cast<double>(cycles / ns * 1e9L);
}

}  // namespace xlatperf::reference
