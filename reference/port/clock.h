// Nanoseconds from the time stamp counter, calibrated against CLOCK_MONOTONIC_RAW: rte_get_tsc_hz() may be rounded.
#pragma once

#include <cstdint>

#include "eal/ticks.h"
#include "wire/address.h"

namespace xlatperf::reference {

class Clock {
  public:
    /// Takes the first reading.
    Clock();
    /// Takes the second one, at least 100 ms after the first, which makes an error of some 100 ns about 1 ppm.
    void calibrate();
    std::uint64_t now_ns() const { return since_start_ns(eal::ticks()); }
    std::uint64_t now_behind_loads_ns() const { return since_start_ns(eal::ticks_behind_loads()); }
    double hz() const { return hz_; }

  private:
    struct Reading {
        std::uint64_t cycles = 0, ns = 0;
    };
    Reading start_;
    std::uint64_t ns_per_cycle_ = 0;  // with 40 bits of fraction
    double hz_ = 0;
    static Reading read();
    std::uint64_t since_start_ns(std::uint64_t ticks) const {
        return static_cast<std::uint64_t>((wire::Bits128{ticks - start_.cycles} * ns_per_cycle_) >> 40);
    }
};

}  // namespace xlatperf::reference
