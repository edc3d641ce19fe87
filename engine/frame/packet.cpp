#include "frame/packet.h"

#include "wire/byte_order.h"
#include "wire/ethernet.h"
#include "wire/headers.h"

namespace xlatperf::frame {

namespace {

std::optional<Packet> parse_ipv4(const std::uint8_t* bytes, std::size_t start, std::size_t size) {
    if (size < start + wire::ipv4::size) return {};
    const std::uint8_t* ip = bytes + start;
    const std::size_t header = 4U * (ip[0] & 0x0f), total = wire::load16(ip + wire::ipv4::total_length);
    if (ip[0] >> 4 != 4 || header < wire::ipv4::size || total < header || start + total > size) return {};
    const std::uint16_t flags = wire::load16(ip + wire::ipv4::flags_offset);
    Packet packet{};
    packet.family = wire::Family::ipv4;
    packet.source = wire::Ipv4Address::load(ip + wire::ipv4::source);
    packet.destination = wire::Ipv4Address::load(ip + wire::ipv4::destination);
    packet.hop_limit = ip[wire::ipv4::ttl];
    packet.traffic_class = ip[wire::ipv4::tos];
    packet.protocol = ip[wire::ipv4::protocol];
    packet.ip = start;
    packet.transport = start + header;
    packet.end = start + total;
    packet.fragment = (flags & (wire::ipv4::more_fragments | wire::ipv4::offset_mask)) != 0;
    packet.first_fragment = (flags & wire::ipv4::offset_mask) == 0;
    packet.extension_headers = header > wire::ipv4::size;
    return packet;
}

std::optional<Packet> parse_ipv6(const std::uint8_t* bytes, std::size_t start, std::size_t size) {
    if (size < start + wire::ipv6::size) return {};
    const std::uint8_t* ip = bytes + start;
    const std::uint32_t first = wire::load32(ip);
    const std::size_t end = start + wire::ipv6::size + wire::load16(ip + wire::ipv6::payload_length);
    if (first >> 28 != 6 || end > size) return {};
    Packet packet{};
    packet.family = wire::Family::ipv6;
    packet.source = wire::Ipv6Address::load(ip + wire::ipv6::source);
    packet.destination = wire::Ipv6Address::load(ip + wire::ipv6::destination);
    packet.hop_limit = ip[wire::ipv6::hop_limit];
    packet.traffic_class = static_cast<std::uint8_t>(first >> 20);
    packet.flow_label = first & 0xfffff;
    packet.first_fragment = true;
    std::uint8_t next = ip[wire::ipv6::next_header];
    std::size_t at = start + wire::ipv6::size;
    while (true) {  // RFC 8200 §4: every round moves on by at least 8 bytes
        if (next == wire::protocol::fragment) {
            if (at + wire::ipv6::fragment_header_size > end) return {};
            const std::uint16_t field = wire::load16(bytes + at + 2);
            packet.fragment = (field & 0xfff9) != 0;  // an atomic fragment (RFC 6946) is none
            packet.first_fragment = (field & 0xfff8) == 0;
            packet.extension_headers = true;
            next = bytes[at];
            at += wire::ipv6::fragment_header_size;
            if (!packet.first_fragment) break;
        } else if (next == wire::protocol::hop_by_hop || next == wire::protocol::routing ||
                   next == wire::protocol::destination_options) {
            if (at + 8 > end) return {};
            const std::size_t length = 8U * (1U + bytes[at + 1]);
            if (at + length > end) return {};
            packet.extension_headers = true;
            next = bytes[at];
            at += length;
        } else {
            break;
        }
    }
    packet.ip = start;
    packet.protocol = next;
    packet.transport = at;
    packet.end = end;
    return packet;
}

}  // namespace

std::optional<Packet> parse_packet(const std::uint8_t* bytes, std::size_t size) {
    if (size < wire::ethernet::size) return {};
    switch (wire::load16(bytes + wire::ethernet::type)) {
        case wire::ethernet::ipv4:
            return parse_ipv4(bytes, wire::ethernet::size, size);
        case wire::ethernet::ipv6:
            return parse_ipv6(bytes, wire::ethernet::size, size);
        default:
            return {};
    }
}

std::optional<Nested> parse_nested(const std::uint8_t* bytes, std::size_t size) {
    const auto outer = parse_packet(bytes, size);
    if (!outer) return {};
    std::optional<Packet> inner;
    if (!outer->fragment && outer->family == wire::Family::ipv6) {
        if (outer->protocol == wire::protocol::ipv4_in_ip) inner = parse_ipv4(bytes, outer->transport, outer->end);
        if (outer->protocol == wire::protocol::ipv6_in_ip) inner = parse_ipv6(bytes, outer->transport, outer->end);
    }
    if (!inner) return Nested{*outer, {}};
    return Nested{*inner, outer};
}

}  // namespace xlatperf::frame
