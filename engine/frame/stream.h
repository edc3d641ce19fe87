// All frames of one direction of a trial, as they leave and as they must arrive.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "flow/enumeration.h"
#include "flow/traffic_mix.h"
#include "frame/image.h"

namespace xlatperf::frame {

using flow::Class;

struct Stream {
    flow::Direction direction;
    std::uint32_t trial_number;
    std::uint64_t frames;  ///< numbers are below this
    flow::Enumeration foreground_flows, background_flows;
    flow::TrafficMix mix;
    bool translated;  ///< RFC 7915: the DUT chooses IPv4 identification and DF
    bool loopback;    ///< no DUT
    std::array<std::optional<Image>, flow::classes> sent, expected;

    const flow::Enumeration& flows(Class c) const { return c == Class::foreground ? foreground_flows : background_flows; }
    const Image& sent_image(Class c) const { return *sent[static_cast<std::size_t>(c)]; }
    const Image& expected_image(Class c) const { return *expected[static_cast<std::size_t>(c)]; }
};

}  // namespace xlatperf::frame
