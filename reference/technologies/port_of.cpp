#include "technologies/port_of.h"

#include "wire/byte_order.h"
#include "wire/headers.h"

namespace xlatperf::reference {

using namespace wire;

namespace {

PortOf other(PortOf end) { return end == PortOf::source ? PortOf::destination : PortOf::source; }

/// Of TCP, UDP and echos.
PortFound own_port(Bytes payload, std::uint8_t protocol, PortOf end) {
    if (protocol == protocol::udp || protocol == protocol::tcp) {
        if (payload.size() < udp::length) return {Fate::malformed, 0};
        return {Fate::forwarded, load16(payload.data() + (end == PortOf::source ? udp::source_port : udp::destination_port))};
    }
    if (protocol != protocol::icmpv4 && protocol != protocol::icmpv6) return {Fate::no_port, 0};
    if (payload.size() < icmp::size) return {Fate::malformed, 0};
    const std::uint8_t request = protocol == protocol::icmpv4 ? 8 : 128, reply = protocol == protocol::icmpv4 ? 0 : 129;
    if (payload[icmp::type] != request && payload[icmp::type] != reply) return {Fate::no_port, 0};
    return {Fate::forwarded, load16(payload.data() + icmp::rest)};
}

bool is_error(Bytes message, std::uint8_t protocol) {
    if (message.size() < icmp::size) return false;
    const std::uint8_t type = message[icmp::type];
    if (protocol == protocol::icmpv6) return type >= 1 && type <= 4;
    return protocol == protocol::icmpv4 && (type == 3 || type == 11 || type == 12);
}

}  // namespace

PortFound find_port(Bytes payload, std::uint8_t protocol, bool is_fragment, PortOf end) {
    if (is_fragment) return {Fate::fragment, 0};
    if (!is_error(payload, protocol)) return own_port(payload, protocol, end);
    const Bytes quoted = payload.subspan(icmp::size);
    if (protocol == protocol::icmpv4) {
        const auto about = parse_ipv4_packet(quoted, Completeness::quoted);
        if (!about) return {Fate::malformed, 0};
        if (about->fragment_offset != 0) return {Fate::fragment, 0};
        return own_port(about->payload, about->protocol, other(end));
    }
    const auto about = parse_ipv6_packet(quoted, Completeness::quoted);
    if (!about) return {Fate::malformed, 0};
    if (about->fragment && about->fragment->offset != 0) return {Fate::fragment, 0};
    return own_port(about->payload, about->protocol, other(end));
}

}  // namespace xlatperf::reference
