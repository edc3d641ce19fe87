// Asks for the DUT's MAC address again while it is silent: after a reset it may have another one (RFC 6201 §4.2.1).
#pragma once

#include <algorithm>
#include <cstdint>

namespace xlatperf::trial {

/// When to ask. Each question comes after a hundredth of the silence, so that a reset time grows by no more than that.
class Inquiry {
  public:
    static constexpr double soonest_s = 0.01;

    /// Silence counts from the longest interval on in which a DUT that forwards is silent too.
    Inquiry(double slowest_fps, double ticks_per_second)
        : soonest_ticks_(static_cast<std::uint64_t>(soonest_s * ticks_per_second)),
          silence_ticks_(std::max(soonest_ticks_, static_cast<std::uint64_t>(4 / slowest_fps * ticks_per_second))) {}

    /// Whether to ask now. `last_arrival`: of a test frame, or when the first one was due.
    bool due(std::uint64_t now, std::uint64_t last_arrival) {
        if (now < last_arrival + silence_ticks_ || now < next_) return false;
        next_ = now + std::max(soonest_ticks_, (now - last_arrival) / 100);
        return true;
    }

  private:
    std::uint64_t soonest_ticks_, silence_ticks_, next_ = 0;
};

}  // namespace xlatperf::trial
