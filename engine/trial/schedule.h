// When frames are due: absolute, in fixed point. Frame k is due at start + k * interval, with 64 bits of fraction of a tick, so
// nothing drifts: after an hour at 150 Mfps the error is below 10^-6 ticks.
#pragma once

#include <cmath>
#include <cstdint>

namespace xlatperf::trial {

__extension__ using Ticks128 = unsigned __int128;  // 64.64 fixed point

/// Ticks between two frames as 64.64 fixed point. `ticks_per_second` and `rate_fps` are positive.
inline Ticks128 frame_interval(double ticks_per_second, double rate_fps) {
    const long double interval = static_cast<long double>(ticks_per_second) / static_cast<long double>(rate_fps);
    const long double whole = std::floor(interval);
    const auto fraction = static_cast<std::uint64_t>((interval - whole) * 18446744073709551616.0L);
    return (Ticks128{static_cast<std::uint64_t>(whole)} << 64) | fraction;
}

/// Walks through the due times of consecutive frames.
class DueTime {
  public:
    DueTime(std::uint64_t start, Ticks128 interval) : due_(Ticks128{start} << 64), interval_(interval) {}

    std::uint64_t ticks() const { return static_cast<std::uint64_t>(due_ >> 64); }
    void next() { due_ += interval_; }

  private:
    Ticks128 due_, interval_;
};

/// The due time of frame `sequence`, in one step.
inline std::uint64_t due_ticks(std::uint64_t start, Ticks128 interval, std::uint64_t sequence) {
    return start + static_cast<std::uint64_t>((interval * sequence) >> 64);
}

}  // namespace xlatperf::trial
