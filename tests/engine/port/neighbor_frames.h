// Messages of ARP and Neighbor Discovery on the Tester's link, and what it answers.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>

#include "port/neighbors.h"
#include "wire/byte_order.h"
#include "wire/headers.h"

namespace xlatperf::port {

using wire::Family;
using wire::Ipv4Address;
using wire::Ipv6Address;
using wire::Mac;

inline const Mac own_mac = {2, 0, 0, 0, 0, 0x10}, gateway_mac = {2, 0, 0, 0, 0, 0x20}, other_mac = {2, 0, 0, 0, 0, 0x99};

inline Ipv4Address v4(const char* text) { return wire::parse_ipv4(text).value(); }
inline Ipv6Address v6(const char* text) { return wire::parse_ipv6(text).value(); }

inline NeighborConfiguration configuration() {
    NeighborConfiguration found;
    found.mac = own_mac;
    found.ipv4 = {v4("198.18.255.2"), v4("198.18.255.1")};
    found.ipv6 = {v6("2001:2:0:7fff::2"), v6("2001:2:0:7fff::1")};
    found.ipv4_hosts = {v4("198.18.9.2"), v4("198.18.0.2"), v4("198.18.5.2")};
    found.ipv6_hosts = {v6("2001:2:0:1::2"), v6("2001:2::2")};
    return found;
}

inline FrameBytes arp(std::uint16_t operation, const Mac& sender_mac, Ipv4Address sender, Ipv4Address target) {
    FrameBytes frame(60);
    std::fill_n(frame.begin(), 6, std::uint8_t{0xff});
    std::copy(sender_mac.begin(), sender_mac.end(), frame.begin() + 6);
    wire::store16(&frame[12], wire::ethernet::arp);
    const std::uint8_t head[] = {0, 1, 8, 0, 6, 4};
    std::copy(std::begin(head), std::end(head), frame.begin() + 14);
    wire::store16(&frame[20], operation);
    std::copy(sender_mac.begin(), sender_mac.end(), frame.begin() + 22);
    sender.store(&frame[28]);
    target.store(&frame[38]);
    return frame;
}

inline FrameBytes neighbor(std::uint8_t type, const Mac& from, Ipv6Address source, Ipv6Address destination, Ipv6Address target,
                           const FrameBytes& options) {
    FrameBytes frame(14 + 40 + 24);
    std::copy(from.begin(), from.end(), frame.begin() + 6);
    wire::store16(&frame[12], wire::ethernet::ipv6);
    frame[14] = 0x60;
    wire::store16(&frame[18], static_cast<std::uint16_t>(24 + options.size()));
    frame[20] = 58;
    frame[21] = 255;
    source.store(&frame[22]);
    destination.store(&frame[38]);
    frame[54] = type;
    target.store(&frame[62]);
    frame.insert(frame.end(), options.begin(), options.end());
    return frame;
}

inline FrameBytes option(std::uint8_t type, const Mac& mac) { return {type, 1, mac[0], mac[1], mac[2], mac[3], mac[4], mac[5]}; }

inline FrameBytes solicitation(Ipv6Address source, Ipv6Address target, const FrameBytes& options) {
    return neighbor(135, gateway_mac, source, v6("ff02::1:ff00:2"), target, options);
}
inline FrameBytes advertisement(Ipv6Address target, const FrameBytes& options) {
    return neighbor(136, gateway_mac, target, v6("2001:2:0:7fff::2"), target, options);
}

inline std::optional<FrameBytes> receive(Neighbors& neighbors, const FrameBytes& frame) {
    const auto exact = std::make_unique<std::uint8_t[]>(frame.size());  // so that AddressSanitizer sees reads beyond the end
    std::copy(frame.begin(), frame.end(), exact.get());
    return neighbors.receive(exact.get(), frame.size());
}

}  // namespace xlatperf::port
