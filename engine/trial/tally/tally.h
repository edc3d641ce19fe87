// What one worker counted. Nobody else touches it until everything has stopped.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "counter/counters.h"
#include "flow/traffic_mix.h"
#include "frame/classifier.h"
#include "trial/tally/histogram.h"
#include "trial/tally/numbered_delays.h"

namespace xlatperf::trial {

/// A frame's delay, kept when each one is wanted.
struct RawDelay {
    std::uint64_t number, delay_ns;
};

/// The least and the most of some numbers.
struct Extent {
    std::uint8_t least = 255, most = 0;

    bool any() const { return least <= most; }
    void add(std::uint8_t number) {
        least = std::min(least, number);
        most = std::max(most, number);
    }
    void add(const Extent& other) {
        least = std::min(least, other.least);
        most = std::max(most, other.most);
    }
};

/// Frames of one class of one direction.
struct ClassTally {
    counter::Counts<counter::Reason> by_reason;
    counter::Counts<counter::Remark> remarks;
    std::uint64_t arrived = 0;  ///< different numbers that arrived, in whatever condition
    std::uint64_t negative_delay = 0;
    Extent hop_limit, outer_hop_limit;  ///< of frames where one of them is wrong, as they arrived
    Histogram delay;                    ///< of frames that are as expected, or late
    NumberedDelays numbered;            ///< by the numbers that frames have in their class
    std::vector<RawDelay> raw_delays;   ///< in the order of arrival
    std::optional<Histogram> delay_from_due;
    std::uint64_t before_due = 0;  ///< frames that arrived before they were due: the clocks disagree

    /// Right frames that came before the wait was over.
    std::uint64_t in_time() const { return by_reason[counter::Reason::expected] + by_reason[counter::Reason::late]; }

    /// What another receiver of the direction counted.
    void add(const ClassTally& other);
    /// So many of the numbers arrived at another receiver before.
    void arrived_twice(std::uint64_t numbers);
};

/// The longest time without a right frame between two of them, as RFC 6201 §1.3's time stamp method wants it.
struct ArrivalGap {
    std::uint64_t ticks = 0, before = 0, after = 0;  ///< numbers of the frames around it
};

/// What arrived on one side and belongs to no class.
struct StrayTally {
    using Icmp = std::tuple<int, int, int, std::string>;  // version, type, code, from
    static constexpr std::size_t most_icmp_kinds = 32;

    std::uint64_t received = 0;  ///< all frames that arrived on the side
    counter::Counts<counter::Stray> by_kind;
    std::map<Icmp, std::uint64_t> icmp_errors;

    /// That arrived between this trial and the one before.
    void add_stale(std::uint64_t frames) {
        received += frames;
        by_kind[counter::Stray::stale] += frames;
    }
    void add_icmp_error(Icmp kind, std::uint64_t times = 1);
    /// What another receiver of the side counted.
    void add(const StrayTally& other);
};

}  // namespace xlatperf::trial
