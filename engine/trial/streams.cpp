#include "trial/streams.h"

#include <algorithm>
#include <cmath>

#include "technology/forwarded.h"

namespace xlatperf::trial {

namespace {

technology::Addresses background_addresses(const Configuration& configuration, flow::Side side) {
    return technology::addresses_of(*configuration.sides[flow::index(side)].background_hosts);
}

// Phase 1 and validation have no background: each frame has a connection.
flow::TrafficMix mix_of(const Configuration& configuration, const Description& description) {
    if (description.connections && description.connections->each_once()) return {1, 1};
    return {configuration.foreground_take, configuration.foreground_of};
}

flow::Drawn drawn(const Configuration& configuration, const Description& description, flow::Direction direction) {
    const Ports& ports = configuration.ports[flow::index(direction)];
    flow::Drawn found{configuration.seed, direction, ports.source, ports.destination};
    if (description.incremental) found.beginnings = description.incremental->beginnings(description.rates.front().rate_fps);
    if (!description.connections || !configuration.connections) return found;
    // Nobody translates in loopback: the Tester plays the DUT, and shows all clients as the pool's first address.
    const bool one_client = direction == flow::Direction::reverse && configuration.loopback;
    found.connections =
        flow::DrawnConnections{make_connections(configuration, *description.connections), description.connections->phase,
                               configuration.connections->read_order, mix_of(configuration, description), one_client};
    return found;
}

// Native hosts of both sides, where there are some.
flow::Space background_space(const Configuration& configuration) {
    flow::HostFlows::Space space;
    if (!configuration.has_background()) return space;
    for (const auto side : flow::both_sides) {
        const auto i = flow::index(side);
        space.hosts[i] = configuration.sides[i].background_hosts->count();
    }
    return space;
}

// Of hosts, so many flows as were asked for.
flow::Space counted(flow::Space space, const Ports& ports) {
    const auto* hosts = std::get_if<flow::HostFlows::Space>(&space);
    if (hosts == nullptr || !ports.flows) return space;
    return flow::CountedFlows::Space{*hosts, *ports.flows};
}

// The side whose frames `frame_size` is about in a direction; where both carry the same family, they are of the same size.
flow::Side named_side(const technology::Technology& technology, const Description& description, flow::Direction direction) {
    if (description.frame_size_of == FrameSizeOf::sender) return flow::sender(direction);
    const auto family = description.frame_size_of == FrameSizeOf::ipv4 ? wire::Family::ipv4 : wire::Family::ipv6;
    return technology.link_family(flow::Side::left) == family ? flow::Side::left : flow::Side::right;
}

std::size_t tag_size(const Configuration& configuration, flow::Side side) {
    return configuration.sides[flow::index(side)].tag_size();
}

// Bytes of IP headers and tag.
std::size_t headers(const Configuration& configuration, flow::Side side) {
    return configuration.technology->ip_headers(side) + tag_size(configuration, side);
}

std::uint64_t frames_at(const RateFor& rate) {
    return static_cast<std::uint64_t>(std::floor(rate.rate_fps * rate.duration_s + 1e-6));
}

// One for each flow; the last one has all of `rate`. Frames are due when as many would have been sent if they could be divided.
std::vector<RateStep> steps_of_beginnings(const Incremental& incremental, const RateFor& rate, double ticks_per_second) {
    const flow::Beginnings beginnings = incremental.beginnings(rate.rate_fps);
    std::vector<RateStep> steps;
    for (std::uint32_t i = 0; i < incremental.flows; ++i) {
        const double own_fps = rate.rate_fps * (i + 1) / incremental.flows;
        const double behind = std::max(0.0, static_cast<double>(beginnings.first(i)) - beginnings.before(i));
        const long double begin_s = static_cast<long double>(i) * incremental.interval_s + behind / own_fps;
        const std::uint64_t end = i + 1 < incremental.flows ? beginnings.first(i + 1) : beginnings.first(i) + frames_at(rate);
        steps.push_back({end, frame_interval(ticks_per_second, own_fps), fixed_point(begin_s * ticks_per_second)});
    }
    return steps;
}

// How many flows foreground frames have; none: it isn't known.
std::optional<std::uint64_t> counted_flows(const Configuration& configuration, const Description& description,
                                           flow::Direction direction) {
    const flow::Space space = counted(configuration.technology->flows(), configuration.ports[flow::index(direction)]);
    const flow::Enumeration flows(space, drawn(configuration, description, direction));
    return std::visit(
        [](const auto& kind) -> std::optional<std::uint64_t> {
            if constexpr (requires { kind.count(); }) return kind.count();
            return {};
        },
        flows.flows());
}

// The outer header of the frames on `side` that come from `from`: as the Tester sends it, or as the DUT must.
std::optional<frame::OuterFields> outer_fields(const Configuration& configuration, flow::Side side, flow::Side from,
                                               bool received) {
    const auto tunnel = configuration.technology->tunnel(side);
    if (!tunnel) return {};
    const auto& own = configuration.tunnel;
    frame::OuterFields fields;
    fields.source = tunnel->ends[flow::index(from)];
    fields.destination = tunnel->ends[flow::index(flow::other(from))];
    fields.traffic_class = received ? own.dut_traffic_class.value_or(configuration.traffic_class) : configuration.traffic_class;
    fields.hop_limit = received ? own.dut_hop_limit : own.hop_limit;
    if (!received) fields.encapsulation_limit = own.encapsulation_limit;
    return fields;
}

}  // namespace

const wire::Mac& gateway(const LinkLayer& link_layer, flow::Side side, wire::Family family) {
    return (family == wire::Family::ipv4 ? link_layer.gateway_ipv4 : link_layer.gateway_ipv6)[flow::index(side)];
}

flow::Side arrival(const Configuration& configuration, flow::Direction direction) {
    // Without a DUT nobody turns frames back.
    if (configuration.technology->hairpins() && !configuration.loopback) return flow::sender(direction);
    return flow::receiver(direction);
}

std::size_t frame_size(const Configuration& configuration, const Description& description, std::size_t named_size,
                       flow::Direction direction, flow::Side side, flow::Class of) {
    const auto& technology = *configuration.technology;
    const flow::Side named_by = named_side(technology, description, direction);
    const std::size_t named = headers(configuration, named_by);
    if (of == flow::Class::foreground) return named_size - named + headers(configuration, side);
    // RFC 8219 §5.3: native frames of the same size as those of the side that carries IPv6, where one does; or as all are sent.
    const bool both_ipv4 = technology.link_family(flow::Side::left) == wire::Family::ipv4 &&
                           technology.link_family(flow::Side::right) == wire::Family::ipv4;
    std::size_t size = named_size - tag_size(configuration, named_by);
    if (!both_ipv4 && description.frame_size_of != FrameSizeOf::sender) {
        const auto ipv6_side =
            technology.link_family(flow::Side::left) == wire::Family::ipv6 ? flow::Side::left : flow::Side::right;
        size = named_size - named + technology.ip_headers(ipv6_side);
    }
    return std::max(size, frame::smallest_frame(wire::Family::ipv6)) + tag_size(configuration, side);
}

double mean_frame_size(const Configuration& configuration, const Description& description, flow::Direction direction,
                       flow::Side side, flow::Class of) {
    std::size_t sum = 0;
    for (const std::size_t named : description.frame_sizes)
        sum += frame_size(configuration, description, named, direction, side, of);
    return static_cast<double>(sum) / static_cast<double>(description.frame_sizes.size());
}

std::size_t encapsulation_limit(const Configuration& configuration, flow::Side from, flow::Class of) {
    const bool tunnelled = of == flow::Class::foreground && configuration.technology->tunnel(from).has_value();
    return tunnelled && configuration.tunnel.encapsulation_limit ? wire::encapsulation_limit::size : 0;
}

std::string impossible_size(const Configuration& configuration, const Description& description, std::size_t largest) {
    const auto& technology = *configuration.technology;
    const auto all = [&](flow::Side of) {
        return headers(configuration, of) + encapsulation_limit(configuration, of, flow::Class::foreground);
    };
    const std::size_t longest = std::max(all(flow::Side::left), all(flow::Side::right));
    std::size_t smallest = 0, most = largest;
    for (const auto direction : flow::both_directions) {
        if (!description.directions[flow::index(direction)]) continue;
        const flow::Side named_by = named_side(technology, description, direction);
        const std::size_t named = headers(configuration, named_by);
        for (const auto side : flow::both_sides) {  // that of the shorter headers mustn't be too short either
            const std::size_t there = frame::smallest_frame(technology.ip_headers(side)) + tag_size(configuration, side);
            const bool counts = description.frame_size_of == FrameSizeOf::sender || side == named_by;
            if (counts) smallest = std::max(smallest, there + named - headers(configuration, side));
        }
        most = std::min(most, largest - (longest - named));
    }
    for (const std::size_t size : description.frame_sizes) {
        if (size >= smallest && size <= most) continue;
        const bool several = description.frame_sizes.size() > 1;
        return (several ? "frame_sizes: " : "frame_size: ") + std::to_string(size) +
               " is not allowed: " + std::to_string(smallest) + " to " + std::to_string(most) +
               " (headers and the 18 bytes of the probe; the largest is open.largest_frame)";
    }
    return {};
}

std::string impossible_change(const Configuration& configuration, const Description& description) {
    const auto& technology = *configuration.technology;
    for (std::size_t i = 0; i < description.changes.size(); ++i) {
        const auto& change = description.changes[i];
        const std::string path = "trial.alter[" + std::to_string(i) + "].";
        const std::string name(frame::header_field_names[static_cast<std::size_t>(change.field)]);
        for (const auto direction : flow::both_directions) {
            if (!description.directions[flow::index(direction)]) continue;
            const flow::Side from = flow::sender(direction);
            const unsigned bits = frame::width(change.field, technology.family(from), technology.tunnel(from).has_value());
            const std::string where = std::string(flow::name(direction)) + " frames ";
            if (bits == 0) return path + "field: \"" + name + "\" is not allowed: " + where + "aren't in a tunnel";
            if (change.of_another && !technology.has_subscribers())
                return path + "of_another: true is not allowed: false, as the technology has no subscribers";
            if (bits < 128 && change.flip >> bits != 0)
                return path + "flip: a bit above " + std::to_string(bits) + " is not allowed: " + where + "have so many of " +
                       name;
        }
    }
    return {};
}

std::string impossible_beginnings(const Configuration& configuration, const Description& description) {
    if (!description.incremental) return {};
    const std::uint64_t asked = description.incremental->flows;
    for (const auto direction : flow::both_directions) {
        if (!description.directions[flow::index(direction)]) continue;
        const auto flows = counted_flows(configuration, description, direction);
        if (flows && *flows == asked) continue;
        return "trial.incremental.flows: " + std::to_string(asked) + " is not allowed: " +
               (flows ? std::to_string(*flows) + ", as " + std::string(flow::name(direction)) + " frames have"
                      : "none, as the flows of " + std::string(flow::name(direction)) + " frames aren't counted");
    }
    return {};
}

flow::Connections make_connections(const Configuration& configuration, const ConnectionPhase& connections) {
    return {configuration.connections->space, connections.count, configuration.seed + (std::uint64_t{connections.draw} << 32)};
}

Schedule make_schedule(const Description& description, double ticks_per_second) {
    if (description.incremental)
        return Schedule(steps_of_beginnings(*description.incremental, description.rates.front(), ticks_per_second));
    std::vector<RateStep> steps;
    std::uint64_t end = 0;
    for (const auto& rate : description.rates) {
        end += frames_at(rate);
        steps.push_back({end, frame_interval(ticks_per_second, rate.rate_fps)});
    }
    if (description.connections && description.connections->each_once()) steps.back().end = description.connections->frames();
    return Schedule(std::move(steps));
}

std::optional<Division> make_division(const Description& description) {
    if (!description.interval_s) return {};
    return Division(make_schedule(description, 1).frames(), description.rates.front().rate_fps * *description.interval_s);
}

frame::Stream make_stream(const Configuration& configuration, const Description& description, const LinkLayer& link_layer,
                          flow::Direction direction) {
    const auto& technology = *configuration.technology;
    const flow::Side from = flow::sender(direction), to = flow::receiver(direction), arrives = arrival(configuration, direction);
    const auto foreground_sources = technology.names(from, from), foreground_destinations = technology.names(to, from);
    const flow::Drawn drawn_with = drawn(configuration, description, direction);
    const Ports& ports = configuration.ports[flow::index(direction)];
    std::array<technology::Arriving, flow::classes> arriving = {technology.arrives(arrives), technology::forwarded_ipv6};
    if (configuration.loopback) arriving.fill(technology::untouched);
    const bool only_foreground = description.connections && description.connections->each_once();
    frame::Stream stream{
        .direction = direction,
        .arrives = arrives,
        .mark = {description.session, description.number},
        .frames = make_schedule(description, 1).frames(),
        .foreground_flows = {counted(technology.flows(), ports), drawn_with},
        .background_flows = {counted(background_space(configuration), ports), drawn_with},
        .mix = mix_of(configuration, description),
        .arriving = arriving,
        .loopback = configuration.loopback,
        .sent = {},
        .expected = {},
        .any_source = technology.stateful() && direction == flow::Direction::forward && !configuration.loopback,
        .learnt_destination = technology.stateful() && direction == flow::Direction::reverse,
        .pool = technology.stateful() ? std::optional(*technology.pool()) : std::nullopt,
        .sizes = flow::SizeSequence(description.frame_sizes),
        .accepted = configuration.accepted,
        .reassembles = configuration.reassemble,
        .numbered_identification = configuration.reassemble && !configuration.dont_fragment,
    };

    const auto build_one = [&](std::size_t named, flow::Class of, technology::Names sources, technology::Names destinations,
                               flow::Side seen_from, bool received) {
        frame::ImageFields fields;
        const auto family = of == flow::Class::background ? wire::Family::ipv6 : technology.link_family(seen_from);
        fields.sources = std::move(sources);
        fields.destinations = std::move(destinations);
        if (of == flow::Class::foreground) {
            fields.outer = outer_fields(configuration, seen_from, received ? flow::other(seen_from) : seen_from, received);
        }
        fields.frame_size =
            frame_size(configuration, description, named, direction, seen_from, of) - tag_size(configuration, seen_from);
        fields.traffic_class = configuration.traffic_class;
        fields.hop_limit = configuration.hop_limit;
        fields.dont_fragment = configuration.dont_fragment;
        // The family that it leaves in.
        const auto sent_in = of == flow::Class::background ? wire::Family::ipv6 : technology.family(from);
        fields.udp_checksum = configuration.udp_checksum || sent_in == wire::Family::ipv6;
        fields.tag = frame::probe::make_tag(direction, stream.mark);
        fields.key = description.key;
        if (received) {
            const std::size_t packet = fields.frame_size - wire::ethernet::size - wire::ethernet::check_sequence,
                              hops = configuration.hops[flow::index(direction)][flow::index(of)];
            static_cast<frame::HeaderFields&>(fields) = frame::arriving_fields(fields, arriving[flow::index(of)], packet, hops);
            fields.source_mac = gateway(link_layer, arrives, family);
            fields.destination_mac = link_layer.tester[flow::index(arrives)];
        } else {
            fields.source_mac = link_layer.tester[flow::index(from)];
            fields.destination_mac =
                configuration.loopback ? link_layer.tester[flow::index(to)] : gateway(link_layer, from, family);
        }
        return frame::Image(fields);
    };
    const auto build = [&](flow::Class of, const technology::Names& sources, const technology::Names& destinations,
                           flow::Side seen_from, bool received) {
        frame::Images images;
        for (const std::size_t named : stream.sizes.sizes())
            images.add(build_one(named, of, sources, destinations, seen_from, received));
        return images;
    };

    if (configuration.foreground_take > 0) {
        stream.sent[0] = build(flow::Class::foreground, foreground_sources, foreground_destinations, from, false);
        stream.expected[0] = configuration.loopback ? stream.sent[0]
                                                    : build(flow::Class::foreground, technology.arriving_names(from, arrives),
                                                            technology.arriving_names(to, arrives), arrives, true);
    }
    if (configuration.pseudorandom_source_macs) stream.source_macs.emplace(from, configuration.seed);
    if (stream.sent[0]) stream.alteration = frame::Alteration(description.changes, *stream.sent[0]);
    if (description.fence) stream.fence = stream.frames - description.fence->frames;
    if (configuration.has_background() && !only_foreground) {
        const auto sources = background_addresses(configuration, from), destinations = background_addresses(configuration, to);
        stream.sent[1] = build(flow::Class::background, sources, destinations, from, false);
        stream.expected[1] =
            configuration.loopback ? stream.sent[1] : build(flow::Class::background, sources, destinations, arrives, true);
    }
    return stream;
}

}  // namespace xlatperf::trial
