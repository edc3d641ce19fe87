// What about a frame isn't as it must be. Slow and careful.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "counter/counters.h"
#include "frame/packet.h"
#include "frame/stream.h"

namespace xlatperf::frame {

using counter::Reason;

struct Deviation {
    Reason reason;
    std::string text;  ///< what was seen, what was expected, and where that is written
};

/// A frame, taken apart, of a stream, which outlives it.
struct Dissected {
    const std::uint8_t* at;
    std::size_t size;
    Nested packets;

    const std::uint8_t* ip() const { return at + packets.packet.ip; }
    const std::uint8_t* udp() const { return at + packets.packet.transport; }
    const std::uint8_t* outer() const { return at + packets.outer->ip; }
};

/// `first`: what the frame is counted for. `accepted`: what else differs, in fields that the stream accepts.
struct Deviations {
    std::optional<Deviation> first;
    std::vector<Deviation> accepted;
};

/// Of a frame of class `of` that has the family of `image` and is in a tunnel if that is, beside the one that was expected.
Deviations deviations(const Stream& stream, Class of, const Image& image, const Dissected& seen, const Dissected& expected);

/// Whether the source of `packet`, of the frame at `at`, is in the pool of the stream.
bool in_pool(const Stream& stream, const std::uint8_t* at, const Packet& packet);

/// Whether the IPv4 packet's UDP checksum was left out, which is allowed (RFC 768).
bool has_no_udp_checksum(const Dissected& seen);

}  // namespace xlatperf::frame
