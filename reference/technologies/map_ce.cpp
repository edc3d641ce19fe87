#include "technologies/map_ce.h"

#include "technologies/map_domains.h"
#include "technologies/napt_edge.h"
#include "technologies/nat_fields.h"

namespace xlatperf::reference {

using namespace wire;

namespace {

/// All ports that the CE may use; 0 is none (RFC 768).
Pool pool_of(const MapDomain& domain) {
    Pool pool;
    pool.first = domain.ce.ipv4.address.value;
    pool.first_port = 1;
    if (domain.rule.psid_length() > 0) {
        pool.psid_offset = domain.rule.psid_offset;
        pool.psid_length = domain.rule.psid_length();
        pool.psid = domain.ce.psid;
    }
    return pool;
}

}  // namespace

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
    settings.pool = pool_of(domains[0]);
    if (settings.pool.ports() == 0) fail(path + ".domains[0].ea", own["domains"][0]["ea"], "a CE with another port than 0");
    if (json.contains("state")) read_state(settings, json.at("state"), path + ".state");
    return {std::make_shared<NaptEdge>(technology, settings)};
}

}  // namespace xlatperf::reference
