#include "control/config.h"

#include "control/plan_fields.h"
#include "technologies/kind.h"

namespace xlatperf::reference {

using namespace wire;

namespace {

constexpr Word<Idle> idle_words[] = {{"poll", Idle::poll}, {"yield", Idle::yield}, {"sleep", Idle::sleep}};

void read_route(GatewaySide& side, Fields& route) {
    std::string prefix;
    route.require("prefix", prefix, "IPv4 or IPv6");
    const auto ipv4 = parse_ipv4_prefix(prefix);
    const auto ipv6 = parse_ipv6_prefix(prefix);
    route.check(ipv4 || ipv6, "prefix", "\"" + prefix.substr(0, 60) + "\"", "an IPv4 or IPv6 prefix");
    if (ipv4) {
        route.require("via", side.ipv4_routes.emplace_back(*ipv4, Ipv4Address{}).second, "the next hop, on that link");
    } else {
        route.require("via", side.ipv6_routes.emplace_back(ipv6.value_or(Ipv6Prefix{}), Ipv6Address{}).second,
                      "the next hop, on that link; IPv4 for an IPv4 prefix");
    }
}

void read_neighbor(Side side, Fields& fields, StaticNeighbor& neighbor) {
    std::string address;
    fields.require("address", address, "IPv4 or IPv6");
    const auto ipv4 = parse_ipv4(address);
    const auto ipv6 = parse_ipv6(address);
    fields.check(ipv4 || ipv6, "address", "\"" + address.substr(0, 60) + "\"", "an IPv4 or IPv6 address");
    neighbor.address = ipv4 ? NeighborAddress::of(side, *ipv4) : NeighborAddress::of(side, ipv6.value_or(Ipv6Address{}));
    fields.require("mac", neighbor.mac, "its link-layer address");
}

void read_side(Config& config, Side which, Fields& fields) {
    PortSettings& port = config.ports[index(which)];
    GatewaySide& side = config.gateway.sides[index(which)];
    fields.require("port", port.port, "a PCI address or a DPDK virtual device: net_memif, net_af_packet, net_tap, net_ring ...");
    fields.check(!port.port.empty(), "port", "\"\"",
                 "a DPDK port like net_memif0,role=server,socket=/tmp/x.sock,socket-abstract=no");
    fields.read("mtu", port.mtu, 68, 9600, "the link's; null: the port's");
    fields.read("takes_vlan", port.takes_vlan, 1, 4094,
                "the link is that VLAN (IEEE 802.1Q), other frames are dropped; null: none");
    if (fields.has("sends_vlan")) {
        fields.object("sends_vlan", "the tag of the frames that it sends", [&](Fields& own) {
            auto& tag = port.sends_vlan.emplace();
            own.require("id", tag.id, 1, 4094, "of the VLAN");
            own.read("priority", tag.priority, 0, 7, "of the frames");
        });
    }
    fields.read("ipv4", side.ipv4, "the gateway's own address on that link with its prefix length");
    fields.read("ipv6", side.ipv6, "the same");
    fields.objects("routes", "what is behind that side: the longest prefix of both sides counts; links are known without a route",
                   [&](Fields& route) { read_route(side, route); });
    fields.objects("neighbors",
                   "known link-layer addresses; others are resolved by ARP and Neighbor Discovery and learnt from requests",
                   [&](Fields& own) { read_neighbor(which, own, side.neighbors.emplace_back()); });
}

std::string shown_vlan(const PortSettings& port) { return port.takes_vlan ? std::to_string(*port.takes_vlan) : "null"; }

void read_options(Config& config, Fields& fields) {
    fields.read("hugepages", config.hugepages, eal::hugepages_words, "auto: if enough are free");
    fields.read("idle", config.idle, idle_words,
                "poll: never gives up the core; yield: gives it up when nothing arrives; sleep: and after 20 ms without frames "
                "naps for 0.1 ms at a time");
    fields.read("core", config.core, 0, 1023, "the CPU to run on; null: any that the process may use");
    fields.read("buffers", config.buffers, 8192, 4'000'000, "of frames; bounds how many can be held by delays");
    config.gateway.held_limit = (config.buffers - 6144) / 2;  // the rest is for rings, bursts and caches
    fields.read("icmp_errors_per_second", config.gateway.icmp_errors_per_second, 0, 1'000'000, "at most");
}

}  // namespace

Config read_config(Fields& fields) {
    Config config;
    fields.object("left", "the side of clients and subscribers", [&](Fields& own) { read_side(config, Side::left, own); });
    if (!fields.only_help())  // the same again
        fields.object("right", "the other side", [&](Fields& own) {
            read_side(config, Side::right, own);
            own.check(!config.one_port() || config.ports[0].takes_vlan != config.ports[1].takes_vlan, "takes_vlan",
                      shown_vlan(config.ports[1]), "another one than the left side's, which is on the same port");
        });
    if (!fields.only_help()) {  // each kind has fields of its own
        fields.object("technology", "", [&](Fields& own) {
            Chosen chosen = read_technology(own);
            config.gateway.technology = std::move(chosen.technology);
            config.gateway.twice = chosen.twice;
        });
    }
    read_options(config, fields);
    fields.object("impair", "what it does wrong, in each direction", [&](Fields& own) {
        if (fields.only_help()) return;
        const bool has_mappings = config.gateway.technology && config.gateway.technology->nat();
        const auto plans = read_plans(own, has_mappings);
        for (std::size_t i = 0; i < plans.size(); ++i) config.gateway.plans[i] = plans[i].value_or(Plan{});
    });
    fields.no_more();
    return config;
}

Config config_from_json(const Json& json) {
    Fields fields(&json, "", nullptr);
    return read_config(fields);
}

}  // namespace xlatperf::reference
