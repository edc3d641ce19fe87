#include "technologies/stateful.h"

#include <algorithm>

#include "nat/rewrite.h"
#include "translate/forward.h"
#include "wire/byte_order.h"
#include "wire/headers.h"

namespace xlatperf::reference {

using namespace wire;

namespace {

Datagram datagram(Bytes packet, Bytes payload, std::uint8_t protocol_number, bool is_fragment, Bits128 source,
                  Bits128 destination) {
    if (protocol_number != protocol::udp) return {Fate::not_udp, {}};
    if (is_fragment) return {Fate::fragment, {}};
    if (payload.size() < udp::size) return {Fate::malformed, {}};
    return {Fate::forwarded,
            {{source, load16(payload.data() + udp::source_port)},
             {destination, load16(payload.data() + udp::destination_port)},
             static_cast<std::size_t>(payload.data() - packet.data())}};
}

bool is_udp(Bytes packet, Family family) {
    if (family == Family::ipv4) return packet[ipv4::protocol] == protocol::udp;
    const auto p = parse_ipv6_packet(packet);
    return p && p->protocol == protocol::udp;
}

}  // namespace

Datagram read_datagram(Bytes packet, Family family) {
    if (family == Family::ipv4) {
        const auto p = parse_ipv4_packet(packet);
        if (!p) return {Fate::malformed, {}};
        return datagram(packet, p->payload, p->protocol, p->is_fragment(), p->source.value, p->destination.value);
    }
    const auto p = parse_ipv6_packet(packet);
    if (!p) return {Fate::malformed, {}};
    return datagram(packet, p->payload, p->protocol, p->is_fragment(), p->source.value, p->destination.value);
}

bool is_for_pool(const Arrival& arrival, const Pool& pool) {
    return pool.contains(arrival.destination) && (!arrival.own || is_udp(arrival.packet, arrival.family));
}

bool Stateful::takes(const Arrival& arrival) const {
    return arrival.side == Side::right ? takes_from_outside(arrival) : takes_from_inside(arrival);
}

bool Stateful::takes_from_outside(const Arrival& arrival) const {
    if (arrival.family != nat_.pool().family) return false;
    if (nat_.pool().contains(arrival.destination)) return is_for_pool(arrival, nat_.pool());
    if (arrival.own || nat_.settings().inside != arrival.family) return false;
    return around().side_of(arrival.destination, arrival.family) == Side::left;
}

bool Stateful::takes_from_inside(const Arrival& arrival) const {
    if (arrival.own || arrival.family != nat_.settings().inside) return false;
    const auto destination = outside(arrival);
    if (!destination) return false;
    return nat_.pool().contains(*destination) || around().side_of(*destination, nat_.pool().family) == Side::right;
}

Result Stateful::translate(const Arrival& arrival, MutableBytes out) {
    const bool is_outbound = arrival.side == Side::left;
    const bool to_pool = nat_.pool().contains(is_outbound ? *outside(arrival) : arrival.destination);
    if (is_outbound == to_pool) return drop(is_outbound ? Fate::no_mapping : Fate::inside_address);
    const Datagram read = read_datagram(arrival.packet, arrival.family);
    if (read.problem != Fate::forwarded) return drop(read.problem);
    return is_outbound ? outbound(arrival, read.connection, out) : inbound(arrival, read.connection, out);
}

Result StatefulInFamily::pass(const Arrival& arrival, const Connection& connection, MutableBytes out) {
    if (out.size() < arrival.packet.size()) return drop(Fate::no_buffers);
    std::copy(arrival.packet.begin(), arrival.packet.end(), out.begin());
    const MutableBytes packet = out.first(arrival.packet.size());
    const bool is_outbound = arrival.side == Side::left;
    const std::size_t mtu = around().link(other(arrival.side)).mtu;
    const Result result = forward(packet, arrival.family, mtu, twice_ ? &*twice_ : nullptr);
    if (result.fate != Fate::forwarded) return result;
    const Mapped mapped = is_outbound ? nat_.outbound(connection.source, connection.destination, arrival.now_ns)
                                      : nat_.inbound(connection.destination, connection.source, arrival.now_ns);
    if (mapped.fate != Fate::forwarded) return drop(mapped.fate);
    if (!is_outbound && around().side_of(mapped.endpoint.address, arrival.family) != Side::left) return drop(Fate::no_route);
    rewrite(packet, packet.data() + connection.udp_at, is_outbound ? End::source : End::destination, mapped.endpoint);
    return result;
}

}  // namespace xlatperf::reference
