#include "technologies/map_domains.h"

namespace xlatperf::reference {

using namespace wire;

MapTechnology::MapTechnology(MapSettings settings) : settings_(std::move(settings)) {
    for (std::size_t i = 0; i < settings_.domains.size(); ++i) {
        const auto& [rule, ce] = settings_.domains[i];
        if (is_border_relay()) own_.add(i, rule, rule.ipv4, rule.ipv6);
        if (settings_.mesh) others_.add(i, rule, rule.ipv4, rule.ipv6);
        if (is_border_relay() || (settings_.mesh && i > 0)) continue;
        own_.add(i, rule, ce.ipv4, rule.network_of(rule.map_address(ce, ce.ipv4.address)));
    }
}

bool MapTechnology::takes(const Arrival& arrival) const {
    if (arrival.family == Family::ipv6) return arrival.side == ipv6_side() && takes_ipv6(arrival);
    if (arrival.own || arrival.side != ipv4_side()) return false;
    if (!is_border_relay()) return around().side_of(arrival.destination, Family::ipv4) != ipv4_side();
    return own_.has(Ipv4Address{static_cast<std::uint32_t>(arrival.destination)});
}

Result MapTechnology::translate(const Arrival& arrival, MutableBytes out) {
    if (arrival.family == Family::ipv6) return to_ipv4(arrival, out);
    const auto packet = parse_ipv4_packet(arrival.packet);
    return packet ? from_ipv4(*packet, arrival.packet, out) : drop(Fate::malformed);
}

Result MapTechnology::back(const Ipv4Packet& packet, Bytes whole, MutableBytes out) {
    Result result = from_ipv4(packet, whole, out);
    result.silent = true;
    return result;
}

Result MapTechnology::from_ipv4(const Ipv4Packet& packet, Bytes whole, MutableBytes out) {
    const auto port_of = [&](PortOf end) { return find_port(packet.payload, packet.protocol, packet.is_fragment(), end); };
    const auto& rules = is_border_relay() ? own_ : others_;
    const PortFound there = port_of(PortOf::destination);
    const auto to_ce = rules.find(packet.destination, there.port);
    Ipv6Address destination;
    if (to_ce) {
        const MapDomain& of = domain(*to_ce);
        if (of.lacks(there)) return drop(there.fate);
        const Ce ce = of.rule.ce_of(packet.destination, there.port);
        if (!of.rule.has(ce, there.port) && on(Check::destination_port)) return drop(Fate::wrong_destination_port);
        destination = map_address(of, ce, packet.destination);
        if (is_border_relay()) return to_ipv6(packet, whole, {far_end(*to_ce, packet.source), destination}, out);
    }
    const PortFound port = port_of(PortOf::source);
    const std::size_t number = own_.find(packet.source, port.port).value_or(0);
    const MapDomain& own = domain(number);
    if (own.lacks(port)) return drop(port.fate);
    if (!own.ce.ipv4.contains(packet.source) && on(Check::source_address)) return drop(Fate::wrong_source_address);
    if (!own.rule.has(own.ce, port.port) && on(Check::source_port)) return drop(Fate::wrong_source_port);
    if (!to_ce) destination = far_end(number, packet.destination);
    return to_ipv6(packet, whole, {map_address(own, own.ce, packet.source), destination}, out);
}

Result MapTechnology::check(const MapDomain& of, Ipv6Address map_address, const CeEnd& end) const {
    if (!is_border_relay()) return drop(check_receiver(of, map_address, end));
    return drop(check_sender(of, map_address, end), settings_.answers ? 1 : 0);
}

/// RFC 7597 §8.1, RFC 7599 §8.3. Three say who sends: EA bits, interface identifier, and the packet's address and port. Where two
/// agree the third is wrong.
Fate MapTechnology::check_sender(const MapDomain& of, Ipv6Address map_address, const CeEnd& from) const {
    const MapRule& rule = of.rule;
    const Ce by_ea = rule.ce_of_ea(rule.ea_of(map_address));
    const unsigned length = by_ea.ipv4.length;
    const Ce by_packet{{Ipv4Prefix{from.address, length}.network(), length}, rule.psid_of(from.port)};
    const bool ea_agrees = by_ea.ipv4 == by_packet.ipv4 && by_ea.psid == by_packet.psid;
    const bool identifier_agrees =
        rule.identifier(map_address) == rule.identifier(this->map_address(of, by_packet, from.address));
    if (ea_agrees && identifier_agrees)
        return rule.is_given(from.port) ? Fate::forwarded : refuse(Check::source_port, Fate::wrong_source_port);
    if (ea_agrees) return refuse(Check::interface_identifier, Fate::wrong_interface_identifier);
    if (identifier_agrees && ipv4_in(rule, map_address)) return refuse(Check::ea_bits, Fate::wrong_ea_bits);
    if (by_ea.ipv4 == by_packet.ipv4) return refuse(Check::source_port, Fate::wrong_source_port);
    return refuse(Check::source_address, Fate::wrong_source_address);
}

/// RFC 7597 §8.1, RFC 7599 §8.2.
Fate MapTechnology::check_receiver(const MapDomain& of, Ipv6Address map_address, const CeEnd& to) const {
    const Ipv6Address own = this->map_address(of, of.ce, to.address);
    if (!(map_address == own) && on(Check::interface_identifier)) return Fate::wrong_interface_identifier;
    if (!of.ce.ipv4.contains(to.address) && on(Check::destination_address)) return Fate::wrong_destination_address;
    if (!of.rule.has(of.ce, to.port) && on(Check::destination_port)) return Fate::wrong_destination_port;
    return Fate::forwarded;
}

}  // namespace xlatperf::reference
