#include "technologies/map_domains.h"

#include <algorithm>

namespace xlatperf::reference {

using namespace wire;

MapTechnology::MapTechnology(MapSettings settings) : settings_(std::move(settings)) {
    for (std::size_t i = 0; i < settings_.domains.size(); ++i) {
        const auto& [rule, ce] = settings_.domains[i];
        const Ipv6Address own = rule.map_address(ce, ce.ipv4.address);
        by_ipv4_.add(is_border_relay() ? rule.ipv4 : ce.ipv4, {}).push_back(i);
        by_ipv6_.add(is_border_relay() ? rule.ipv6 : rule.network_of(own), {}).push_back(i);
    }
}

bool MapTechnology::takes(const Arrival& arrival) const {
    if (arrival.family == Family::ipv6) return arrival.side == ipv6_side() && takes_ipv6(arrival);
    if (arrival.own || arrival.side != ipv4_side()) return false;
    if (!is_border_relay()) return around().side_of(arrival.destination, Family::ipv4) != ipv4_side();
    const Ipv4Address destination{static_cast<std::uint32_t>(arrival.destination)};
    return by_ipv4_.find(destination) != nullptr;
}

Result MapTechnology::translate(const Arrival& arrival, MutableBytes out) {
    if (arrival.family == Family::ipv6) return to_ipv4(arrival, out);
    const auto packet = parse_ipv4_packet(arrival.packet);
    return packet ? from_ipv4(*packet, arrival.packet, out) : drop(Fate::malformed);
}

std::optional<std::size_t> MapTechnology::domain_of(Ipv6Address map_address) const {
    const Numbers* found = by_ipv6_.find(map_address);
    return found == nullptr ? std::nullopt : std::optional(found->front());
}

/// The rule with the longest prefix; of several with a provisioned PSID, the one with the port's.
std::optional<std::size_t> MapTechnology::domain_of(const CeEnd& end) const {
    const Numbers* found = by_ipv4_.find(end.address);
    if (found == nullptr) return {};
    const auto has_port = [&](std::size_t number) {
        const MapRule& rule = domain(number).rule;
        return !rule.psid || rule.psid_of(end.port) == *rule.psid;
    };
    const auto own = std::find_if(found->begin(), found->end(), has_port);
    return own == found->end() ? found->front() : *own;
}

Result MapTechnology::back(const Ipv4Packet& packet, Bytes whole, MutableBytes out) {
    Result result = from_ipv4(packet, whole, out);
    result.silent = true;
    return result;
}

Result MapTechnology::from_ipv4(const Ipv4Packet& packet, Bytes whole, MutableBytes out) {
    const Ipv4Address address = is_border_relay() ? packet.destination : packet.source;
    const PortFound port = find_port(packet.payload, packet.protocol, packet.is_fragment(),
                                     is_border_relay() ? PortOf::destination : PortOf::source);
    const std::size_t number = domain_of(CeEnd{address, port.port}).value_or(0);
    const MapDomain& of = domain(number);
    if (of.lacks(port)) return drop(port.fate);
    if (is_border_relay()) {
        const Ce ce = of.rule.ce_of(address, port.port);
        if (!of.rule.has(ce, port.port) && on(Check::destination_port)) return drop(Fate::wrong_destination_port);
        return to_ipv6(packet, whole, {far_end(number, packet.source), map_address(of, ce, address)}, out);
    }
    if (!of.ce.ipv4.contains(address) && on(Check::source_address)) return drop(Fate::wrong_source_address);
    if (!of.rule.has(of.ce, port.port) && on(Check::source_port)) return drop(Fate::wrong_source_port);
    return to_ipv6(packet, whole, {map_address(of, of.ce, address), far_end(number, packet.destination)}, out);
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
