#include "control/config.h"

#include "control/nat_json.h"
#include "control/plan_json.h"
#include "wire/rfc6052.h"

namespace xlatperf::reference {

using namespace wire;

namespace {

constexpr std::string_view ipv4_prefix_form = "an IPv4 prefix like 198.18.0.0/24",
                           ipv6_prefix_form = "an IPv6 prefix like 2001:2::/64";
constexpr std::string_view ipv4_form = "an IPv4 address", ipv6_form = "an IPv6 address";

std::string element(const std::string& path, std::size_t i) { return path + "[" + std::to_string(i) + "]"; }

void read_route(GatewaySide& side, const StrictObject& route) {
    if (const auto prefix = parse_ipv4_prefix(route.text("prefix"))) {
        side.ipv4_routes.emplace_back(*prefix, route.parsed("via", parse_ipv4, ipv4_form));
    } else if (const auto prefix6 = parse_ipv6_prefix(route.text("prefix"))) {
        side.ipv6_routes.emplace_back(*prefix6, route.parsed("via", parse_ipv6, ipv6_form));
    } else {
        fail(route.path("prefix"), route.at("prefix"), "an IPv4 or IPv6 prefix");
    }
}

StaticNeighbor read_neighbor(Side side, const StrictObject& neighbor) {
    StaticNeighbor found;
    if (const auto address = parse_ipv4(neighbor.text("address")))
        found.address = NeighborAddress::of(side, *address);
    else
        found.address = NeighborAddress::of(side, neighbor.parsed("address", parse_ipv6, "an IPv4 or IPv6 address"));
    found.mac = neighbor.parsed("mac", parse_mac, "a MAC address like 02:00:00:00:00:01");
    return found;
}

void read_side(Config& config, Side which, const Json& json) {
    const std::string name = which == Side::left ? "left" : "right";
    const StrictObject object(json, name, {"port", "ipv4", "ipv6", "mtu", "routes", "neighbors"});
    PortSettings& port = config.ports[index(which)];
    GatewaySide& side = config.gateway.sides[index(which)];
    port.port = object.text("port");
    if (port.port.empty())
        fail(object.path("port"), "", "a DPDK port like net_memif0,role=server,socket=/tmp/x.sock,socket-abstract=no");
    if (object.has("mtu")) port.mtu = object.integer("mtu", 68, 9600);
    if (object.has("ipv4")) side.ipv4 = object.parsed("ipv4", parse_ipv4_prefix, "an own IPv4 address with its prefix length");
    if (object.has("ipv6")) side.ipv6 = object.parsed("ipv6", parse_ipv6_prefix, "an own IPv6 address with its prefix length");
    const Json& routes = object.array("routes");
    for (std::size_t i = 0; i < routes.size(); ++i)
        read_route(side, StrictObject(routes[i], element(object.path("routes"), i), {"prefix", "via"}));
    const Json& neighbors = object.array("neighbors");
    for (std::size_t i = 0; i < neighbors.size(); ++i)
        side.neighbors.push_back(
            read_neighbor(which, StrictObject(neighbors[i], element(object.path("neighbors"), i), {"address", "mac"})));
}

/// RFC 6052 §2.2.
Ipv6Prefix read_prefix(const StrictObject& object) {
    const Ipv6Prefix prefix = object.parsed("prefix", parse_ipv6_prefix, ipv6_prefix_form);
    if (!rfc6052::is_prefix_length(prefix.length))
        fail(object.path("prefix"), object.at("prefix"), "a length of 32, 40, 48, 56, 64 or 96 (RFC 6052 section 2.2)");
    if (((prefix.network().value >> 56) & 0xff) != 0)
        fail(object.path("prefix"), object.at("prefix"), "bits 64 to 71 must be zero (RFC 6052 section 2.2)");
    return prefix;
}

AddressMap read_address_map(const StrictObject& object) {
    std::optional<Ipv6Prefix> prefix;
    if (object.has("prefix")) prefix = read_prefix(object);
    std::vector<Eam> table;
    const Json& rows = object.array("eam");
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const StrictObject row(rows[i], element(object.path("eam"), i), {"ipv4", "ipv6"});
        const Eam eam{row.parsed("ipv4", parse_ipv4_prefix, ipv4_prefix_form),
                      row.parsed("ipv6", parse_ipv6_prefix, ipv6_prefix_form)};
        if (!AddressMap::suffixes_fit(eam))
            fail(row.path("ipv6"), row.at("ipv6"), "a suffix at least as long as that of ipv4 (RFC 7757 section 3.2)");
        table.push_back(eam);
    }
    if (!prefix && table.empty()) throw ConfigError(object.path("prefix") + ": missing; give \"prefix\" or \"eam\"");
    return AddressMap(prefix, std::move(table));
}

Siit read_siit(const StrictObject& object, AddressMap map) {
    Siit siit;
    siit.map = std::move(map);
    siit.compute_udp_checksum_zero = object.one_of("udp_checksum_zero", {"compute", "drop"}, "drop") == "compute";
    siit.lowest_ipv6_mtu = object.integer("lowest_ipv6_mtu", 1280, 9600, 1280);
    return siit;
}

/// The technology's name is one of `read_technology`.
void read_stateful(Config& config, const Json& json, const std::string& path, const std::string& name) {
    if (name == "nat64") {
        const StrictObject object(json, path, {"name", "prefix", "pool", "state", "udp_checksum_zero", "lowest_ipv6_mtu"});
        object.at("prefix");
        config.gateway.ipv6_side = Side::left;
        config.gateway.siit = read_siit(object, AddressMap(read_prefix(object), {}));
        config.gateway.nat = nat_from_json(object, Family::ipv6, Family::ipv4);
    } else if (name == "nat44") {
        const StrictObject object(json, path, {"name", "pool", "state", "double_translation"});
        config.gateway.double_translation = object.truth("double_translation", false);
        config.gateway.nat = nat_from_json(object, Family::ipv4, Family::ipv4);
    } else {
        config.gateway.nat = nat_from_json(StrictObject(json, path, {"name", "pool", "state"}), Family::ipv6, Family::ipv6);
    }
}

void read_technology(Config& config, const Json& json) {
    const std::string path = "technology";
    const Json name = json.is_object() && json.contains("name") ? json["name"] : Json();
    if (name == "native" || name == "forward") {
        const StrictObject object(json, path, {"name", "family", "double_translation"});
        object.one_of("family", {"ipv4", "ipv6"}, "ipv6");  // a router does both
        config.gateway.double_translation = object.truth("double_translation", false);
        return;
    }
    if (name == "nat44" || name == "nat64" || name == "nat66") return read_stateful(config, json, path, name);
    const StrictObject object(json, path, {"name", "ipv6_side", "prefix", "eam", "udp_checksum_zero", "lowest_ipv6_mtu"});
    if (object.text("name") != "siit") fail(object.path("name"), name, "native, siit, nat44, nat64, nat66");
    config.gateway.ipv6_side = object.one_of("ipv6_side", {"left", "right"}, "") == "left" ? Side::left : Side::right;
    config.gateway.siit = read_siit(object, read_address_map(object));
}

void read_options(Config& config, const StrictObject& object) {
    const std::string hugepages = object.one_of("hugepages", {"auto", "never", "require"}, "auto");
    config.hugepages = hugepages == "auto" ? Hugepages::automatic : hugepages == "never" ? Hugepages::never : Hugepages::require;
    const std::string idle = object.one_of("idle", {"poll", "yield", "sleep"}, "sleep");
    config.idle = idle == "poll" ? Idle::poll : idle == "yield" ? Idle::yield : Idle::sleep;
    if (object.has("core")) config.core = static_cast<unsigned>(object.integer("core", 0, 1023));
    config.buffers = static_cast<unsigned>(object.integer("buffers", 8192, 4'000'000, 32768));
    config.gateway.held_limit = (config.buffers - 6144) / 2;  // the rest is for rings, bursts and caches
    config.gateway.icmp_errors_per_second = object.integer("icmp_errors_per_second", 0, 1'000'000, 1000);
}

}  // namespace

Config config_from_json(const Json& json) {
    const StrictObject object(
        json, "", {"left", "right", "technology", "impair", "hugepages", "idle", "core", "buffers", "icmp_errors_per_second"});
    Config config;
    read_side(config, Side::left, object.at("left"));
    read_side(config, Side::right, object.at("right"));
    read_technology(config, object.at("technology"));
    read_options(config, object);
    if (object.has("impair")) {
        const StrictObject impair(object.at("impair"), "impair", {"forward", "reverse"});
        if (impair.has("forward"))
            config.gateway.plans[0] = plan_from_json(impair.at("forward"), "impair.forward", config.gateway.nat.has_value());
        if (impair.has("reverse")) config.gateway.plans[1] = plan_from_json(impair.at("reverse"), "impair.reverse");
    }
    return config;
}

}  // namespace xlatperf::reference
