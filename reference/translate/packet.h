// IP packets as they arrive: every length is checked against the bytes that are there before anything is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "wire/address.h"

namespace xlatperf::reference {

using Bytes = std::span<const std::uint8_t>;
using MutableBytes = std::span<std::uint8_t>;

/// RFC 7915 §5.1: IPv4 packets up to this size leave a translator with DF 0, so that paths with a small MTU work.
inline constexpr std::size_t always_fragmentable = 1260;

/// A packet quoted by an ICMP error ends early: its length fields tell of more than is there (RFC 792, RFC 4443 §2.4).
enum class Completeness : std::uint8_t { whole, quoted };

/// RFC 791 §3.1.
struct Ipv4Packet {
    Bytes header;   // with options
    Bytes payload;  // up to the total length, or as far as a quoted packet goes
    std::size_t total_length = 0;
    std::uint16_t identification = 0, fragment_offset = 0;  // the offset in units of 8 bytes
    std::uint8_t tos = 0, ttl = 0, protocol = 0;
    bool dont_fragment = false, more_fragments = false;
    wire::Ipv4Address source, destination;
    bool is_fragment() const { return more_fragments || fragment_offset != 0; }
};

/// RFC 8200 §4.5.
struct Ipv6Fragment {
    std::uint32_t identification = 0;
    std::uint16_t offset = 0;  // in units of 8 bytes
    bool more = false;
    bool is_fragment() const { return more || offset != 0; }
};

/// RFC 8200 §3, with its extension headers read.
struct Ipv6Packet {
    Bytes headers;                   // the fixed header and the extension headers
    Bytes payload;                   // the upper-layer header and what follows, as far as it's there
    std::size_t payload_length = 0;  // the field: extension headers included
    std::uint8_t traffic_class = 0, hop_limit = 0;
    std::uint8_t protocol = 0;           // what `payload` is
    std::uint8_t fixed_next_header = 0;  // the fixed header's own next header field
    std::optional<Ipv6Fragment> fragment;
    bool extension_after_fragment = false;
    std::optional<std::size_t> segments_left_at;  // offset of a routing header's non-zero Segments Left
    wire::Ipv6Address source, destination;
    bool is_fragment() const { return fragment && fragment->is_fragment(); }
};

/// The addresses of a packet that is made: the ends of a tunnel, or what IPv4 addresses are translated to.
struct Ipv6Ends {
    wire::Ipv6Address source, destination;
};

/// Nothing if the packet contradicts itself. The header checksum isn't looked at.
std::optional<Ipv4Packet> parse_ipv4_packet(Bytes packet, Completeness completeness = Completeness::whole);
std::optional<Ipv6Packet> parse_ipv6_packet(Bytes packet, Completeness completeness = Completeness::whole);

/// RFC 1071: the sum over a correct header is all ones.
bool ipv4_header_checksum_ok(Bytes header);

}  // namespace xlatperf::reference
