#include "trial/configuration.h"

namespace xlatperf::trial {

std::vector<wire::Family> families(const Configuration& configuration, flow::Side side) {
    std::vector<wire::Family> found;
    if (configuration.foreground_take > 0) found.push_back(configuration.technology->link_family(side));
    if (configuration.has_background() && (found.empty() || found.front() != wire::Family::ipv6))
        found.push_back(wire::Family::ipv6);
    return found;
}

port::LinkTag link_tag(const Configuration& configuration, flow::Side side) {
    port::LinkTag tag = configuration.sides[flow::index(side)].vlan;
    if (!configuration.loopback) return tag;
    const auto& other = configuration.sides[flow::index(flow::other(side))].vlan.sent;
    tag.received = other ? std::optional(wire::VlanRequired{other->id, other->priority}) : std::nullopt;
    return tag;
}

namespace {

// Those who are named so in a header on the link.
struct Neighbours {
    port::NeighborConfiguration& to;

    void operator()(const technology::Addresses& addresses) const {
        for (const auto& address : addresses) {
            if (const auto* v4 = std::get_if<wire::Ipv4Address>(&address)) to.ipv4_hosts.push_back(*v4);
            if (const auto* v6 = std::get_if<wire::Ipv6Address>(&address)) to.ipv6_hosts.push_back(*v6);
        }
    }
    void operator()(const technology::OfDomain& each) const { (*this)(each.addresses); }
    void operator()(const technology::OfSubscriber& subscribers) const {
        to.others.emplace_back([all = subscribers.all](const wire::Address& address) { return all->covers(address); });
    }
    void operator()(const technology::OutsideSubscriber&) const {}  // nobody on a link is called so
    void operator()(const flow::B4s& b4s) const {
        to.others.emplace_back([b4s](const wire::Address& address) {
            const auto* v6 = std::get_if<wire::Ipv6Address>(&address);
            return v6 != nullptr && b4s.holds(*v6);
        });
    }
    void operator()(const flow::MappedServers& servers) const {
        to.others.emplace_back([servers](const wire::Address& address) {
            const auto* v6 = std::get_if<wire::Ipv6Address>(&address);
            return v6 != nullptr && servers.holds(*v6);
        });
    }
};

}  // namespace

port::NeighborConfiguration neighbor_configuration(const Configuration& configuration, flow::Side side, const wire::Mac& mac) {
    const auto& own = configuration.sides[flow::index(side)];
    port::NeighborConfiguration neighbors;
    neighbors.mac = mac;
    neighbors.gateway_mac = own.gateway_mac;
    for (const auto family : families(configuration, side)) {
        if (family == wire::Family::ipv4) neighbors.ipv4 = own.ipv4;
        if (family == wire::Family::ipv6) neighbors.ipv6 = own.ipv6;
    }
    const Neighbours add{neighbors};
    std::visit(add, configuration.technology->names(side, side));
    if (const auto tunnel = configuration.technology->tunnel(side)) std::visit(add, tunnel->ends[flow::index(side)]);
    if (configuration.has_background() && own.background_hosts) {
        for (std::uint32_t i = 0; i < own.background_hosts->networks; ++i) {
            neighbors.ipv6_hosts.push_back(own.background_hosts->address(i));
        }
    }
    return neighbors;
}

}  // namespace xlatperf::trial
