// ARP (RFC 826) and Neighbor Discovery (RFC 4861 §4.3, §4.4): reading and writing whole frames.
#pragma once

#include <optional>
#include <span>

#include "wire/address.h"
#include "wire/ethernet.h"

namespace xlatperf::reference {

struct ArpMessage {
    bool is_request = false;
    wire::Mac sender_mac{};
    wire::Ipv4Address sender, target;
};
/// Nothing if the frame isn't ARP for Ethernet and IPv4.
std::optional<ArpMessage> parse_arp(std::span<const std::uint8_t> frame);
inline constexpr std::size_t arp_frame_size = 42;
std::size_t write_arp(std::uint8_t* frame, const ArpMessage& message, const wire::Mac& target_mac);

struct NeighborMessage {
    bool is_solicitation = false;
    wire::Ipv6Address source, target;
    std::optional<wire::Mac> mac;  // the link-layer address option
};
/// Nothing if it's another ICMPv6 message or fails the checks of RFC 4861 §7.1.1 and §7.1.2.
std::optional<NeighborMessage> parse_neighbor_message(std::span<const std::uint8_t> frame);
inline constexpr std::size_t neighbor_frame_size = 14 + 40 + 32;
std::size_t write_solicitation(std::uint8_t* frame, const wire::Mac& own_mac, wire::Ipv6Address own, wire::Ipv6Address target);
/// `to` unspecified: the solicitation was Duplicate Address Detection, all nodes are told (RFC 4861 §7.2.4).
std::size_t write_advertisement(std::uint8_t* frame, const wire::Mac& own_mac, wire::Ipv6Address own, const wire::Mac& to_mac,
                                wire::Ipv6Address to);

/// RFC 4291 §2.5.6 and appendix A.
wire::Ipv6Address link_local_address(const wire::Mac& mac);

}  // namespace xlatperf::reference
