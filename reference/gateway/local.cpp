// What the gateway answers itself: ARP, Neighbor Discovery, echo requests, and packets that it can't forward.
#include <algorithm>

#include "gateway/gateway.h"
#include "gateway/neighbor_messages.h"
#include "link/link_layer.h"
#include "translate/transport_checksum.h"
#include "wire/byte_order.h"
#include "wire/headers.h"

namespace xlatperf::reference {

using namespace wire;

bool Gateway::is_own(Ipv4Address address) const {
    return std::any_of(settings_.sides.begin(), settings_.sides.end(),
                       [&](const GatewaySide& s) { return s.ipv4 && s.ipv4->address == address; });
}

bool Gateway::is_own(Side side, Ipv6Address address) const {
    return address == link_local_[index(side)] ||
           std::any_of(settings_.sides.begin(), settings_.sides.end(),
                       [&](const GatewaySide& s) { return s.ipv6 && s.ipv6->address == address; });
}

void Gateway::learn(const NeighborAddress& address, const Mac& mac) {
    for (const Departure& departure : neighbors_.learn(address, mac)) depart(departure, mac);
}

/// RFC 826: whoever asks us is learnt, too.
void Gateway::receive_arp(Side side, const Frame& frame) {
    ++side_counters_[index(side)].arp_received;
    const auto message = parse_arp(frame.bytes());
    const GatewaySide& s = settings_.sides[index(side)];
    if (!message || !s.ipv4 || message->target != s.ipv4->address) return;
    if (message->sender.value != 0) learn(NeighborAddress::of(side, message->sender), message->sender_mac);
    if (!message->is_request) return;
    Frame reply = pool_.allocate();
    if (!reply) return;
    const ArpMessage answer{false, macs_[index(side)], s.ipv4->address, message->sender};
    reply.size = static_cast<std::uint32_t>(write_arp(reply.data, answer, message->sender_mac));
    ++side_counters_[index(side)].arp_sent;
    transmitter_.transmit(side, reply);
}

/// True if the frame was one.
bool Gateway::receive_neighbor_message(Side side, const Frame& frame) {
    const auto message = parse_neighbor_message(frame.bytes());
    if (!message) return false;
    SideCounters& counters = side_counters_[index(side)];
    ++counters.nd_received;
    if (!message->is_solicitation) {
        if (message->mac) learn(NeighborAddress::of(side, message->target), *message->mac);
        return true;
    }
    const GatewaySide& s = settings_.sides[index(side)];
    const bool ours = message->target == link_local_[index(side)] || (s.ipv6 && s.ipv6->address == message->target);
    if (!ours) return true;
    Mac to{};
    std::copy_n(frame.data + ethernet::source, to.size(), to.begin());
    if (message->mac && message->source.value != 0) {
        to = *message->mac;
        learn(NeighborAddress::of(side, message->source), to);
    }
    Frame reply = pool_.allocate();
    if (!reply) return true;
    reply.size =
        static_cast<std::uint32_t>(write_advertisement(reply.data, macs_[index(side)], message->target, to, message->source));
    ++counters.nd_sent;
    transmitter_.transmit(side, reply);
    return true;
}

void Gateway::ask(const NeighborAddress& address) {
    const GatewaySide& s = settings_.sides[index(address.side)];
    SideCounters& counters = side_counters_[index(address.side)];
    const Mac& mac = macs_[index(address.side)];
    Frame frame = pool_.allocate();
    if (!frame) return;
    if (address.is_ipv4()) {
        const Ipv4Address own = s.ipv4 ? s.ipv4->address : Ipv4Address{};
        frame.size = static_cast<std::uint32_t>(write_arp(frame.data, {true, mac, own, address.ipv4()}, {}));
        ++counters.arp_sent;
    } else {
        const bool link_local = address.ipv6().value >> 118 == 0x3fa;
        const Ipv6Address own = s.ipv6 && !link_local ? s.ipv6->address : link_local_[index(address.side)];
        frame.size = static_cast<std::uint32_t>(write_solicitation(frame.data, mac, own, address.ipv6()));
        ++counters.nd_sent;
    }
    transmitter_.transmit(address.side, frame);
}

/// RFC 792, RFC 4443 §4: an echo request goes back as the reply, in its own frame. Anything else ends here.
void Gateway::answer_echo(Side side, Frame frame) {
    ++side_counters_[index(side)].local;
    std::uint8_t* ip = frame.data + ethernet::size;
    std::uint8_t* message = nullptr;
    bool is_request = false;
    std::size_t addresses = ipv4::source, address_size = 4;
    const Bytes packet = frame.bytes().subspan(ethernet::size);
    if (const auto v4 = parse_ipv4_packet(packet)) {
        is_request = v4->protocol == protocol::icmpv4 && !v4->is_fragment() && v4->payload.size() >= icmp::size &&
                     v4->payload[0] == 8 && v4->header.size() == ipv4::size && v4->source.value >> 28 < 0xe &&
                     ipv4_header_checksum_ok(v4->header);
        message = ip + v4->header.size();
    } else if (const auto v6 = parse_ipv6_packet(packet)) {
        is_request = v6->protocol == protocol::icmpv6 && !v6->fragment && v6->payload.size() >= icmp::size &&
                     v6->payload[0] == 128 && v6->source.value >> 120 != 0xff && v6->source.value != 0;
        message = ip + v6->headers.size();
        addresses = ipv6::source;
        address_size = 16;
    }
    if (!is_request) return pool_.free(frame);
    translate_echo(message, ip[0] >> 4 == 4 ? 0 : 129, 0, 0);  // exchanged addresses have the same sum
    std::swap_ranges(ip + addresses, ip + addresses + address_size, ip + addresses + address_size);
    write_link_addresses(frame.data, frame.data + ethernet::source, macs_[index(side)]);
    if (ip[0] >> 4 == 4) {
        ip[ipv4::ttl] = 64;
        store16(ip + ipv4::checksum, 0);
        store_sum(ip + ipv4::checksum, static_cast<std::uint16_t>(~fold(sum_bytes(ip, ipv4::size))));
    } else {
        ip[ipv6::hop_limit] = 64;
    }
    ++side_counters_[index(side)].echo_replies;
    transmitter_.transmit(side, frame);
}

std::optional<IcmpError> Gateway::error_for(const Result& result, Family family) const {
    const bool v4 = family == Family::ipv4;
    switch (result.fate) {
        case Fate::hop_limit:
            return v4 ? IcmpError{11, 0, 0} : IcmpError{3, 0, 0};
        case Fate::too_big:
            return v4 ? IcmpError{3, 4, result.detail & 0xffff} : IcmpError{2, 0, result.detail};
        case Fate::no_route:
            return v4 ? IcmpError{3, 0, 0} : IcmpError{1, 0, 0};
        case Fate::source_route:
            return IcmpError{3, 5, 0};  // RFC 7915 §4.1
        case Fate::routing_header:
            return IcmpError{4, 0, result.detail};  // RFC 7915 §5.1
        case Fate::unknown_softwire:                // RFC 7596 §6.2
        case Fate::wrong_source_address:
        case Fate::wrong_source_port:
        case Fate::wrong_ea_bits:
        case Fate::wrong_interface_identifier:  // RFC 7599 §8.3
            return result.detail != 0 && !v4 ? std::optional(IcmpError{1, 5, 0}) : std::nullopt;
        default:
            return {};
    }
}

bool Gateway::may_send_error() {
    constexpr std::uint64_t second = 1'000'000'000;
    if (now_ns_ / second != icmp_second_) {
        icmp_second_ = now_ns_ / second;
        icmp_in_second_ = 0;
    }
    return icmp_in_second_++ < settings_.icmp_errors_per_second;
}

/// Goes back to the router or host on the link that the packet came from.
void Gateway::send_error(Side side, const Frame& cause, const Result& result) {
    if (result.silent || cause.size < ethernet::size + ipv4::size || (cause.data[0] & 1) != 0) return;
    const bool v4 = load16(cause.data + ethernet::type) == ethernet::ipv4;
    const auto error = error_for(result, v4 ? Family::ipv4 : Family::ipv6);
    const GatewaySide& s = settings_.sides[index(side)];
    if (!error || (v4 ? !s.ipv4 : !s.ipv6) || !may_send_error()) return;
    Frame frame = pool_.allocate();
    if (!frame) return;
    const MutableBytes out(frame.data + ethernet::size, frame.room - ethernet::size);
    const Bytes packet = cause.bytes().subspan(ethernet::size);
    const std::size_t size =
        v4 ? make_icmpv4_error(*error, packet, s.ipv4->address, out) : make_icmpv6_error(*error, packet, s.ipv6->address, out);
    if (size == 0) return pool_.free(frame);
    write_link_addresses(frame.data, cause.data + ethernet::source, macs_[index(side)]);
    store16(frame.data + ethernet::type, v4 ? ethernet::ipv4 : ethernet::ipv6);
    frame.size = static_cast<std::uint32_t>(ethernet::size + size);
    ++side_counters_[index(side)].icmp_errors;
    transmitter_.transmit(side, frame);
}

}  // namespace xlatperf::reference
