#include "control/traffic_fields.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "counter/acceptable.h"

namespace xlatperf::control {

namespace {

using message::Fields;

flow::PortRange read_ports(Fields fields, std::uint16_t first, std::uint16_t last) {
    auto order = flow::Order::pseudorandom;
    fields.read("order", order, flow::order_words, "RFC 4814 section 4.5");
    fields.read("first", first, 0, 65535, "the smallest port, and the only one if fixed");
    fields.read("last", last, 0, 65535, "the largest port");
    fields.check(first <= last, "last", last, "at least first, " + std::to_string(first));
    fields.no_more();
    return {order, first, last};
}

// RFC 8219 §10.2.1: n network flows.
void read_flows(Fields& fields, const trial::Configuration& configuration, trial::Ports& ports) {
    fields.read(
        "flows", ports.flows, 1, UINT32_MAX,
        "of hosts, so many four tuples; of background hosts as many, or all that there are; null: each frame draws its own");
    if (!ports.flows) return;
    const flow::Space space = configuration.technology->flows();
    const auto* hosts = std::get_if<flow::HostFlows::Space>(&space);
    fields.check(hosts != nullptr, "flows", *ports.flows, "none with subscribers and connections");
    fields.check(ports.source.drawn() && ports.destination.drawn(), "flows", *ports.flows, "none with ports in an order");
    const std::uint64_t most = flow::CountedFlows::possible(*hosts, ports.source, ports.destination);
    fields.check(*ports.flows <= most, "flows", *ports.flows, "at most what hosts and ports make, " + std::to_string(most));
    fields.check(most <= std::uint64_t{1} << flow::Permutation::most_bits, "flows", *ports.flows,
                 "nothing where hosts and ports make more than 2^48 flows, here " + std::to_string(most));
}

void read_tunnel(Fields& fields, trial::TunnelConfiguration& tunnel) {
    fields.read("hop_limit", tunnel.hop_limit, 1, 255, "of frames that the Tester encapsulates (RFC 2473 section 6.3)");
    fields.read("encapsulation_limit", tunnel.encapsulation_limit, 0, 255,
                "in front of the packets that the Tester encapsulates (section 4.1.1); null: none");
    fields.read("dut_hop_limit", tunnel.dut_hop_limit, 1, 255, "of those that the DUT does, on arrival");
    fields.read("dut_traffic_class", tunnel.dut_traffic_class, 0, 255, "what the DUT writes; null: carried over (section 6.4)");
}

void read_accepted(Fields& traffic, counter::Some<counter::Reason>& accepted) {
    std::vector<std::string> names;
    for (const auto& [reason, _] : counter::acceptable) names.emplace_back(counter::name(reason));
    const auto found =
        traffic.choices("accept", names, {}, "frames that are wrong only in these fields are as expected, and counted");
    for (const auto& [reason, _] : counter::acceptable)
        accepted.add(reason, std::find(found.begin(), found.end(), counter::name(reason)) != found.end());
}

}  // namespace

void read_traffic_fields(Fields& traffic, trial::Configuration& configuration) {
    traffic.read("hop_limit", configuration.hop_limit, 2, 255, "TTL or hop limit (RFC 2544 C.2.6.4)");
    std::uint8_t hops = 1;
    std::optional<std::uint8_t> background_hops;
    traffic.read("hops", hops, 0, 254, "how often the DUT decrements it");
    traffic.read("background_hops", background_hops, 0, 254,
                 "the same for background frames, which aren't translated; null: hops");
    traffic.read("traffic_class", configuration.traffic_class, 0, 255, "TOS or traffic class, all 8 bits");
    traffic.read("dont_fragment", configuration.dont_fragment, "DF of IPv4 frames");
    traffic.read("udp_checksum", configuration.udp_checksum, "of IPv4 frames; false: they are sent with none (RFC 768)");
    traffic.read(
        "reassemble", configuration.reassemble,
        "fragments that arrive are put together, and count as one frame; IPv4 frames with DF 0 have different identifications");
    traffic.read("pseudorandom_source_macs", configuration.pseudorandom_source_macs,
                 "a source MAC address for each source address (RFC 4814 section 4.2); else that of the port");
    read_accepted(traffic, configuration.accepted);
    for (const auto direction : flow::both_directions) {
        const std::string name(flow::name(direction));
        const std::string text = "ports and hops of " + name + " frames; with connections: ports of the background";
        traffic.object(name, text, [&](Fields& own) {
            // RFC 4814 §4.5: source ports 1024 to 65535, destination ports 1 to 49151.
            configuration.ports[flow::index(direction)] = {
                read_ports(own.object("source_ports", "UDP source ports"), 1024, 65535),
                read_ports(own.object("destination_ports", "UDP destination ports"), 1, 49151)};
            read_flows(own, configuration, configuration.ports[flow::index(direction)]);
            std::uint8_t foreground = hops;
            own.read("hops", foreground, 0, 254, "traffic.hops of this direction");
            std::uint8_t background = background_hops.value_or(foreground);
            own.read("background_hops", background, 0, 254, "traffic.background_hops of this direction");
            configuration.hops[flow::index(direction)] = {foreground, background};
        });
    }
    if (traffic.has("tunnel")) {
        traffic.object("tunnel", "the outer header of encapsulated frames (RFC 2473)",
                       [&](Fields& own) { read_tunnel(own, configuration.tunnel); });
    }
}

}  // namespace xlatperf::control
