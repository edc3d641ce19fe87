// What is asked of one trial (RFC 2544 §23): fixed traffic, fixed rate, fixed duration.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "flow/beginnings.h"
#include "flow/connections.h"
#include "frame/alteration.h"
#include "frame/seal.h"
#include "wire/words.h"

namespace xlatperf::trial {

/// Which frames a frame size is of: those on the link of that family, or on either link those that the Tester sends there.
enum class FrameSizeOf : std::uint8_t { ipv4, ipv6, sender };
inline constexpr wire::Word<FrameSizeOf> frame_size_of_words[] = {
    {"ipv4", FrameSizeOf::ipv4}, {"ipv6", FrameSizeOf::ipv6}, {"sender", FrameSizeOf::sender}};

struct Pacing {
    unsigned burst = 32;       ///< at most so many frames leave in one call
    double catch_up = 2.0;     ///< a sender that was held up goes at most so many times as fast
    double late_us = 10000;    ///< a frame that leaves later than this counts as late
    double late_share = 0.01;  ///< more late frames than this make the trial invalid
    double overrun = 0.001;    ///< sending may take so much longer than the duration, as a share of it

    /// By how much sending may exceed `duration_s`: by less than a burst it can't be told from what one call takes.
    double most_overrun_s(double duration_s, double rate_fps) const {
        constexpr double one_call_s = 200e-6;
        return std::max(duration_s * overrun, std::min(burst / rate_fps, one_call_s));
    }
};

/// A rate that is kept for a while.
struct RateFor {
    double rate_fps, duration_s;
};

/// Flows begin one after the other before the rate is that of all (RFC 8219 §10.2.2); each has its share of it.
struct Incremental {
    std::uint32_t flows = 1;
    double interval_s = 1;

    double all_begun_s() const { return (flows - 1) * interval_s; }
    flow::Beginnings beginnings(double rate_fps) const { return {flows, rate_fps * interval_s / flows}; }
};

/// The tagged frames of the latency test (RFC 8219 §7.2).
struct Tags {
    std::uint64_t count = 10'000;  ///< so many, spread uniformly
    double from_s = 60;            ///< over the frames that are due from this time on
};

/// Which connections the frames belong to, in tests of stateful gateways (RFC 9693 §4).
struct ConnectionPhase {
    std::uint64_t count = 1;
    flow::Phase phase = flow::Phase::steady;
    std::uint32_t draw = 0;               ///< which four tuples: another number draws others, by the same seed
    std::optional<std::uint64_t> some{};  ///< each_once: only so many of them, whatever phase 1 has learnt
    std::uint64_t again = 0;              ///< establish: then the first so many once more
    bool keep = false;                    ///< establish: those of the phase 1 before, of which some weren't learnt

    /// Each connection has one frame.
    bool each_once() const { return phase != flow::Phase::steady; }
    /// Of phases in which each connection has one.
    std::uint64_t frames() const { return some.value_or(count) + again; }
};

/// The last `frames` of each direction, which aren't altered.
struct Fence {
    std::uint64_t frames = 10;
    double delays = 4;      ///< when it is back, so many times the longest delay seen is waited
    double least_s = 0.02;  ///< and at least that
};

struct Description {
    std::uint32_t session = 0;  ///< of the Tester's frames
    frame::Key key{};           ///< of their numbers' seals
    std::uint32_t number = 0;
    std::vector<std::size_t> frame_sizes = {84};  ///< with FCS; several: frames have them in turn, each class for itself
    FrameSizeOf frame_size_of = FrameSizeOf::ipv6;
    std::vector<RateFor> rates = {{1000, 1}};  ///< one after the other; at least one
    double timeout_s = 2;                      ///< for frames, after the last one left
    double settle_s = 0;                       ///< then frames are too late
    std::array<bool, 2> directions = {true, true};
    std::optional<double> frame_timeout_ms;
    std::optional<double> interval_s;  ///< also told of each such time; only with one rate
    bool histograms = false;
    std::optional<Incremental> incremental;  ///< only with one rate
    std::optional<Tags> tags;
    std::optional<ConnectionPhase> connections;
    bool delay_variation = false;  ///< IPDV (RFC 5481 §4.1)
    std::string raw_delays;        ///< keep each frame's delay for files of this name; empty: don't
    bool due_delays = false;       ///< delays from when frames were due, beside those from when they left
    unsigned samples = 4;
    unsigned lost_among = 0;      ///< of so many of the first frames who they are between, if any are lost
    bool follow_gateway = false;  ///< a DUT that falls silent is asked for its MAC address again, and frames go where it answers
    std::vector<frame::Change> changes;  ///< of foreground frames before the fence, before they leave
    std::optional<Fence> fence;          ///< when it is back, the timeout is cut short
    Pacing pacing;

    double duration_s() const {
        double sum = incremental ? incremental->all_begun_s() : 0;
        for (const auto& rate : rates) sum += rate.duration_s;
        return sum;
    }
    double slowest_fps() const {
        double slowest = rates.front().rate_fps / (incremental ? incremental->flows : 1);
        for (const auto& rate : rates) slowest = std::min(slowest, rate.rate_fps);
        return slowest;
    }
    double fastest_fps() const {
        double fastest = 0;
        for (const auto& rate : rates) fastest = std::max(fastest, rate.rate_fps);
        return fastest;
    }
};

}  // namespace xlatperf::trial
