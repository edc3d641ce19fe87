#include "technologies/map_ce.h"

#include "technologies/napt_edge.h"
#include "technologies/nat_fields.h"

namespace xlatperf::reference {

Chosen with_napt(Fields& technology, const std::shared_ptr<MapTechnology>& map) {
    const auto& domains = map->settings().domains;
    technology.check(domains.size() == 1, "domains", "a list of " + std::to_string(domains.size()), "one domain, that of the CE");
    const MapDomain& own = domains[0];
    technology.check(own.ce.ipv4.length == 32, "domains[0].ea_bits", own.rule.ea_bits,
                     "a CE with one address: a prefix needs no NAPT44");
    NatSettings settings;
    settings.pool = pool_of_one(own.ce.ipv4.address, own.rule.psid_offset, own.rule.psid_length(), own.ce.psid);
    technology.check(settings.pool.ports() > 0, "domains[0].ea", "the CE", "one with another port than 0");
    read_state(technology, settings);
    return {std::make_shared<NaptEdge>(map, settings)};
}

}  // namespace xlatperf::reference
