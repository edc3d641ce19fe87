#include "technologies/nat_fields.h"

#include <algorithm>
#include <cmath>

namespace xlatperf::reference {

using namespace wire;

namespace {

constexpr std::uint64_t most_entries = 4'000'000, most_addresses = 65536;

Pool pool_from(const StrictObject& object, Family family) {
    Pool pool;
    pool.family = family;
    pool.first = family == Family::ipv4 ? Bits128{object.parsed("first", parse_ipv4, "an IPv4 address").value}
                                        : object.parsed("first", parse_ipv6, "an IPv6 address").value;
    pool.addresses = static_cast<std::uint32_t>(object.integer("addresses", 1, most_addresses, 1));
    pool.first_port = static_cast<std::uint16_t>(object.integer("first_port", 1, 65535, 1024));
    pool.last_port = static_cast<std::uint16_t>(object.integer("last_port", 1, 65535, 65535));
    if (pool.last_port < pool.first_port)
        fail(object.path("last_port"), pool.last_port, "at least first_port, " + std::to_string(pool.first_port));
    const Bits128 last = family == Family::ipv4 ? Bits128{0xdfffffff} : (Bits128{0xfeff} << 112);
    if (pool.first == 0 || pool.first + pool.addresses - 1 > last || pool.first + pool.addresses - 1 < pool.first)
        fail(object.path("first"), object.at("first"), "an address of one host, and so must be the pool's last");
    return pool;
}

}  // namespace

NatSettings nat_from_json(const StrictObject& technology, Family inside, Family outside) {
    NatSettings settings;
    settings.inside = inside;
    settings.pool = pool_from(
        StrictObject(technology.at("pool"), technology.path("pool"), {"first", "addresses", "first_port", "last_port"}), outside);
    if (technology.has("state")) read_state(settings, technology.at("state"), technology.path("state"));
    return settings;
}

void read_state(NatSettings& settings, const Json& json, const std::string& path) {
    const StrictObject object(json, path, {"entries", "when_full", "collect", "timeout_s", "mapping"});
    settings.entries = static_cast<std::uint32_t>(object.integer("entries", 1, most_entries, settings.entries));
    const std::string full = object.one_of("when_full", {"refuse", "least_recently_used", "collect"}, "refuse");
    settings.when_full = full == "refuse"                ? WhenFull::refuse
                         : full == "least_recently_used" ? WhenFull::least_recently_used
                                                         : WhenFull::collect;
    if (settings.when_full == WhenFull::collect)
        settings.collect = static_cast<std::uint32_t>(object.integer("collect", 1, settings.entries));
    else if (object.has("collect"))
        fail(object.path("collect"), object.at("collect"), "only with when_full \"collect\"");
    settings.timeout_ns = static_cast<std::uint64_t>(std::llround(object.number("timeout_s", 0.001, 1e6, 300) * 1e9));
    const std::string mapping =
        object.one_of("mapping", {"endpoint_independent", "address_and_port_dependent"}, "endpoint_independent");
    settings.endpoint_independent = mapping == "endpoint_independent";
}

}  // namespace xlatperf::reference
