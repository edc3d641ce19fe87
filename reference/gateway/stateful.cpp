// The way through stateful translation: left is inside, right is outside. UDP is translated (RFC 9693 §3.1 tests nothing else);
// TCP, ICMP with its errors, fragments and hairpinning (RFC 4787 REQ-9) are not, and have counters.
#include <algorithm>

#include "gateway/gateway.h"
#include "nat/rewrite.h"
#include "translate/forward.h"
#include "wire/byte_order.h"
#include "wire/headers.h"

namespace xlatperf::reference {

using namespace wire;

namespace {

/// The connection that a packet belongs to.
struct Datagram {
    Result problem;  // with fate `forwarded`: none
    Endpoint source, destination;
    std::size_t udp_at = 0;  // of the UDP header
};

Datagram datagram(Bytes packet, Bytes payload, std::uint8_t protocol_number, bool is_fragment, Bits128 source,
                  Bits128 destination) {
    if (protocol_number != protocol::udp) return {drop(Fate::not_udp), {}, {}, 0};
    if (is_fragment) return {drop(Fate::fragment), {}, {}, 0};
    if (payload.size() < udp::size) return {drop(Fate::malformed), {}, {}, 0};
    return {{Fate::forwarded, 0, 0, 0},
            {source, load16(payload.data() + udp::source_port)},
            {destination, load16(payload.data() + udp::destination_port)},
            static_cast<std::size_t>(payload.data() - packet.data())};
}

Datagram read_datagram(Bytes packet, Family family) {
    if (family == Family::ipv4) {
        const auto p = parse_ipv4_packet(packet);
        if (!p) return {drop(Fate::malformed), {}, {}, 0};
        return datagram(packet, p->payload, p->protocol, p->is_fragment(), p->source.value, p->destination.value);
    }
    const auto p = parse_ipv6_packet(packet);
    if (!p) return {drop(Fate::malformed), {}, {}, 0};
    return datagram(packet, p->payload, p->protocol, p->is_fragment(), p->source.value, p->destination.value);
}

bool is_udp(Bytes packet, Family family) {
    if (family == Family::ipv4) return packet[ipv4::protocol] == protocol::udp;
    const auto p = parse_ipv6_packet(packet);
    return p && p->protocol == protocol::udp;
}

}  // namespace

std::optional<Side> Gateway::side_of(Bits128 address, Family family) const {
    if (family == Family::ipv4) {
        const auto* hop = ipv4_routes_.find(Ipv4Address{static_cast<std::uint32_t>(address)});
        return hop ? std::optional(hop->side) : std::nullopt;
    }
    const auto* hop = ipv6_routes_.find(Ipv6Address{address});
    return hop ? std::optional(hop->side) : std::nullopt;
}

bool Gateway::receive_from_outside(Frame frame, Family family) {
    const Family outside = nat_->pool().family;
    if (family != outside || (frame.data[0] & 1) != 0) return false;
    const Bytes packet = frame.bytes().subspan(ethernet::size);
    const bool v4 = family == Family::ipv4;
    const Bits128 destination = v4 ? Bits128{Ipv4Address::load(packet.data() + ipv4::destination).value}
                                   : Ipv6Address::load(packet.data() + ipv6::destination).value;
    const bool own = v4 ? is_own(Ipv4Address{static_cast<std::uint32_t>(destination)}) : is_own(Side::right, {destination});
    if (nat_->pool().contains(destination)) {
        if (own && !is_udp(packet, family)) return false;  // an echo request, perhaps
        translate_stateful(Side::right, frame, family);
        return true;
    }
    if (own || nat_->settings().inside != outside || side_of(destination, family) != Side::left) return false;
    refuse(Side::right, frame, drop(Fate::inside_address));
    return true;
}

bool Gateway::receive_from_inside(Frame frame, Family family) {
    if (family != nat_->settings().inside) return false;
    const Bytes packet = frame.bytes().subspan(ethernet::size);
    Bits128 destination = 0;
    if (settings_.siit) {
        const auto mapped = settings_.siit->map.to_ipv4(Ipv6Address::load(packet.data() + ipv6::destination));
        if (!mapped) return false;  // native IPv6
        destination = mapped->value;
    } else {
        destination = family == Family::ipv4 ? Bits128{Ipv4Address::load(packet.data() + ipv4::destination).value}
                                             : Ipv6Address::load(packet.data() + ipv6::destination).value;
    }
    if (nat_->pool().contains(destination)) {
        refuse(Side::left, frame, drop(Fate::no_mapping));
        return true;
    }
    if (side_of(destination, nat_->pool().family) != Side::right) return false;
    translate_stateful(Side::left, frame, family);
    return true;
}

void Gateway::translate_stateful(Side side, Frame frame, Family family) {
    const Datagram read = read_datagram(frame.bytes().subspan(ethernet::size), family);
    if (read.problem.fate != Fate::forwarded) return refuse(side, frame, read.problem);
    const Connection connection{read.source, read.destination, read.udp_at};
    if (settings_.siit)
        side == Side::left ? nat64_outbound(frame, connection) : nat64_inbound(frame, connection);
    else
        translate_in_family(side, frame, family, connection);
}

/// NAT44 and NAT66: a hop of a router with another address and port, in place.
void Gateway::translate_in_family(Side side, Frame frame, Family family, const Connection& connection) {
    Frame original = impairments(direction_from(side)).plan().untranslated.empty() ? Frame{} : copy(frame);
    const auto give_up = [&](const Result& result) {
        if (original) pool_.free(original);
        refuse(side, frame, result);
    };
    const MutableBytes packet = frame.bytes().subspan(ethernet::size);
    const std::size_t mtu = settings_.sides[index(other(side))].mtu;
    const Result result = pass(packet, family, mtu);
    if (result.fate != Fate::forwarded) return give_up(result);
    const bool outbound = side == Side::left;
    const Mapped mapped = outbound ? nat_->outbound(connection.source, connection.destination, now_ns_)
                                   : nat_->inbound(connection.destination, connection.source, now_ns_);
    if (mapped.fate != Fate::forwarded) return give_up(drop(mapped.fate));
    rewrite(packet, packet.data() + connection.udp_at, outbound ? End::source : End::destination, mapped.endpoint);
    const auto hop = next_hop(packet, family);
    if (!hop || hop->side == side) return give_up(drop(Fate::no_route));
    ++counters_[index(direction_from(side))].translated;
    frame.size = static_cast<std::uint32_t>(ethernet::size + result.size);  // without padding
    send_out(side, frame, original, result, *hop);
}

Frame Gateway::copy(const Frame& frame) {
    Frame made = pool_.allocate();
    if (!made) return {};
    if (made.room < frame.size) {
        pool_.free(made);
        return {};
    }
    std::copy_n(frame.data, frame.size, made.data);
    made.size = frame.size;
    return made;
}

/// RFC 6146 §3.5.1: the source becomes the binding's; headers as in RFC 7915 §5.
void Gateway::nat64_outbound(Frame frame, const Connection& connection) {
    const auto p = parse_ipv6_packet(frame.bytes().subspan(ethernet::size));
    const Result checked = check_v6_to_v4(*p);
    if (checked.fate != Fate::forwarded) return refuse(Side::left, frame, checked);
    const Ipv4Address destination = *settings_.siit->map.to_ipv4(p->destination);
    const Mapped mapped = nat_->outbound(connection.source, {Bits128{destination.value}, connection.destination.port}, now_ns_);
    if (mapped.fate != Fate::forwarded) return refuse(Side::left, frame, drop(mapped.fate));
    const AddressPair<Ipv4Address> to{{static_cast<std::uint32_t>(mapped.endpoint.address)}, destination};
    translate_into(Side::left, frame, Family::ipv4, [&](MutableBytes out) {
        if (out.size() < frame.size + translation_room) return drop(Fate::no_buffers);
        const Result result = translate_v6_to_v4(*settings_.siit, *p, to, out, ipv4_identification_);
        if (result.fate == Fate::forwarded) rewrite_port(out.data() + ipv4::size, End::source, mapped.endpoint.port);
        return result;
    });
}

/// RFC 6146 §3.5.1 and RFC 7915 §4, the other way.
void Gateway::nat64_inbound(Frame frame, const Connection& connection) {
    const auto p = parse_ipv4_packet(frame.bytes().subspan(ethernet::size));
    const Fate checked = check_v4_to_v6(*p);
    if (checked != Fate::forwarded) return refuse(Side::right, frame, drop(checked));
    const auto source = settings_.siit->map.to_ipv6(p->source);
    if (!source) return refuse(Side::right, frame, drop(Fate::not_translatable_address));
    const Mapped mapped = nat_->inbound(connection.destination, connection.source, now_ns_);
    if (mapped.fate != Fate::forwarded) return refuse(Side::right, frame, drop(mapped.fate));
    const AddressPair<Ipv6Address> to{*source, {mapped.endpoint.address}};
    translate_into(Side::right, frame, Family::ipv6, [&](MutableBytes out) {
        if (out.size() < frame.size + translation_room) return drop(Fate::no_buffers);
        const Result result = translate_v4_to_v6(*settings_.siit, *p, to, out);
        if (result.fate == Fate::forwarded) rewrite_port(out.data() + ipv6::size, End::destination, mapped.endpoint.port);
        return result;
    });
}

void Gateway::impair(Direction direction, const Plan& plan) {
    impairments_[index(direction)].set(plan);
    if (nat_ && direction == Direction::forward) nat_->set_faults(plan);
}

std::uint32_t Gateway::clear_state() { return nat_ ? nat_->clear() : 0; }

}  // namespace xlatperf::reference
