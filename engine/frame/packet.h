// A received frame taken apart, as far as its headers are consistent. Slow and careful: for frames that aren't as expected.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "technology/technology.h"

namespace xlatperf::frame {

struct Packet {
    wire::Family family;
    wire::Address source, destination;
    std::uint8_t hop_limit, traffic_class;
    std::uint32_t flow_label;     ///< 0 for IPv4
    std::uint8_t protocol;        ///< after all extension headers
    std::size_t ip;               ///< offset of the header
    std::size_t transport;        ///< offset of the transport header, or of the fragment's data
    std::size_t end;              ///< offset behind the IP packet; Ethernet padding may follow
    bool fragment = false;        ///< of a larger packet
    bool first_fragment = false;  ///< or not a fragment at all: the transport header is there
    bool extension_headers = false;
};

/// The packet in the `size` bytes at `bytes`; nothing unless IPv4 or IPv6 with lengths that fit.
std::optional<Packet> parse_packet(const std::uint8_t* bytes, std::size_t size);

/// A frame's packet; of one in a tunnel (RFC 2473) that is the inner one, and its outer header is there as well.
struct Nested {
    Packet packet;
    std::optional<Packet> outer;
};
/// Nothing unless the outermost packet can be parsed; what is inside only counts if it can be, too.
std::optional<Nested> parse_nested(const std::uint8_t* bytes, std::size_t size);

}  // namespace xlatperf::frame
