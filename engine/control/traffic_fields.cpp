#include "control/traffic_fields.h"

#include <optional>
#include <string>

namespace xlatperf::control {

namespace {

using message::Fields;

flow::PortRange read_ports(Fields fields, std::uint16_t first, std::uint16_t last) {
    const std::string order =
        fields.choice("order", {"pseudorandom", "increasing", "decreasing", "fixed"}, "pseudorandom", "RFC 4814 section 4.5");
    const auto from = fields.integer("first", 0, 65535, first, "the smallest port, and the only one if fixed");
    const auto to = fields.integer("last", 0, 65535, last, "the largest port");
    if (to < from) fields.refuse("last", std::to_string(to), "at least first, " + std::to_string(from));
    fields.no_more();
    const auto kind = order == "fixed"        ? flow::Order::fixed
                      : order == "increasing" ? flow::Order::increasing
                      : order == "decreasing" ? flow::Order::decreasing
                                              : flow::Order::pseudorandom;
    return {kind, static_cast<std::uint16_t>(from), static_cast<std::uint16_t>(to)};
}

trial::TunnelConfiguration read_tunnel(Fields& traffic) {
    trial::TunnelConfiguration tunnel;
    if (!traffic.has("tunnel")) return tunnel;
    auto fields = traffic.object("tunnel", "the outer header of encapsulated frames (RFC 2473)");
    const auto hop_limit = [&](const char* key, const char* text) {
        return static_cast<std::uint8_t>(fields.integer(key, 1, 255, 64, text));
    };
    tunnel.hop_limit = hop_limit("hop_limit", "of frames that the Tester encapsulates (RFC 2473 section 6.3)");
    tunnel.dut_hop_limit = hop_limit("dut_hop_limit", "of those that the DUT does, on arrival");
    if (fields.has("dut_traffic_class"))
        tunnel.dut_traffic_class = static_cast<std::uint8_t>(
            fields.integer("dut_traffic_class", 0, 255, 0, "what the DUT writes; null: carried over (section 6.4)"));
    fields.no_more();
    return tunnel;
}

// Hops of both directions, where one of them doesn't say.
struct Hops {
    std::int64_t foreground;
    std::optional<std::int64_t> background;
};

void read_direction(Fields fields, flow::Direction direction, const Hops& hops, trial::Configuration& configuration) {
    // RFC 4814 §4.5: source ports 1024 to 65535, destination ports 1 to 49151.
    auto source = read_ports(fields.object("source_ports", "UDP source ports"), 1024, 65535);
    auto destination = read_ports(fields.object("destination_ports", "UDP destination ports"), 1, 49151);
    configuration.ports[flow::index(direction)] = {source, destination};
    const auto foreground = fields.integer("hops", 0, 254, hops.foreground, "traffic.hops of this direction");
    const auto background = fields.integer("background_hops", 0, 254, hops.background.value_or(foreground),
                                           "traffic.background_hops of this direction");
    configuration.hops[flow::index(direction)] = {static_cast<std::uint8_t>(foreground), static_cast<std::uint8_t>(background)};
    fields.no_more();
}

}  // namespace

void read_traffic_fields(Fields& traffic, trial::Configuration& configuration) {
    configuration.hop_limit =
        static_cast<std::uint8_t>(traffic.integer("hop_limit", 2, 255, 10, "TTL or hop limit (RFC 2544 C.2.6.4)"));
    const auto hops = traffic.integer("hops", 0, 254, 1, "how often the DUT decrements it");
    const bool same = !traffic.has("background_hops");
    const auto background_hops =
        traffic.integer("background_hops", 0, 254, hops, "the same for background frames, which aren't translated");
    configuration.traffic_class =
        static_cast<std::uint8_t>(traffic.integer("traffic_class", 0, 255, 0, "TOS or traffic class, all 8 bits"));
    configuration.dont_fragment = traffic.boolean("dont_fragment", true, "DF of IPv4 frames");
    for (const auto direction : flow::both_directions) {
        const std::string name(flow::name(direction));
        read_direction(traffic.object(name, "ports and hops of " + name + " frames; with connections: ports of the background"),
                       direction, {hops, same ? std::nullopt : std::optional(background_hops)}, configuration);
    }
    configuration.tunnel = read_tunnel(traffic);
}

}  // namespace xlatperf::control
