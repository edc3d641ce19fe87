// A burst of frames, as arrays instead of one structure for each frame: what compilers turn into vector instructions.
#pragma once

#include <array>
#include <cstdint>

#include "flow/flow.h"
#include "wire/checksum.h"

namespace xlatperf::flow {

/// As many frames as a call of a driver sends or receives at most.
inline constexpr unsigned most_in_burst = 64;

/// Loops over a burst's arrays are over whole vectors of the largest kind: `n` rounded up.
constexpr unsigned whole_vectors(unsigned n) { return (n + 7) & ~7U; }

/// Element i belongs to frame i of the burst. All that is computed has 64 bits: loops over elements of several sizes would have
/// to pack and unpack them, and would take four times as many frames at once.
template <typename T> using OfBurst = std::array<T, most_in_burst>;

/// Source and destination port as they are in memory.
constexpr std::uint32_t ports_in_memory(std::uint16_t source, std::uint16_t destination) {
    return wire::network16(source) | std::uint32_t{wire::network16(destination)} << 16;
}

/// The flows of a burst's frames: `Flow`, with the ports as in memory.
struct FlowBurst {
    alignas(64) OfBurst<std::uint64_t> ports, source_host, destination_host;
    // Of flows that have them.
    alignas(64) OfBurst<std::uint64_t> connection, b4, subscriber, to_subscriber;

    void set(unsigned i, const Flow& flow) {
        ports[i] = ports_in_memory(flow.source_port, flow.destination_port);
        source_host[i] = flow.source_host;
        destination_host[i] = flow.destination_host;
        connection[i] = flow.connection;
        b4[i] = flow.b4;
        subscriber[i] = flow.subscriber;
        to_subscriber[i] = flow.to_subscriber;
    }
    Flow at(unsigned i) const {
        return {static_cast<std::uint32_t>(source_host[i]),
                static_cast<std::uint32_t>(destination_host[i]),
                wire::network16(static_cast<std::uint16_t>(ports[i])),
                wire::network16(static_cast<std::uint16_t>(ports[i] >> 16)),
                connection[i],
                static_cast<std::uint32_t>(b4[i]),
                subscriber[i],
                static_cast<std::uint32_t>(to_subscriber[i])};
    }
};

}  // namespace xlatperf::flow
