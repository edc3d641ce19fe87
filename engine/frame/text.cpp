#include "frame/text.h"

#include <array>
#include <cstdio>

#include "wire/byte_order.h"
#include "wire/encapsulation_limit.h"
#include "wire/ethernet.h"
#include "wire/headers.h"

namespace xlatperf::frame {

std::string hex_number(std::uint64_t value, int digits) {
    std::array<char, 24> text{};
    std::snprintf(text.data(), text.size(), "0x%0*llx", digits, static_cast<unsigned long long>(value));
    return text.data();
}

std::string hex_bytes(const std::uint8_t* at, std::size_t size) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string text;
    text.reserve(2 * size);
    for (std::size_t i = 0; i < size; ++i) {
        text += digits[at[i] >> 4];
        text += digits[at[i] & 15];
    }
    return text;
}

std::string describe_ports(const std::uint8_t* udp) {
    return std::to_string(wire::load16(udp)) + " > " + std::to_string(wire::load16(udp + wire::udp::destination_port));
}

std::string describe(const Packet& packet) {
    const bool v4 = packet.family == wire::Family::ipv4;
    return std::string(v4 ? "IPv4 " : "IPv6 ") + wire::to_text(packet.source) + " > " + wire::to_text(packet.destination) +
           (v4 ? ", TTL " : ", hop limit ") + std::to_string(packet.hop_limit) + (v4 ? ", TOS " : ", traffic class ") +
           hex_number(packet.traffic_class, 2) + (packet.fragment ? ", fragment" : "") +
           (packet.protocol == wire::protocol::udp ? ", UDP" : ", protocol " + std::to_string(packet.protocol));
}

std::string describe(const flow::SubscriberRule& rule, std::uint64_t number, const flow::PortSet& ports) {
    std::string text = "softwire " + std::to_string(number);
    if (rule.is_mapped) {
        text = "EA bits " + hex_number(number, static_cast<int>((rule.number_bits + 3) / 4)) + " (" +
               std::to_string(rule.number_bits) + " bits)";
    }
    if (rule.all_ports()) return text + ", all ports";
    return text + ", " + technology::to_text(ports);
}

std::string describe(const flow::Subscribers& all, const flow::Subscriber& who) {
    return describe(all.rule(who.domain), all.known_as(who), all.ports(who));
}

std::string describe_tag(std::uint16_t id, std::optional<unsigned> priority) {
    return "VLAN " + std::to_string(id) + (priority ? ", priority " + std::to_string(*priority) : "");
}

std::string describe_tag(const std::uint8_t* at, std::size_t size) {
    if (!wire::has_tag(at, size)) return "no VLAN tag";
    const std::uint16_t control = wire::tag_control(at);
    return describe_tag(control & wire::vlan::id_bits, control >> wire::vlan::priority_shift);
}

namespace {

std::string describe_limit(const std::uint8_t* at, const Packet& outer) {
    const std::size_t options = outer.ip + wire::ipv6::size;
    const bool one = at[outer.ip + wire::ipv6::next_header] == wire::protocol::destination_options &&
                     outer.transport == options + wire::encapsulation_limit::size &&
                     wire::encapsulation_limit::is_one(at + options);
    return one ? ", encapsulation limit " + std::to_string(at[options + wire::encapsulation_limit::limit]) : "";
}

// `whole`: the frame's size, with its tag.
std::string describe_untagged(const std::uint8_t* at, std::size_t size, std::size_t whole) {
    const auto nested = parse_nested(at, size);
    const std::string length = std::to_string(whole + wire::ethernet::check_sequence) + " bytes";
    if (!nested) return length;
    const Packet* packet = &nested->packet;
    std::string text = describe(*packet);
    if (nested->outer) text = describe(*nested->outer) + describe_limit(at, *nested->outer) + ", in it " + text;
    if (packet->protocol == wire::protocol::udp && packet->first_fragment && packet->transport + wire::udp::size <= packet->end) {
        text += " " + describe_ports(at + packet->transport);
    }
    return text + ", " + length;
}

}  // namespace

std::string describe_frame(const std::uint8_t* at, std::size_t size) {
    if (wire::has_tag(at, size)) {
        std::vector<std::uint8_t> taken(at, at + size);
        wire::take_tag(taken.data());
        return describe_tag(at, size) + ": " + describe_untagged(taken.data() + wire::vlan::size, size - wire::vlan::size, size);
    }
    return describe_untagged(at, size, size);
}

}  // namespace xlatperf::frame
