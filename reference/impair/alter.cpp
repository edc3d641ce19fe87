#include "impair/alter.h"

#include "translate/packet.h"
#include "translate/transport_checksum.h"
#include "wire/byte_order.h"
#include "wire/ethernet.h"
#include "wire/headers.h"

namespace xlatperf::reference {

using namespace wire;

namespace {

/// Where things are in a frame; offsets count from the Ethernet header, 0: isn't there.
struct Layout {
    bool is_ipv4 = false, is_udp = false;
    std::size_t outer = 0;  // the outer IPv6 header, of a packet in a tunnel
    std::size_t ip = 0;     // the header of the packet itself
    std::size_t udp = 0;    // the UDP header, in a first fragment too
    std::size_t last = 0;   // the last byte of UDP data
};

Layout layout_of(std::span<const std::uint8_t> frame) {
    Layout layout;
    if (frame.size() <= ethernet::size) return layout;
    Bytes packet = frame.subspan(ethernet::size);
    if (const auto outer = parse_ipv6_packet(packet); outer && outer->protocol == protocol::ipv4_in_ip && !outer->is_fragment()) {
        layout.outer = ethernet::size;
        packet = outer->payload;
    }
    layout.ip = static_cast<std::size_t>(packet.data() - frame.data());
    Bytes payload;
    bool begins = false;
    if (const auto v4 = parse_ipv4_packet(packet)) {
        layout.is_ipv4 = true;
        layout.is_udp = v4->protocol == protocol::udp;
        begins = v4->fragment_offset == 0;
        payload = v4->payload;
    } else if (const auto v6 = parse_ipv6_packet(packet)) {
        layout.is_udp = v6->protocol == protocol::udp;
        begins = !v6->fragment || v6->fragment->offset == 0;
        payload = v6->payload;
    }
    if (!layout.is_udp) return layout;
    const auto at = static_cast<std::size_t>(payload.data() - frame.data());
    if (begins && payload.size() >= udp::size) layout.udp = at;
    if (payload.size() > (begins ? udp::size : 0)) layout.last = at + payload.size() - 1;
    return layout;
}

/// Flips bits of a byte of the IPv4 header and keeps the header's checksum right.
void flip_ipv4(std::uint8_t* header, std::size_t at, std::uint8_t to) {
    std::uint8_t* field = header + ipv4::checksum;
    const std::size_t word = at & ~std::size_t{1};
    const std::uint16_t before = load_sum(header + word);
    header[at] = to;
    store_sum(field, adjusted(load_sum(field), before, load_sum(header + word)));
}

void alter_ip(std::uint8_t* ip, bool is_ipv4, std::size_t ipv4_at, std::size_t ipv6_at, std::uint8_t mask) {
    if (is_ipv4)
        flip_ipv4(ip, ipv4_at, static_cast<std::uint8_t>(ip[ipv4_at] ^ mask));
    else
        ip[ipv6_at] ^= mask;
}

void alter_outer(std::uint8_t* header, Alteration what) {
    if (what == Alteration::outer_address)
        header[ipv6::destination + 15] ^= 1;
    else if (what == Alteration::outer_source_address)
        header[ipv6::source + 15] ^= 1;
    else if (what == Alteration::outer_traffic_class)
        header[1] ^= 0x40;
    else
        ++header[ipv6::hop_limit];
}

}  // namespace

bool carries_udp(std::span<const std::uint8_t> frame) {
    // The usual cases without reading on.
    if (frame.size() < ethernet::size + ipv4::size) return false;
    const std::uint8_t* ip = frame.data() + ethernet::size;
    if (ip[0] >> 4 == 4) return ip[ipv4::protocol] == protocol::udp;
    if (ip[0] >> 4 == 6 && ip[ipv6::next_header] == protocol::udp) return true;
    return layout_of(frame).is_udp;
}

bool alter(std::span<std::uint8_t> frame, Alteration what) {
    const Layout layout = layout_of(frame);
    if (!layout.is_udp) return false;
    std::uint8_t* ip = frame.data() + layout.ip;
    std::uint8_t* outer = frame.data() + layout.outer;
    std::uint8_t* udp_header = frame.data() + layout.udp;
    switch (what) {
        case Alteration::payload:
            if (layout.last == 0) return false;
            frame[layout.last] ^= 1;
            return true;
        case Alteration::address:
            alter_ip(ip, layout.is_ipv4, ipv4::destination + 3, ipv6::destination + 15, 1);
            return true;
        case Alteration::source_address:
            alter_ip(ip, layout.is_ipv4, ipv4::source + 3, ipv6::source + 15, 1);
            return true;
        case Alteration::port:
            if (layout.udp == 0) return false;
            udp_header[udp::destination_port + 1] ^= 1;
            return true;
        case Alteration::udp_checksum: {
            if (layout.udp == 0) return false;
            const std::uint16_t before = load16(udp_header + udp::checksum);
            if (before == 0) return false;
            const auto flipped = static_cast<std::uint16_t>(before ^ 1);
            store16(udp_header + udp::checksum, flipped == 0 ? static_cast<std::uint16_t>(before ^ 2) : flipped);
            return true;
        }
        case Alteration::ip_checksum:
            if (!layout.is_ipv4) return false;
            ip[ipv4::checksum + 1] ^= 1;
            return true;
        case Alteration::traffic_class:  // the DSCP is the upper six bits (RFC 2474 §3); IPv6 has it in two bytes
            alter_ip(ip, layout.is_ipv4, ipv4::tos, 1, layout.is_ipv4 ? 0x04 : 0x40);
            return true;
        case Alteration::hop_limit:
            if (layout.is_ipv4)
                flip_ipv4(ip, ipv4::ttl, static_cast<std::uint8_t>(ip[ipv4::ttl] + 1));
            else
                ++ip[ipv6::hop_limit];
            return true;
        case Alteration::outer_address:
        case Alteration::outer_source_address:
        case Alteration::outer_traffic_class:
        case Alteration::outer_hop_limit:
            if (layout.outer == 0) return false;
            alter_outer(outer, what);
            return true;
        case Alteration::count:
            break;
    }
    return false;
}

}  // namespace xlatperf::reference
