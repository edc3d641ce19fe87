#include "gateway/neighbor_messages.h"

#include <algorithm>

#include "translate/packet.h"
#include "translate/transport_checksum.h"
#include "wire/byte_order.h"
#include "wire/headers.h"

namespace xlatperf::reference {

using namespace wire;

namespace {
constexpr std::uint8_t solicitation = 135, advertisement = 136;
constexpr std::uint8_t source_link_layer = 1, target_link_layer = 2;  // RFC 4861 §4.6.1
constexpr std::size_t target_offset = 8, options_offset = 24, message_size = 32;
constexpr std::uint32_t router = 1u << 31, solicited = 1u << 30, override_flag = 1u << 29;

void write_ethernet(std::uint8_t* frame, const Mac& to, const Mac& from, std::uint16_t type) {
    std::copy(to.begin(), to.end(), frame + ethernet::destination);
    std::copy(from.begin(), from.end(), frame + ethernet::source);
    store16(frame + ethernet::type, type);
}

constexpr Ipv6Address from_words(std::uint64_t high, std::uint64_t low) { return {(Bits128{high} << 64) | low}; }
constexpr Ipv6Address all_nodes = from_words(0xff02000000000000, 1);

/// RFC 2464 §7.
Mac multicast_mac(Ipv6Address group) {
    Mac mac{0x33, 0x33};
    store32(mac.data() + 2, static_cast<std::uint32_t>(group.value));
    return mac;
}

/// The 72 bytes of IPv6 and message behind the Ethernet header, with one link-layer address option.
void write_message(std::uint8_t* packet, Ipv6Address source, Ipv6Address destination, std::uint8_t type, std::uint32_t flags,
                   Ipv6Address target, std::uint8_t option, const Mac& mac) {
    store32(packet, 6u << 28);
    store16(packet + ipv6::payload_length, message_size);
    packet[ipv6::next_header] = protocol::icmpv6;
    packet[ipv6::hop_limit] = 255;
    source.store(packet + ipv6::source);
    destination.store(packet + ipv6::destination);
    std::uint8_t* message = packet + ipv6::size;
    message[icmp::type] = type;
    message[icmp::code] = 0;
    store16(message + icmp::checksum, 0);
    store32(message + icmp::rest, flags);
    target.store(message + target_offset);
    message[options_offset] = option;
    message[options_offset + 1] = 1;  // in units of 8 bytes
    std::copy(mac.begin(), mac.end(), message + options_offset + 2);
    const std::uint64_t sum =
        sum_bytes(packet + ipv6::source, 32) + pseudo_tail(message_size, protocol::icmpv6) + sum_bytes(message, message_size);
    store_sum(message + icmp::checksum, static_cast<std::uint16_t>(~fold(sum)));
}

/// False if an option is broken (RFC 4861 §7.1: length zero, or longer than the message).
bool read_options(Bytes options, NeighborMessage& found) {
    const std::uint8_t wanted = found.is_solicitation ? source_link_layer : target_link_layer;
    while (!options.empty()) {
        if (options.size() < 2) return false;
        const std::size_t size = 8u * options[1];
        if (size == 0 || size > options.size()) return false;
        if (options[0] == wanted) {
            found.mac.emplace();
            std::copy_n(options.begin() + 2, 6, found.mac->begin());
        }
        options = options.subspan(size);
    }
    return true;
}
}  // namespace

std::optional<ArpMessage> parse_arp(std::span<const std::uint8_t> frame) {
    if (frame.size() < ethernet::size + arp::size || load16(frame.data() + ethernet::type) != ethernet::arp) return {};
    const std::uint8_t* at = frame.data() + ethernet::size;
    const std::uint16_t operation = load16(at + arp::operation);
    if (load16(at + arp::hardware) != 1 || load16(at + arp::protocol) != ethernet::ipv4 || at[arp::hardware_size] != 6 ||
        at[arp::protocol_size] != 4 || (operation != arp::request && operation != arp::reply))
        return {};
    ArpMessage message;
    message.is_request = operation == arp::request;
    std::copy_n(at + arp::sender_mac, 6, message.sender_mac.begin());
    message.sender = Ipv4Address::load(at + arp::sender_address);
    message.target = Ipv4Address::load(at + arp::target_address);
    return message;
}

std::size_t write_arp(std::uint8_t* frame, const ArpMessage& message, const Mac& target_mac) {
    constexpr Mac broadcast{0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    write_ethernet(frame, message.is_request ? broadcast : target_mac, message.sender_mac, ethernet::arp);
    std::uint8_t* at = frame + ethernet::size;
    store16(at + arp::hardware, 1);
    store16(at + arp::protocol, ethernet::ipv4);
    at[arp::hardware_size] = 6;
    at[arp::protocol_size] = 4;
    store16(at + arp::operation, message.is_request ? arp::request : arp::reply);
    std::copy(message.sender_mac.begin(), message.sender_mac.end(), at + arp::sender_mac);
    message.sender.store(at + arp::sender_address);
    const Mac unknown{};
    const Mac& target = message.is_request ? unknown : target_mac;
    std::copy(target.begin(), target.end(), at + arp::target_mac);
    message.target.store(at + arp::target_address);
    return arp_frame_size;
}

std::optional<NeighborMessage> parse_neighbor_message(std::span<const std::uint8_t> frame) {
    if (frame.size() < ethernet::size || load16(frame.data() + ethernet::type) != ethernet::ipv6) return {};
    const auto packet = parse_ipv6_packet(frame.subspan(ethernet::size));
    if (!packet || packet->protocol != protocol::icmpv6 || packet->fragment || packet->hop_limit != 255) return {};
    const Bytes message = packet->payload;
    if (message.size() < options_offset || message[icmp::code] != 0) return {};
    if (message[icmp::type] != solicitation && message[icmp::type] != advertisement) return {};
    const std::uint64_t sum = sum_bytes(packet->headers.data() + ipv6::source, 32) +
                              pseudo_tail(message.size(), protocol::icmpv6) + sum_bytes(message.data(), message.size());
    if (fold(sum) != 0xffff) return {};
    NeighborMessage found;
    found.is_solicitation = message[icmp::type] == solicitation;
    found.source = packet->source;
    found.target = Ipv6Address::load(message.data() + target_offset);
    if (found.target.value >> 120 == 0xff || !read_options(message.subspan(options_offset), found)) return {};
    return found;
}

std::size_t write_solicitation(std::uint8_t* frame, const Mac& own_mac, Ipv6Address own, Ipv6Address target) {
    // RFC 4291 §2.7.1: ff02::1:ff00:0/104 and the target's last 24 bits.
    const Ipv6Address group{from_words(0xff02000000000000, 0x1ff000000).value | (target.value & 0xffffff)};
    write_ethernet(frame, multicast_mac(group), own_mac, ethernet::ipv6);
    write_message(frame + ethernet::size, own, group, solicitation, 0, target, source_link_layer, own_mac);
    return neighbor_frame_size;
}

std::size_t write_advertisement(std::uint8_t* frame, const Mac& own_mac, Ipv6Address own, const Mac& to_mac, Ipv6Address to) {
    const bool to_all = to.value == 0;
    write_ethernet(frame, to_all ? multicast_mac(all_nodes) : to_mac, own_mac, ethernet::ipv6);
    const std::uint32_t flags = router | override_flag | (to_all ? 0 : solicited);
    write_message(frame + ethernet::size, own, to_all ? all_nodes : to, advertisement, flags, own, target_link_layer, own_mac);
    return neighbor_frame_size;
}

Ipv6Address link_local_address(const Mac& mac) {
    Ipv6Address address = from_words(0xfe80000000000000, 0x000000fffe000000);
    const std::uint64_t bits = load48(mac.data()) ^ (std::uint64_t{2} << 40);  // the universal/local bit inverted
    address.value |= (Bits128{bits >> 24} << 40) | (bits & 0xffffff);
    return address;
}

}  // namespace xlatperf::reference
