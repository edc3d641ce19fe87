// The clock of a NIC, in terms of the time stamp counter: both are read together when the port is opened and before each trial,
// and between and behind the readings the NIC's clock is taken for a straight line.
#pragma once

#include <cstdint>

#include "port/nic_time.h"

namespace xlatperf::trial {

class NicClock {
  public:
    __extension__ using Wide = __int128;

    /// `later` is read after `earlier`; both clocks have moved in between.
    NicClock(port::ClockPair earlier, port::ClockPair later)
        : at_(later),
          nic_per_tick_(ratio(later.nic - earlier.nic, later.ticks - earlier.ticks)),
          ticks_per_nic_(ratio(later.ticks - earlier.ticks, later.nic - earlier.nic)) {}

    std::uint64_t to_nic(std::uint64_t ticks) const { return at_.nic + scaled(difference(ticks, at_.ticks), nic_per_tick_); }
    std::uint64_t to_ticks(std::uint64_t nic) const { return at_.ticks + scaled(difference(nic, at_.nic), ticks_per_nic_); }

  private:
    static constexpr int fraction = 48;  // bits: an error below 10^-14, a nanosecond in a day

    static std::uint64_t ratio(std::uint64_t of, std::uint64_t to) {
        return static_cast<std::uint64_t>(((Wide{1} << fraction) * static_cast<Wide>(of)) / static_cast<Wide>(to));
    }
    static std::int64_t difference(std::uint64_t a, std::uint64_t b) { return static_cast<std::int64_t>(a - b); }
    static std::uint64_t scaled(std::int64_t by, std::uint64_t factor) {
        return static_cast<std::uint64_t>(
            static_cast<std::int64_t>((static_cast<Wide>(by) * static_cast<Wide>(factor)) >> fraction));
    }

    port::ClockPair at_;
    std::uint64_t nic_per_tick_, ticks_per_nic_;
};

}  // namespace xlatperf::trial
