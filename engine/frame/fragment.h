// A fragment as it arrives (RFC 791 §3.2, RFC 8200 §4.5): of the outermost packet, or of an IPv4 packet in an IPv6 tunnel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "wire/address.h"
#include "wire/ethernet.h"

namespace xlatperf::frame {

/// Where what is in it is in its frame, and where that belongs.
struct Fragment {
    wire::Family family;
    std::size_t ip;           ///< where the header is
    std::size_t headers_end;  ///< IPv4: of the header; IPv6: of all that is in front of the Fragment header
    std::size_t data, end;    ///< its part of the packet is from here to there
    std::size_t offset;       ///< bytes of the packet in front of this part
    bool more;                ///< it isn't the last one
    std::uint32_t identification;
    std::uint8_t protocol;    ///< IPv4: of the header; IPv6: what follows the Fragment header
    std::size_t protocol_at;  ///< where the header field is that says what follows it
    bool checksum_is_right;   ///< of the IPv4 header; true for IPv6

    bool in_tunnel() const { return ip > wire::ethernet::size; }
};

/// Nothing unless the frame has one whose lengths fit: all but the last one are multiples of 8 bytes. An atomic fragment
/// (RFC 6946) is none.
std::optional<Fragment> parse_fragment(const std::uint8_t* at, std::size_t size);

}  // namespace xlatperf::frame
