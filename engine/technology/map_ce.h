// A CE with NAPT44, as most are (RFC 7597 §8, RFC 7599 §8.1): its private hosts are translated to its IPv4 address and its ports
// (RFC 3022), and that goes through MAP-E or MAP-T. So it is stateful (RFC 9693): clients are on the left; servers are outside
// the domain on the right, or in a mesh (RFC 7597 §5: Forwarding Mapping Rules) behind other CEs of the domain.
#pragma once

#include "technology/map_domains.h"
#include "technology/stateful.h"

namespace xlatperf::technology {

/// What both read from a request.
struct MapCeParts {
    Range clients, servers;
    MapCe ce;                                      ///< who the DUT is
    std::optional<flow::MappedServers> in_mesh{};  ///< servers that are behind others
    wire::Ipv6Prefix rule_ipv6;                    ///< where these are
};

/// `mesh`. `domains`: exactly one, with `ea`. `read_more` reads what MAP-E or MAP-T adds to it.
template <typename ReadMore> MapCeParts read_map_ce(Request& request, ReadMore read_more);

/// The CE that a list of one domain names. Throws message::MessageError.
MapCe the_ce(const message::Fields& technology, const std::vector<MapDomain>& domains);

/// The servers behind other CEs of the DUT's domain. Throws message::MessageError.
flow::MappedServers servers_in_mesh(const Request& request, const MapRule& rule, const MapCe& dut, const Range& servers);

/// Clients and servers, which are named by IPv4 addresses.
Range read_ipv4_clients(Request& request);
Range read_ipv4_servers(Request& request);

template <typename ReadMore> MapCeParts read_map_ce(Request& request, ReadMore read_more) {
    bool mesh = false;
    request.own.read("mesh", mesh, "to other CEs and from them (RFC 7597 section 5: Forwarding Mapping Rules)");
    const auto domains = read_domains(request, read_more);
    MapCeParts found{read_ipv4_clients(request), read_ipv4_servers(request), {}, {}, {}};
    if (request.own.only_help()) return found;
    found.ce = the_ce(request.own, domains);
    const MapRule& rule = domains[0].rule;
    found.rule_ipv6 = {rule.ipv6.network(), rule.ipv6.length};
    if (mesh) found.in_mesh = servers_in_mesh(request, rule, found.ce, found.servers);
    return found;
}

}  // namespace xlatperf::technology
