// Hosts and ports that are drawn at random and with replacement, for a burst of frames at once.
#pragma once

#include <cstdint>

#include "flow/burst.h"
#include "flow/random.h"

namespace xlatperf::flow {

/// The halves of a random number, of which each draws something.
constexpr std::uint64_t low_half(std::uint64_t random) { return random & 0xffffffff; }
constexpr std::uint64_t high_half(std::uint64_t random) { return random >> 32; }

/// As `spread`, of half a random number.
constexpr std::uint64_t spread_half(std::uint64_t half, std::uint64_t count) { return half * count >> 32; }

/// A port as it is in memory: `wire::network16`, in 64 bits.
constexpr std::uint64_t port_in_memory(std::uint64_t port) { return (port & 0xff) << 8 | port >> 8; }

/// Zeros for all frames of a burst; by vectors, as loading vectors of what was stored in smaller parts has to wait.
void clear(std::uint64_t* values, unsigned n);

/// What is drawn for each frame, out of how many.
struct Drawing {
    std::uint64_t key;
    std::uint64_t first_source_port, source_ports, first_destination_port, destination_ports;
    std::uint64_t source_hosts, destination_hosts;
};

/// Of the frames with these numbers, the same as `Enumeration` draws for each. `sequences` can be read up to `whole_vectors(n)`.
void draw(const Drawing& drawing, const std::uint64_t* sequences, unsigned n, FlowBurst& found);

}  // namespace xlatperf::flow
