// What is said of many delays: RFC 2330 §11.3's percentiles.
#pragma once

#include <cstdint>

#include "trial/tally/histogram.h"

namespace xlatperf::trial {

/// Nanoseconds. All but the count mean something only if it isn't 0.
struct DelaySummary {
    std::uint64_t count = 0, minimum = 0, p1 = 0;
    double median = 0, mean = 0;
    std::uint64_t p99 = 0, p999 = 0, maximum = 0;
};

inline DelaySummary summarise(const Histogram& delay) {
    const std::uint64_t n = delay.count();
    if (n == 0) return {};
    return {n,
            delay.minimum(),
            delay.percentile(10),
            delay.median(),
            static_cast<double>(delay.sum()) / static_cast<double>(n),
            delay.percentile(990),
            delay.percentile(999),
            delay.maximum()};
}

}  // namespace xlatperf::trial
