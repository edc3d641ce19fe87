// The clock of a NIC, in terms of the time stamp counter: both are read together twice, and between and behind the readings the
// NIC's clock is taken for a straight line. Drift of the NIC's oscillator (parts per million) over a trial is what the second
// reading is for.
#pragma once

#include <cstdint>

namespace xlatperf::trial {

struct ClockPair {
    std::uint64_t ticks, nic;  ///< the time stamp counter and the NIC's clock at the same moment
};

class NicClock {
  public:
    __extension__ using Wide = __int128;

    /// `later` is read after `earlier`; both clocks have moved in between.
    NicClock(ClockPair earlier, ClockPair later)
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

    ClockPair at_;
    std::uint64_t nic_per_tick_, ticks_per_nic_;
};

}  // namespace xlatperf::trial
