// Networks and ports that are drawn at random and with replacement, for a burst of frames at once.
#pragma once

#include <cstdint>

#include "flow/burst.h"
#include "flow/random.h"

namespace xlatperf::flow {

/// The halves of a random number, of which each draws something.
constexpr std::uint32_t low_half(std::uint64_t random) { return static_cast<std::uint32_t>(random); }
constexpr std::uint32_t high_half(std::uint64_t random) { return static_cast<std::uint32_t>(random >> 32); }

/// One of `ports` ports, as it is in memory.
constexpr std::uint32_t drawn_port(std::uint32_t first, std::uint32_t random, std::uint32_t ports) {
    return wire::network16(static_cast<std::uint16_t>(first + spread(random, ports)));
}

/// Zeros for all frames of a burst; by vectors, as loading vectors of what was stored in smaller parts has to wait.
void clear(std::uint32_t* values, unsigned n);
void clear(std::uint64_t* values, unsigned n);

/// What is drawn for each frame, out of how many.
struct Drawing {
    std::uint64_t key;
    std::uint32_t first_source_port, source_ports, first_destination_port, destination_ports;
    std::uint32_t source_networks, destination_networks;
};

/// Of the frames with these numbers, the same as `Enumeration` draws for each. `sequences` can be read up to `whole_vectors(n)`.
void draw(const Drawing& drawing, const std::uint64_t* sequences, unsigned n, FlowBurst& found);

}  // namespace xlatperf::flow
