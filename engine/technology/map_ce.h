// A CE with NAPT44, as most are (RFC 7597 §8, RFC 7599 §8.1): its private hosts are translated to its IPv4 address and its ports
// (RFC 3022), and that goes through MAP-E or MAP-T. So it is stateful (RFC 9693): clients are on the left, servers are outside
// the domain on the right.
#pragma once

#include "technology/map_domains.h"
#include "technology/stateful.h"

namespace xlatperf::technology {

/// What both read from a request.
struct MapCeParts {
    Range clients, servers;
    MapCe ce;  ///< who the DUT is
};

/// `domains`: exactly one, with `ea`. `read_more` reads what MAP-E or MAP-T adds to it.
template <typename ReadMore> MapCeParts read_map_ce(Request& request, ReadMore read_more);

/// The CE that a list of one domain names. Throws message::MessageError.
MapCe the_ce(const message::Fields& technology, const std::vector<MapDomain>& domains);

/// Clients and servers, which are named by IPv4 addresses.
Range read_ipv4_clients(Request& request);
Range read_ipv4_servers(Request& request);

template <typename ReadMore> MapCeParts read_map_ce(Request& request, ReadMore read_more) {
    const auto domains = read_domains(request, read_more);
    MapCe ce;
    if (!request.own.only_help()) ce = the_ce(request.own, domains);
    return {read_ipv4_clients(request), read_ipv4_servers(request), ce};
}

}  // namespace xlatperf::technology
