// The flows of a burst of frames, drawn all at once: arrays instead of one structure for each frame.
#pragma once

#include <array>
#include <cstdint>

namespace xlatperf::flow {

/// As many frames as a call of a driver sends or receives at most.
inline constexpr unsigned most_in_burst = 64;

/// Loops over a burst's arrays are over whole vectors of the largest kind: `n` rounded up.
constexpr unsigned whole_vectors(unsigned n) { return (n + 7) & ~7U; }

/// Element i belongs to frame i of the burst.
struct FlowBurst {
    alignas(64) std::array<std::uint32_t, most_in_burst> ports;  ///< source and destination port, as in memory
    alignas(64) std::array<std::uint32_t, most_in_burst> source_network, destination_network;
};

/// What is drawn for each frame, out of how many.
struct Drawing {
    std::uint64_t key;
    std::uint32_t first_source_port, source_ports, first_destination_port, destination_ports;
    std::uint32_t source_networks, destination_networks;
};

/// Of the frames with these numbers, the same as `Enumeration` draws for each. With one network on both sides, `found` only has
/// ports. `sequences` can be read up to `whole_vectors(n)`.
void draw(const Drawing& drawing, const std::uint64_t* sequences, unsigned n, FlowBurst& found);

}  // namespace xlatperf::flow
