// Servers behind CEs of a MAP domain (RFC 7597 §5, RFC 7599 §5): whose each is follows from its address and port.
#pragma once

#include "flow/address_range.h"
#include "flow/direction.h"
#include "flow/flow.h"
#include "flow/subscribers.h"

namespace xlatperf::flow {

struct MappedServers {
    SubscriberRule rule;  ///< whose CEs have one IPv4 address each
    Ipv4Range servers;    ///< in it

    /// The CE's, in the rule.
    std::uint64_t number(std::uint32_t server, std::uint16_t port) const {
        return std::uint64_t{servers.address(server).value - rule.ipv4} << rule.psid_bits | psid_in_number(port);
    }
    /// Of the server that a frame goes to, or comes from.
    std::uint64_t number(const Flow& flow, Direction direction) const {
        if (direction == Direction::reverse) return number(flow.source_host, flow.source_port);
        return number(flow.destination_host, flow.destination_port);
    }
    /// The CE's MAP address (RFC 7597 §6).
    wire::Ipv6Address address(std::uint32_t server, std::uint16_t port) const { return {rule.ipv6_of(number(server, port), 0)}; }

    /// Whether it's the MAP address of one of their CEs.
    bool holds(wire::Ipv6Address address) const {
        const std::uint64_t bits = (std::uint64_t{1} << rule.number_bits) - 1;
        const std::uint64_t number = static_cast<std::uint64_t>(address.value >> rule.ipv6_shift) & bits;
        const std::uint64_t beyond = std::uint64_t{rule.ipv4_of(number, 0)} - servers.first.value;
        return rule.ipv6_of(number, 0) == address.value && beyond % servers.step == 0 &&
               beyond / servers.step < servers.addresses;
    }
    /// Whether it is a port of a CE: with A = 0 it's nobody's where addresses are shared (RFC 7597 §5.1).
    bool may_have(std::uint16_t port) const { return rule.all_ports() || rule.ports(psid_in_number(port)).contains(port); }

  private:
    std::uint64_t psid_in_number(std::uint16_t port) const {
        return rule.psid_bits == 0 ? 0 : PortSet::psid_of(port, rule.psid_offset, rule.psid_length);
    }
};

}  // namespace xlatperf::flow
