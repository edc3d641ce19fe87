// The processor's counter (eal/ticks.h), calibrated. DPDK rounds an estimated frequency to 10 MHz, which would put every rate and
// delay off by up to 0.15 %; so the counter is compared with CLOCK_MONOTONIC_RAW over the whole life of the engine.
#pragma once

#include <cstdint>

#include "eal/ticks.h"

namespace xlatperf::trial {

/// Frequency of the counter as known so far.
struct Frequency {
    double hz;
    double uncertainty_ppm;  ///< from the width of the two readings that it was computed from
};

class Clock {
  public:
    Clock();

    static std::uint64_t now() { return eal::ticks(); }
    static std::uint64_t now_behind_loads() { return eal::ticks_behind_loads(); }

    /// The frequency since construction; the longer ago, the more certain.
    Frequency measure() const;

    /// Waits until the frequency is certain to `ppm`, or for `most_ms`.
    void settle(double ppm, unsigned most_ms) const;

    /// Whether the CPU says that the counter runs at a constant rate, also in idle states (CPUID 80000007h, EDX bit 8); that of
    /// arm64 always does (Arm ARM, the Generic Timer).
    static bool invariant();

  private:
    struct Reading {
        std::uint64_t ticks, raw_ns, width_ticks;
    };
    static Reading read();
    Reading first_;
};

/// Ticks to nanoseconds by multiplication, for the hot path.
class TickScale {
  public:
    explicit TickScale(double hz) : factor_(static_cast<std::uint64_t>(1e9 / hz * 4294967296.0 + 0.5)) {}
    /// Relative error at most 2^-31 for frequencies up to 5 GHz.
    std::uint64_t ns(std::uint64_t ticks) const {
        __extension__ using Wide = unsigned __int128;
        return static_cast<std::uint64_t>((Wide{ticks} * factor_) >> 32);
    }

  private:
    std::uint64_t factor_;
};

}  // namespace xlatperf::trial
