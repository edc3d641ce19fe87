#include "technology/map_ce.h"

#include "technology/stateful_fields.h"

namespace xlatperf::technology {

MapCe the_ce(const message::Fields& technology, const std::vector<MapDomain>& domains) {
    if (domains.size() != 1)
        technology.refuse("domains", "a list of " + std::to_string(domains.size()), "one domain, that of the CE");
    if (!domains[0].ea)
        throw message::MessageError(technology.path_of("domains[0].ea: missing: the EA bits of the CE that the DUT is"));
    const MapCe ce = domains[0].rule.ce(*domains[0].ea);
    if (ce.ipv4_length < 32) {
        throw message::MessageError(technology.path_of("domains[0].ea_bits: ") + std::to_string(domains[0].rule.ea_bits) +
                                    " is not allowed: a CE with an IPv4 prefix needs no NAPT44");
    }
    if (ce.ports == flow::PortSet{0, 16, 0})
        throw message::MessageError(technology.path_of("domains[0].ea: ") + std::to_string(*domains[0].ea) +
                                    " is not allowed: a CE with another port than 0, which is none (RFC 768)");
    return ce;
}

flow::MappedServers servers_in_mesh(const Request& request, const MapRule& rule, const MapCe& dut, const Range& servers) {
    request.own.check(rule.suffix_bits() > 0, "domains[0].ea_bits", rule.ea_bits, with_mesh);
    const auto& range = std::get<flow::Ipv4Range>(servers);
    const std::uint32_t beyond = dut.ipv4.value - range.first.value;
    const bool has_dut = beyond % range.step == 0 && beyond / range.step < range.addresses;
    request.connections->check(
        rule.ipv4.contains(range.first) && rule.ipv4.contains(range.last()) && !has_dut, "servers.first",
        wire::to_text(range.first),
        "with mesh, addresses of " + wire::to_text(rule.ipv4) + " without the DUT's, " + wire::to_text(dut.ipv4));
    return {rule.subscribers(false), range};
}

Range read_ipv4_clients(Request& request) { return read_clients<wire::Ipv4Address>(request); }
Range read_ipv4_servers(Request& request) { return read_servers<wire::Ipv4Address>(request); }

}  // namespace xlatperf::technology
