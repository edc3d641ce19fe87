// What is asked of one trial (RFC 2544 §23): fixed traffic, fixed rate, fixed duration.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "wire/address.h"

namespace xlatperf::trial {

struct Pacing {
    unsigned burst = 32;           ///< at most so many frames leave in one call
    double catch_up = 2.0;         ///< a sender that was held up goes at most so many times as fast
    double late_us = 10000;        ///< a frame that leaves later than this counts as late
    double late_share = 0.01;      ///< more late frames than this make the trial invalid
    double overrun = 0.001;        ///< sending may take so much longer than the duration, as a share of it, at least 1 ms
};

struct Description {
    std::uint32_t number = 0;
    std::size_t frame_size = 84;  ///< with FCS
    wire::Family frame_size_of = wire::Family::ipv6;
    double rate_fps = 1000, duration_s = 1, timeout_s = 2;
    std::array<bool, 2> directions = {true, true};
    std::optional<double> frame_timeout_ms;
    bool histograms = false;
    unsigned samples = 4;
    Pacing pacing;
};

}  // namespace xlatperf::trial
