#include "technologies/map_ce.h"

#include "technologies/map_domains.h"
#include "technologies/napt_edge.h"
#include "technologies/nat_fields.h"

namespace xlatperf::reference {

Chosen read_map_ce(const Json& json, const std::string& path, const Kind& map) {
    if (json.contains("role")) throw ConfigError(path + ".role: unknown key; the device is a CE");
    Json own = json;
    own.erase("state");
    own["name"] = map.name;
    own["role"] = "ce";
    const auto technology = std::static_pointer_cast<MapTechnology>(map.read(own, path).technology);
    const auto& domains = technology->settings().domains;
    if (domains.size() != 1) fail(path + ".domains", domains.size(), "one domain, that of the CE");
    if (domains[0].ce.ipv4.length < 32)
        fail(path + ".domains[0].ea_bits", domains[0].rule.ea_bits, "a CE with one address: a prefix needs no NAPT44");
    NatSettings settings;
    const MapDomain& own_domain = domains[0];
    settings.pool =
        pool_of_one(own_domain.ce.ipv4.address, own_domain.rule.psid_offset, own_domain.rule.psid_length(), own_domain.ce.psid);
    if (settings.pool.ports() == 0) fail(path + ".domains[0].ea", own["domains"][0]["ea"], "a CE with another port than 0");
    if (json.contains("state")) read_state(settings, json.at("state"), path + ".state");
    return {std::make_shared<NaptEdge>(technology, settings)};
}

}  // namespace xlatperf::reference
