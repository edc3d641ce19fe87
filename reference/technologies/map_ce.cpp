#include "technologies/map_ce.h"

#include "nat/rewrite.h"
#include "technologies/nat_fields.h"
#include "technologies/stateful.h"

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

/// RFC 7599 §8.1 (RFC 7597 §8 the same): NAPT44, then MAP.
Result MapCe::outbound(const Arrival& arrival, MutableBytes out) {
    const Datagram read = read_datagram(arrival.packet, Family::ipv4);
    if (read.problem != Fate::forwarded) return drop(read.problem);
    const auto& [source, destination, udp_at] = read.connection;
    const Mapped mapped = nat_.outbound(source, destination, arrival.now_ns);
    if (mapped.fate != Fate::forwarded) return drop(mapped.fate);
    translated_.assign(arrival.packet.begin(), arrival.packet.end());
    rewrite(translated_, translated_.data() + udp_at, End::source, mapped.endpoint);
    Arrival behind = arrival;
    behind.packet = translated_;
    return map_->translate(behind, out);
}

/// RFC 7599 §8.2: MAP with its checks, then NAPT44.
Result MapCe::inbound(const Arrival& arrival, MutableBytes out) {
    const Result result = map_->translate(arrival, out);
    if (result.fate != Fate::forwarded) return result;
    const MutableBytes packet = out.first(result.size);
    const Datagram read = read_datagram(packet, Family::ipv4);
    if (read.problem != Fate::forwarded) return drop(read.problem);
    const auto& [source, destination, udp_at] = read.connection;
    const Mapped mapped = nat_.inbound(destination, source, arrival.now_ns);
    if (mapped.fate != Fate::forwarded) return drop(mapped.fate);
    if (around().side_of(mapped.endpoint.address, Family::ipv4) != Side::left) return drop(Fate::no_route);
    rewrite(packet, packet.data() + udp_at, End::destination, mapped.endpoint);
    return result;
}

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
    return {std::make_shared<MapCe>(technology, settings)};
}

}  // namespace xlatperf::reference
