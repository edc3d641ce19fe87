#include "port/neighbors.h"

#include <algorithm>
#include <type_traits>

#include "wire/byte_order.h"
#include "wire/checksum.h"
#include "wire/headers.h"

namespace xlatperf::port {

namespace {

constexpr std::uint8_t solicitation = 135, advertisement = 136;                   // RFC 4861 §4.3, §4.4
constexpr std::uint8_t source_link_layer = 1, target_link_layer = 2;              // RFC 4861 §4.6.1
constexpr std::uint32_t solicited_flag = 0x40000000, override_flag = 0x20000000;  // RFC 4861 §4.4
constexpr std::size_t target_offset = 8, options_offset = 24;
constexpr wire::Mac broadcast = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

wire::Mac load_mac(const std::uint8_t* at) {
    wire::Mac mac{};
    std::copy_n(at, mac.size(), mac.begin());
    return mac;
}

constexpr std::uint64_t known = std::uint64_t{1} << 63;
constexpr std::size_t index(wire::Family family) { return family == wire::Family::ipv4 ? 0 : 1; }

// RFC 4291 §2.7.1 and RFC 2464 §7.
wire::Ipv6Address solicited_node(wire::Ipv6Address address) {
    return {(wire::Bits128{0xff02000000000000} << 64) | (wire::Bits128{0x00000001ff000000}) | (address.value & 0xffffff)};
}
wire::Mac multicast_mac(wire::Ipv6Address group) {
    wire::Mac mac = {0x33, 0x33};
    wire::store32(&mac[2], static_cast<std::uint32_t>(group.value));
    return mac;
}

std::optional<wire::Mac> link_layer_option(const std::uint8_t* options, std::size_t size, std::uint8_t type) {
    while (size >= 8) {
        const std::size_t length = 8U * options[1];
        if (length == 0 || length > size) return {};
        if (options[0] == type) return load_mac(options + 2);
        options += length;
        size -= length;
    }
    return {};
}

}  // namespace

Neighbors::Neighbors(NeighborConfiguration configuration) : configuration_(std::move(configuration)) {
    std::sort(configuration_.ipv4_hosts.begin(), configuration_.ipv4_hosts.end());
    std::sort(configuration_.ipv6_hosts.begin(), configuration_.ipv6_hosts.end());
}

void Neighbors::forget() {
    for (auto& answered : answered_) answered = 0;
    claims_.forget();
}

// A station says that it has this address.
template <typename Address> void Neighbors::claimed(Address address, const wire::Mac& mac) {
    constexpr bool v4 = std::is_same_v<Address, wire::Ipv4Address>;
    const auto& link = [&]() -> const auto& {
        if constexpr (v4) {
            return configuration_.ipv4;
        } else {
            return configuration_.ipv6;
        }
    }
    ();
    if (is_own(address)) {
        if (mac != configuration_.mac) claims_.note(wire::to_text(address), true, mac);
    } else if (link->gateway == address) {
        learn(v4 ? wire::Family::ipv4 : wire::Family::ipv6, mac);
        if (!configuration_.gateway_mac) claims_.note(wire::to_text(address), false, mac);
    }
}

void Neighbors::learn(wire::Family family, const wire::Mac& mac) {
    std::uint64_t word = 0;
    for (const auto byte : mac) word = word << 8 | byte;
    answered_[index(family)].store(known | word, std::memory_order_relaxed);
}

std::optional<wire::Mac> Neighbors::answers_from(wire::Family family) const {
    std::uint64_t word = answered_[index(family)].load(std::memory_order_relaxed);
    if (word == 0) return {};
    wire::Mac mac{};
    for (auto byte = mac.rbegin(); byte != mac.rend(); ++byte, word >>= 8) *byte = static_cast<std::uint8_t>(word);
    return mac;
}

template <typename Address>
bool Neighbors::is_own(Address address, const std::optional<OwnAddress<Address>>& link, const std::vector<Address>& hosts) const {
    if (link && link->tester == address) return true;
    if (link && link->gateway == address) return false;  // the rule of subscribers may cover it
    return std::binary_search(hosts.begin(), hosts.end(), address) ||
           std::any_of(configuration_.others.begin(), configuration_.others.end(),
                       [&](const auto& has) { return has(wire::Address(address)); });
}

bool Neighbors::uses(wire::Family family) const {
    return family == wire::Family::ipv4 ? configuration_.ipv4.has_value() : configuration_.ipv6.has_value();
}
bool Neighbors::complete() const {
    return (!configuration_.ipv4 || gateway_mac(wire::Family::ipv4)) && (!configuration_.ipv6 || gateway_mac(wire::Family::ipv6));
}
std::string Neighbors::gateway_text(wire::Family family) const {
    return family == wire::Family::ipv4 ? wire::to_text(configuration_.ipv4->gateway)
                                        : wire::to_text(configuration_.ipv6->gateway);
}

std::optional<FrameBytes> Neighbors::receive(const std::uint8_t* at, std::size_t size) {
    if (size < wire::ethernet::size) return {};
    const std::uint16_t type = wire::load16(at + wire::ethernet::type);
    if (type == wire::ethernet::arp) return receive_arp(at, size);
    if (type == wire::ethernet::ipv6) return receive_icmpv6(at, size);
    return {};
}

std::optional<FrameBytes> Neighbors::receive_arp(const std::uint8_t* at, std::size_t size) {
    const std::uint8_t* arp_at = at + wire::ethernet::size;
    if (size < wire::ethernet::size + wire::arp::size || !configuration_.ipv4) return {};
    if (wire::load32(arp_at) != 0x00010800 || wire::load16(arp_at + wire::arp::hardware_size) != 0x0604) return {};
    const auto sender = wire::Ipv4Address::load(arp_at + wire::arp::sender_address);
    const auto target = wire::Ipv4Address::load(arp_at + wire::arp::target_address);
    const wire::Mac sender_mac = load_mac(arp_at + wire::arp::sender_mac);
    claimed(sender, sender_mac);
    const bool asked = wire::load16(arp_at + wire::arp::operation) == wire::arp::request && is_own(target);
    // A gratuitous request for our own address would be a conflict, not a question.
    if (!asked || is_own(sender)) return {};
    return arp(wire::arp::reply, sender_mac, target, sender);
}

std::optional<FrameBytes> Neighbors::receive_icmpv6(const std::uint8_t* at, std::size_t size) {
    const std::size_t icmp_at = wire::ethernet::size + wire::ipv6::size;
    if (size < icmp_at + options_offset || !configuration_.ipv6) return {};
    const std::uint8_t* ip = at + wire::ethernet::size;
    const std::uint8_t* message = at + icmp_at;
    const std::size_t length = wire::load16(ip + wire::ipv6::payload_length);
    // RFC 4861 §7.1: hop limit 255 shows that no router has forwarded it.
    if (ip[wire::ipv6::next_header] != wire::protocol::icmpv6 || ip[wire::ipv6::hop_limit] != 255 || length < options_offset ||
        icmp_at + length > size || message[wire::icmp::code] != 0) {
        return {};
    }
    const auto source = wire::Ipv6Address::load(ip + wire::ipv6::source);
    const auto target = wire::Ipv6Address::load(message + target_offset);
    const std::uint8_t* options = message + options_offset;
    const std::size_t options_size = length - options_offset;
    if (message[0] == advertisement) {
        const auto mac = link_layer_option(options, options_size, target_link_layer);
        claimed(target, mac ? *mac : load_mac(at + wire::ethernet::source));
        return {};
    }
    if (message[0] != solicitation) return {};
    const auto mac = link_layer_option(options, options_size, source_link_layer);
    if (mac) claimed(source, *mac);
    if (!is_own(target) || source == wire::Ipv6Address{}) return {};  // duplicate address detection: not our business
    const wire::Mac to = mac ? *mac : load_mac(at + wire::ethernet::source);
    return neighbor_message(advertisement, to, target, source, target, solicited_flag | override_flag);
}

std::vector<FrameBytes> Neighbors::requests() const {
    std::vector<FrameBytes> frames;
    if (configuration_.ipv4) {
        frames.push_back(arp(wire::arp::request, broadcast, configuration_.ipv4->tester, configuration_.ipv4->gateway));
    }
    if (configuration_.ipv6) {
        const auto group = solicited_node(configuration_.ipv6->gateway);
        frames.push_back(neighbor_message(solicitation, multicast_mac(group), configuration_.ipv6->tester, group,
                                          configuration_.ipv6->gateway, 0));
    }
    return frames;
}

FrameBytes Neighbors::arp(std::uint16_t operation, const wire::Mac& to, wire::Ipv4Address sender,
                          wire::Ipv4Address target) const {
    FrameBytes frame(60);
    std::copy(to.begin(), to.end(), frame.begin());
    std::copy(configuration_.mac.begin(), configuration_.mac.end(), frame.begin() + wire::ethernet::source);
    wire::store16(&frame[wire::ethernet::type], wire::ethernet::arp);
    std::uint8_t* at = &frame[wire::ethernet::size];
    wire::store32(at, 0x00010800);  // Ethernet, IPv4
    wire::store16(at + wire::arp::hardware_size, 0x0604);
    wire::store16(at + wire::arp::operation, operation);
    std::copy(configuration_.mac.begin(), configuration_.mac.end(), at + wire::arp::sender_mac);
    sender.store(at + wire::arp::sender_address);
    if (operation == wire::arp::reply) std::copy(to.begin(), to.end(), at + wire::arp::target_mac);
    target.store(at + wire::arp::target_address);
    return frame;
}

FrameBytes Neighbors::neighbor_message(std::uint8_t type, const wire::Mac& to, wire::Ipv6Address source,
                                       wire::Ipv6Address destination, wire::Ipv6Address target, std::uint32_t flags) const {
    constexpr std::size_t option_size = 8;
    const std::size_t length = options_offset + option_size;
    FrameBytes frame(wire::ethernet::size + wire::ipv6::size + length);
    std::copy(to.begin(), to.end(), frame.begin());
    std::copy(configuration_.mac.begin(), configuration_.mac.end(), frame.begin() + wire::ethernet::source);
    wire::store16(&frame[wire::ethernet::type], wire::ethernet::ipv6);
    std::uint8_t* ip = &frame[wire::ethernet::size];
    wire::store32(ip, 0x60000000);
    wire::store16(ip + wire::ipv6::payload_length, static_cast<std::uint16_t>(length));
    ip[wire::ipv6::next_header] = wire::protocol::icmpv6;
    ip[wire::ipv6::hop_limit] = 255;
    source.store(ip + wire::ipv6::source);
    destination.store(ip + wire::ipv6::destination);
    std::uint8_t* message = ip + wire::ipv6::size;
    message[0] = type;
    wire::store32(message + wire::icmp::rest, flags);
    target.store(message + target_offset);
    message[options_offset] = type == solicitation ? source_link_layer : target_link_layer;
    message[options_offset + 1] = 1;
    std::copy(configuration_.mac.begin(), configuration_.mac.end(), message + options_offset + 2);
    // RFC 4443 §2.3: the pseudo header of RFC 8200 §8.1.
    const std::uint64_t sum = wire::sum_bytes(ip + wire::ipv6::source, 32) + wire::network16(static_cast<std::uint16_t>(length)) +
                              wire::network16(wire::protocol::icmpv6) + wire::sum_bytes(message, length);
    const auto checksum = static_cast<std::uint16_t>(~wire::fold(sum));
    std::memcpy(message + wire::icmp::checksum, &checksum, 2);
    return frame;
}

}  // namespace xlatperf::port
