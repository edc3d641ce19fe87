#include "translate/packet.h"

#include <algorithm>

#include "wire/byte_order.h"
#include "wire/checksum.h"
#include "wire/headers.h"

namespace xlatperf::reference {

using namespace wire;

std::optional<Ipv4Packet> parse_ipv4_packet(Bytes packet, Completeness completeness) {
    if (packet.size() < ipv4::size) return {};
    const std::uint8_t* at = packet.data();
    const std::size_t header_size = 4u * (at[ipv4::version_ihl] & 0x0f);
    if (at[ipv4::version_ihl] >> 4 != 4 || header_size < ipv4::size || header_size > packet.size()) return {};

    Ipv4Packet p;
    p.total_length = load16(at + ipv4::total_length);
    if (p.total_length < header_size) return {};
    if (completeness == Completeness::whole && p.total_length > packet.size()) return {};
    p.header = packet.first(header_size);
    p.payload = packet.first(std::min(p.total_length, packet.size())).subspan(header_size);
    const std::uint16_t flags_offset = load16(at + ipv4::flags_offset);
    p.dont_fragment = (flags_offset & ipv4::dont_fragment) != 0;
    p.more_fragments = (flags_offset & ipv4::more_fragments) != 0;
    p.fragment_offset = flags_offset & ipv4::offset_mask;
    p.identification = load16(at + ipv4::identification);
    p.tos = at[ipv4::tos];
    p.ttl = at[ipv4::ttl];
    p.protocol = at[ipv4::protocol];
    p.source = Ipv4Address::load(at + ipv4::source);
    p.destination = Ipv4Address::load(at + ipv4::destination);
    return p;
}

bool ipv4_header_checksum_ok(Bytes header) { return fold(sum_bytes(header.data(), header.size())) == 0xffff; }

namespace {
constexpr std::size_t extension_minimum = 8;
constexpr std::size_t segments_left = 3;  // RFC 8200 §4.4

bool is_extension(std::uint8_t next_header) {
    return next_header == protocol::hop_by_hop || next_header == protocol::routing || next_header == protocol::fragment ||
           next_header == protocol::destination_options;
}

/// Walks the extension headers. False if one of them doesn't fit into the packet.
bool read_extensions(Ipv6Packet& p, Bytes packet) {
    std::size_t at = ipv6::size;
    p.protocol = p.fixed_next_header;
    while (is_extension(p.protocol)) {
        if (packet.size() - at < extension_minimum) return false;
        const std::uint8_t* header = packet.data() + at;
        if (p.protocol == protocol::fragment) {
            if (p.fragment) return false;  // at most once (RFC 8200 §4.1)
            const std::uint16_t offset_more = load16(header + 2);
            p.fragment = Ipv6Fragment{load32(header + 4), static_cast<std::uint16_t>(offset_more >> 3), (offset_more & 1) != 0};
            p.protocol = header[0];
            at += ipv6::fragment_header_size;
            if (is_extension(p.protocol)) p.extension_after_fragment = true;
            if (p.fragment->offset != 0) break;  // what follows is the middle of the packet, not a header
            continue;
        }
        const std::size_t size = 8u * (1u + header[1]);
        if (size > packet.size() - at) return false;
        if (p.protocol == protocol::routing && header[segments_left] != 0 && !p.segments_left_at)
            p.segments_left_at = at + segments_left;
        p.protocol = header[0];
        at += size;
    }
    p.headers = packet.first(at);
    p.payload = packet.subspan(at);
    return true;
}
}  // namespace

std::optional<Ipv6Packet> parse_ipv6_packet(Bytes packet, Completeness completeness) {
    if (packet.size() < ipv6::size || packet[0] >> 4 != 6) return {};
    const std::uint8_t* at = packet.data();
    Ipv6Packet p;
    p.payload_length = load16(at + ipv6::payload_length);
    const std::size_t length = ipv6::size + p.payload_length;
    if (completeness == Completeness::whole && length > packet.size()) return {};
    p.traffic_class = static_cast<std::uint8_t>(load16(at) >> 4);
    p.hop_limit = at[ipv6::hop_limit];
    p.fixed_next_header = at[ipv6::next_header];
    p.source = Ipv6Address::load(at + ipv6::source);
    p.destination = Ipv6Address::load(at + ipv6::destination);
    if (!read_extensions(p, packet.first(std::min(length, packet.size())))) return {};
    return p;
}

}  // namespace xlatperf::reference
