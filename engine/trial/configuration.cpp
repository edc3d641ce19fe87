#include "trial/configuration.h"

namespace xlatperf::trial {

std::vector<wire::Family> families(const Configuration& configuration, flow::Side side) {
    std::vector<wire::Family> found;
    if (configuration.foreground_take > 0) found.push_back(configuration.technology->link_family(side));
    if (configuration.has_background() && (found.empty() || found.front() != wire::Family::ipv6))
        found.push_back(wire::Family::ipv6);
    return found;
}

port::NeighborConfiguration neighbor_configuration(const Configuration& configuration, flow::Side side, const wire::Mac& mac) {
    const auto& own = configuration.sides[flow::index(side)];
    port::NeighborConfiguration neighbors;
    neighbors.mac = mac;
    neighbors.gateway_mac = own.gateway_mac;
    for (const auto family : families(configuration, side)) {
        if (family == wire::Family::ipv4) neighbors.ipv4 = own.ipv4;
        if (family == wire::Family::ipv6) neighbors.ipv6 = own.ipv6;
    }
    for (const auto& address : configuration.technology->addresses(side, side)) {
        if (const auto* v4 = std::get_if<wire::Ipv4Address>(&address)) neighbors.ipv4_hosts.push_back(*v4);
        if (const auto* v6 = std::get_if<wire::Ipv6Address>(&address)) neighbors.ipv6_hosts.push_back(*v6);
    }
    if (configuration.has_background() && own.background_hosts) {
        for (std::uint32_t i = 0; i < own.background_hosts->networks; ++i) {
            neighbors.ipv6_hosts.push_back(own.background_hosts->address(i));
        }
    }
    return neighbors;
}

}  // namespace xlatperf::trial
