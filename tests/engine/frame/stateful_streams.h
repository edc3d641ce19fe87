// Forward streams of stateful gateways, built by hand rather than by trial/, and their frames as a DUT would translate them.
#pragma once

#include "frame/streams.h"

namespace xlatperf::frame {

enum class Nat { nat44, nat64, nat66 };

inline constexpr Nat all_nats[] = {Nat::nat44, Nat::nat64, Nat::nat66};

inline std::string name(Nat nat) { return std::array{"nat44", "nat64", "nat66"}[static_cast<std::size_t>(nat)]; }

struct StatefulOptions {
    Nat nat = Nat::nat44;
    std::size_t ipv6_size = 104;
    std::uint32_t clients = 1, servers = 1, pool_addresses = 1, take = 1, of = 1;
    flow::PortSpan server_ports{1, 1000};
    std::uint16_t first_port = 1024, last_port = 65535;  ///< of the pool
    std::uint64_t connections = 1000;
};

inline wire::Family right_family(Nat nat) { return nat == Nat::nat66 ? wire::Family::ipv6 : wire::Family::ipv4; }

/// 198.19.0.1 or 2001:2:0:8000::1, and those after it.
inline wire::Address pool_address(Nat nat, std::uint32_t i) {
    if (right_family(nat) == wire::Family::ipv4) return wire::Ipv4Address{0xc6130001U + i};
    return wire::Ipv6Address{wire::parse_ipv6("2001:2:0:8000::1")->value + i};
}

/// R9693-3.1: clients from 10.0.0.2 or 2001:2::2, servers from 198.19.1.2 or 2001:2:0:8000::1:2.
inline std::vector<wire::Address> client_addresses(Nat nat, std::uint32_t clients) {
    std::vector<wire::Address> found;
    for (std::uint32_t i = 0; i < clients; ++i) {
        if (nat == Nat::nat44) {
            found.emplace_back(wire::Ipv4Address{0x0a000002U + i});
        } else {
            found.emplace_back(wire::Ipv6Address{wire::parse_ipv6("2001:2::2")->value + (wire::Bits128{i} << 16)});
        }
    }
    return found;
}
inline std::vector<wire::Address> server_addresses(Nat nat, std::uint32_t servers, bool seen_from_the_left) {
    const char* const in_prefix = "2001:db8:6464::c613:102";
    std::vector<wire::Address> found;
    for (std::uint32_t i = 0; i < servers; ++i) {
        if (right_family(nat) == wire::Family::ipv4 && !(nat == Nat::nat64 && seen_from_the_left)) {
            found.emplace_back(wire::Ipv4Address{0xc6130102U + i});
        } else {
            const auto first = wire::parse_ipv6(nat == Nat::nat64 ? in_prefix : "2001:2:0:8000::1:2");
            found.emplace_back(wire::Ipv6Address{first->value + i});
        }
    }
    return found;
}

inline Image stateful_image(const StatefulOptions& options, bool received) {
    ImageFields fields;
    fields.sources =
        received ? technology::Addresses{pool_address(options.nat, 0)} : client_addresses(options.nat, options.clients);
    fields.destinations = server_addresses(options.nat, options.servers, !received);
    const bool v6 = wire::family(std::get<technology::Addresses>(fields.sources)[0]) == wire::Family::ipv6;
    fields.frame_size = v6 ? options.ipv6_size : options.ipv6_size - 20;
    fields.traffic_class = sent_traffic_class;
    fields.hop_limit = static_cast<std::uint8_t>(received ? sent_hop_limit - 1 : sent_hop_limit);
    fields.dont_fragment = options.nat != Nat::nat64;  // RFC 7915 §5.1
    fields.source_mac = received ? gateway_right : tester_left;
    fields.destination_mac = received ? tester_right : gateway_left;
    fields.tag = probe::make_tag(flow::Direction::forward, {0, 5});
    return Image(fields);
}

inline Stream make_stateful_stream(const StatefulOptions& options) {
    const flow::ConnectionSpace space{
        options.clients, options.servers, {1024, 65535}, options.server_ports, flow::Opening::pseudorandom};
    const flow::PortRange ports(flow::Order::pseudorandom, 1, 49151);
    const flow::Drawn drawn{2, flow::Direction::forward, ports, ports,
                            flow::DrawnConnections{flow::Connections(space, options.connections, 1), flow::Phase::steady}};
    Stream stream{
        .direction = flow::Direction::forward,
        .arrives = flow::Side::right,
        .mark = {0, 5},
        .frames = 1000,
        .foreground_flows = {flow::ConnectionFlows::Space{}, drawn},
        .background_flows = {flow::HostFlows::Space{}, drawn},
        .mix = flow::TrafficMix(options.take, options.of),
        .arriving = {options.nat == Nat::nat64 ? technology::ipv4_from_ipv6 : technology::forwarded(right_family(options.nat)),
                     technology::forwarded_ipv6},
        .loopback = false,
        .sent = {},
        .expected = {},
        .any_source = true,
        .pool = technology::Pool{pool_address(options.nat, 0), options.pool_addresses, options.first_port, options.last_port}};
    stream.sent[0] = stateful_image(options, false);
    stream.expected[0] = stateful_image(options, true);
    if (options.take < options.of) {
        const StreamOptions background{.ipv6_size = options.ipv6_size};
        stream.sent[1] = image(background, wire::Family::ipv6, false, true);
        stream.expected[1] = image(background, wire::Family::ipv6, true, true);
    }
    return stream;
}

/// Foreground frame `sequence` as it arrives from a DUT that gave its client this address and port.
inline Bytes translated(const Stream& stream, std::uint64_t sequence, const wire::Address& source, std::uint16_t port,
                        std::uint64_t ticks = 0x123456789abc) {
    const Image& image = stream.expected_image(Class::foreground);
    const flow::Flow flow = stream.foreground_flows(sequence);
    Bytes bytes(std::max(image.size(), Image::head));
    const AddressEntry from = make_entry(source);
    const Ends ends{from, image.destination(flow.destination_host), port, flow.destination_port};
    image.write(bytes.data(), flow, ends, sequence, ticks);
    bytes.resize(image.size());
    bytes.shrink_to_fit();  // so that AddressSanitizer sees reads beyond the end
    return bytes;
}

}  // namespace xlatperf::frame
