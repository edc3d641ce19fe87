#include "control/config.h"

#include "control/plan_json.h"
#include "technologies/kind.h"

namespace xlatperf::reference {

using namespace wire;

namespace {

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
    Chosen chosen = read_technology(object.at("technology"), "technology");
    config.gateway.technology = std::move(chosen.technology);
    config.gateway.double_translation = chosen.double_translation;
    read_options(config, object);
    if (object.has("impair")) {
        const StrictObject impair(object.at("impair"), "impair", {"forward", "reverse"});
        if (impair.has("forward"))
            config.gateway.plans[0] = plan_from_json(impair.at("forward"), "impair.forward",
                                                     config.gateway.technology && config.gateway.technology->nat());
        if (impair.has("reverse")) config.gateway.plans[1] = plan_from_json(impair.at("reverse"), "impair.reverse");
    }
    return config;
}

}  // namespace xlatperf::reference
