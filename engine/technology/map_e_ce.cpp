// A MAP-E CE with NAPT44 (RFC 7597): private IPv4 on the left, tunnels (RFC 2473) to the border relay on the right (RFC 7597
// §5.4, §8) or to other CEs (§5: mesh mode), from the CE's MAP IPv6 address.
#include "technology/map_ce.h"
#include "technology/tunnel_edge.h"

namespace xlatperf::technology {

namespace {

std::shared_ptr<const Technology> read_map_e_ce(Request& request) {
    wire::Ipv6Address border_relay;
    const auto parts = read_map_ce(request, [&](message::Fields& domain) { border_relay = read_border_relay(domain); });
    const MapCe& ce = parts.ce;
    FarEnds far = FarEnds::one(border_relay);
    if (parts.in_mesh) {  // a CE that doesn't know the others sends to the border relay
        far.names = *parts.in_mesh;
        far.routes.insert(far.routes.begin(), wire::to_text(parts.rule_ipv6));
    }
    return std::make_shared<TunnelEdge>(parts.clients, parts.servers, pool_of(ce.ports, ce.ipv4), ce.ipv6, far);
}

}  // namespace

const Kind kind::map_e_ce = {"map-e-ce", "RFC 7597, RFC 9693", FlowSpace::connections, read_map_e_ce};

}  // namespace xlatperf::technology
