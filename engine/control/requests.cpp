#include "control/requests.h"

#include <sched.h>

#include <algorithm>

#include "control/change_fields.h"
#include "control/connection_fields.h"
#include "control/traffic_fields.h"
#include "frame/probe.h"
#include "technology/host_fields.h"
#include "technology/kind.h"
#include "trial/sender.h"

namespace xlatperf::control {

using flow::Side;

namespace {

constexpr double shortest_interval_s = 0.05;

std::int64_t last_allowed_cpu() {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    sched_getaffinity(0, sizeof allowed, &allowed);
    for (int cpu = CPU_SETSIZE - 1; cpu > 0; --cpu) {
        if (CPU_ISSET(static_cast<unsigned>(cpu), &allowed)) return cpu;
    }
    return 0;
}

void read_base(Fields& fields) {
    fields.string("request", std::nullopt, "the message's name");
    fields.integer("id", INT64_MIN, INT64_MAX, 0, "repeated in the answer");
}

struct SideFields {
    trial::SideConfiguration configuration;
    std::optional<Fields> hosts;
};

SideFields read_side(Fields fields) {
    SideFields side;
    if (fields.has("ipv4")) {
        auto own = fields.object("ipv4", "the Tester's and the DUT's IPv4 address on this link");
        side.configuration.ipv4 = {own.ipv4("address", "the Tester's"), own.ipv4("gateway", "the DUT's")};
        own.no_more();
    }
    if (fields.has("ipv6")) {
        auto own = fields.object("ipv6", "the Tester's and the DUT's IPv6 address on this link");
        side.configuration.ipv6 = {own.ipv6("address", "the Tester's"), own.ipv6("gateway", "the DUT's")};
        own.no_more();
    }
    side.configuration.gateway_mac = fields.mac("gateway_mac", "the DUT's MAC address; null: by ARP and Neighbor Discovery");
    if (fields.has("hosts")) side.hosts = fields.object("hosts", "the simulated hosts on this side");
    if (fields.has("background_hosts")) {
        side.configuration.background_hosts =
            technology::read_ipv6_hosts(fields.object("background_hosts", "the simulated hosts of background frames"));
    }
    fields.no_more();
    return side;
}

std::optional<trial::ConnectionPhase> read_connections(Fields& fields) {
    if (!fields.has("connections")) return {};
    auto own = fields.object("connections", "stateful technologies: which connections the frames belong to (RFC 9693 section 4)");
    const auto count = own.integer("count", 1, flow::ConnectionSpace::most_connections, std::nullopt, "how many there are");
    const auto phase = own.choice("phase", {"establish", "each_once", "steady"}, "steady",
                                  "establish: phase 1; each_once: validation; steady: phase 2");
    trial::ConnectionPhase found{static_cast<std::uint64_t>(count), phase == "establish"   ? flow::Phase::establish
                                                                    : phase == "each_once" ? flow::Phase::each_once
                                                                                           : flow::Phase::steady};
    found.draw = static_cast<std::uint32_t>(
        own.integer("draw", 0, INT32_MAX, 0, "another number draws other four tuples; after phase 1 they are those of phase 1"));
    const auto some = own.integer("some", 0, flow::ConnectionSpace::most_connections, 0,
                                  "each_once: only so many connections, also if phase 1 was not complete; 0: all");
    if (some > 0) {
        if (found.phase != flow::Phase::each_once) own.refuse("some", "a number", "none but with phase each_once");
        if (some > count) own.refuse("some", std::to_string(some), "at most count, " + std::to_string(count));
        found.some = static_cast<std::uint64_t>(some);
    }
    own.no_more();
    return found;
}

void read_technology(const technology::Kind& kind, Fields& own, std::array<std::optional<Fields>, 2>& hosts, Fields& traffic,
                     trial::Configuration& configuration) {
    own.only_with(kind.name);
    technology::Request request{own, hosts, nullptr, configuration.seed};
    for (const auto side : flow::both_sides) {
        if (kind.needs_hosts(side) && !hosts[flow::index(side)])
            throw MessageError("configure." + std::string(flow::name(side)) + ".hosts: missing: an object");
    }
    if (kind.flow_space != technology::FlowSpace::connections) {
        configuration.technology = kind.read(request);
        return;
    }
    if (!traffic.has("connections"))
        throw MessageError("configure.traffic.connections: missing: what connections with technology " + std::string(kind.name) +
                           " are made of");
    auto connections = traffic.object("connections", "of stateful technologies: four tuples (RFC 9693)");
    request.connections = &connections;
    configuration.technology = kind.read(request);
    configuration.connections = read_connection_configuration(connections, *configuration.technology);
    connections.no_more();
}

void check_configuration(const trial::Configuration& configuration) {
    if (configuration.has_background() && configuration.technology->hairpins())
        throw MessageError("configure.traffic.foreground: background is not allowed with technology.hairpinning");
    for (const auto side : flow::both_sides) {
        const std::string path = "configure." + std::string(flow::name(side));
        const auto& own = configuration.sides[flow::index(side)];
        if (configuration.has_background() && !own.background_hosts)
            throw MessageError(path + ".background_hosts: missing: needed for background frames");
        if (configuration.loopback) continue;
        for (const auto family : trial::families(configuration, side)) {
            if (family == wire::Family::ipv4 && !own.ipv4)
                throw MessageError(path + ".ipv4: missing: this side carries IPv4 frames");
            if (family == wire::Family::ipv6 && !own.ipv6)
                throw MessageError(path + ".ipv6: missing: this side carries IPv6 frames");
        }
    }
    std::uint8_t most_hops = 0;
    for (const auto& classes : configuration.hops) most_hops = std::max({most_hops, classes[0], classes[1]});
    if (most_hops >= configuration.hop_limit) {
        throw MessageError("configure.traffic.hop_limit: " + std::to_string(configuration.hop_limit) +
                           " is not allowed: more than hops, " + std::to_string(most_hops));
    }
    try {
        for (const auto side : flow::both_sides) {
            for (const auto seen_from : flow::both_sides) configuration.technology->addresses(side, seen_from);
        }
    } catch (const technology::Unmappable& error) {
        throw MessageError("configure." + error.path + ": " + error.text);
    }
}

void read_frame(Fields& fields, trial::Description& description) {
    description.frame_size = static_cast<std::size_t>(fields.integer("frame_size", 60, 16000, std::nullopt, "bytes with FCS"));
    description.frame_size_of =
        fields.choice("frame_size_of", {"ipv6", "ipv4"}, "ipv6", "which side's frames have this size") == "ipv6"
            ? wire::Family::ipv6
            : wire::Family::ipv4;
    const auto directions = fields.choices("directions", {"forward", "reverse"}, "forward is left to right");
    for (const auto direction : flow::both_directions) {
        description.directions[flow::index(direction)] =
            std::find(directions.begin(), directions.end(), flow::name(direction)) != directions.end();
    }
}

}  // namespace

OpenRequest read_open(Fields fields) {
    OpenRequest request;
    read_base(fields);
    for (const auto side : flow::both_sides) {
        auto own = fields.object(std::string(flow::name(side)), "the port of this side");
        request.ports[flow::index(side)] =
            own.string("port", std::nullopt, "a PCI address, or a DPDK virtual device with its arguments");
        own.no_more();
    }
    for (const auto core : fields.integers("cores", 0, 1023, {last_allowed_cpu()}, "CPUs of the workers")) {
        request.eal.cores.push_back(static_cast<unsigned>(core));
    }
    request.eal.memory_mb = static_cast<unsigned>(fields.integer("memory_mb", 64, 1 << 20, 256, "memory for frames"));
    const auto hugepages = fields.choice("hugepages", {"auto", "never", "require"}, "auto", "auto: used when enough are free");
    request.eal.hugepages = hugepages == "auto"    ? port::Hugepages::automatic
                            : hugepages == "never" ? port::Hugepages::never
                                                   : port::Hugepages::require;
    request.eal.nice = static_cast<int>(fields.integer("nice", -20, 19, -5, "of the workers, where this user is allowed to"));
    request.yield = fields.choice("idle", {"yield", "poll"}, "yield", "yield: give up the core when nothing is due") == "yield";
    request.link_timeout_s = fields.number("link_timeout_s", 0, 120, 5, "how long to wait for both links");
    request.largest_frame =
        static_cast<unsigned>(fields.integer("largest_frame", 84, 9618, 1522, "bytes with FCS: the size of the buffers"));
    const auto pacing = fields.choice("nic_pacing", {"none", "send_on_timestamp", "queue_rate_limit"}, "none",
                                      "what the NIC does for the schedule");
    request.nic_time.pacing = pacing == "none"                ? port::NicPacing::none
                              : pacing == "send_on_timestamp" ? port::NicPacing::send_on_timestamp
                                                              : port::NicPacing::queue_rate_limit;
    request.nic_time.arrival_stamps =
        fields.boolean("nic_arrival_stamps", false, "arrivals are stamped by the NIC, not by the Tester's CPU");
    fields.no_more();
    for (const auto& port : request.ports) {
        if (port.starts_with("net_") || port.empty()) continue;
        request.eal.pci_addresses.push_back(port);
    }
    return request;
}

trial::Configuration read_configure(Fields fields) {
    trial::Configuration configuration;
    read_base(fields);
    configuration.loopback = fields.boolean("loopback", false, "no DUT: what was sent must come back unchanged");
    std::array<SideFields, 2> sides;
    for (const auto side : flow::both_sides) {
        sides[flow::index(side)] = read_side(fields.object(std::string(flow::name(side)), "addresses of this side"));
        configuration.sides[flow::index(side)] = sides[flow::index(side)].configuration;
    }
    auto own = fields.object("technology", "what the DUT does");
    std::vector<std::string> names;
    for (const auto* kind : technology::kinds()) names.emplace_back(kind->name);
    const auto name = own.choice("name", names, std::nullopt, "what it is, by these standards:");
    auto traffic = fields.object("traffic", "what the frames are");
    configuration.seed =
        static_cast<std::uint64_t>(traffic.integer("seed", 0, INT64_MAX, 1, "of everything that is pseudorandom"));
    std::array<std::optional<Fields>, 2> hosts = {sides[0].hosts, sides[1].hosts};
    const auto which = fields.only_help() ? technology::kinds() : std::vector{technology::find_kind(name)};
    for (const auto* kind : which) read_technology(*kind, own, hosts, traffic, configuration);
    own.no_more();
    auto foreground = traffic.object("foreground", "the share of foreground frames (RFC 8219 section 5.3)");
    configuration.foreground_of = static_cast<std::uint32_t>(foreground.integer("of", 1, 1000, 1, "of so many frames"));
    // A stateful test without connections would be none.
    configuration.foreground_take =
        static_cast<std::uint32_t>(foreground.integer("take", configuration.connections ? 1 : 0, configuration.foreground_of,
                                                      configuration.foreground_of, "so many are foreground"));
    foreground.no_more();
    read_traffic_fields(traffic, configuration);
    traffic.no_more();
    fields.no_more();
    if (!fields.only_help()) check_configuration(configuration);
    return configuration;
}

trial::Description read_trial(Fields fields) {
    trial::Description description;
    read_base(fields);
    description.number =
        static_cast<std::uint32_t>(fields.integer("number", 0, frame::probe::most_trial_number, 0, "marks the trial's frames"));
    read_frame(fields, description);
    description.connections = read_connections(fields);
    description.changes = read_changes(fields);
    const bool each_once = description.connections && description.connections->each_once() && !fields.only_help();
    const double rate_fps = fields.number("rate_fps", 0.001, 1e9, std::nullopt, "frames per second in each direction");
    if (each_once && fields.has("duration_s")) {
        fields.refuse("duration_s", "a value", "none with connections.phase establish and each_once: it's count / rate_fps");
    }
    const double duration_s = each_once ? static_cast<double>(description.connections->frames()) / rate_fps
                                        : fields.number("duration_s", 0.001, 86400, std::nullopt, "how long to send");
    description.rates = {{rate_fps, duration_s}};
    for (auto& step : fields.objects("then", "rates that follow without a pause (RFC 2544 section 26.5)")) {
        if (each_once) fields.refuse("then", "a list", "none with connections.phase establish and each_once");
        description.rates.push_back({step.number("rate_fps", 0.001, 1e9, std::nullopt, "frames per second in each direction"),
                                     step.number("duration_s", 0.001, 86400, std::nullopt, "how long to send")});
        step.no_more();
        if (description.rates.size() > 16) fields.refuse("then", "a list of more than 15", "at most 15");
    }
    if (fields.has("interval_s") && !fields.only_help()) {
        if (description.rates.size() > 1) fields.refuse("interval_s", "a value", "none with then");
        // So many that frames are due in each, and few enough to tell.
        const double least_s = std::max({shortest_interval_s, 1 / rate_fps, duration_s / trial::Division::most_intervals});
        description.interval_s = fields.number("interval_s", least_s, 86400, std::nullopt, "");
    } else {
        fields.number("interval_s", shortest_interval_s, 86400, 60, "what is told of each so long time too; null: nothing is");
    }
    description.timeout_s =
        fields.number("timeout_s", 0, 3600, 2, "how long to wait for frames after the last (RFC 2544 section 23 d)");
    if (fields.has("frame_timeout_ms") && !fields.only_help()) {
        description.frame_timeout_ms = fields.number("frame_timeout_ms", 0.001, 3.6e6, std::nullopt, "");
    } else {
        fields.number("frame_timeout_ms", 0.001, 3.6e6, 3.6e6, "a frame that took longer is late; null: none is");
    }
    description.histograms = fields.boolean("histograms", false, "delay histograms in the answer");
    if (fields.has("tags")) {
        auto tags = fields.object("tags", "tagged frames, whose delays are reported exactly (RFC 8219 section 7.2)");
        description.tags = {static_cast<std::uint64_t>(tags.integer("count", 1, 10'000'000, 10'000, "spread uniformly")),
                            tags.number("from_s", 0, 86400, 60, "over the frames due from this time on")};
        tags.no_more();
    }
    description.delay_variation = fields.boolean("delay_variation", false, "IPDV (RFC 8219 section 7.3.2)");
    description.raw_delays =
        fields.string("raw_delays", "", "a file for each frame's number and delay, as pairs of 64-bit little-endian numbers");
    description.due_delays = fields.boolean("due_delays", false, "delays from when frames were due as well");
    description.follow_gateway = fields.boolean(
        "follow_gateway", false, "ask a DUT that is silent for its MAC address again, and send to where it answers from");
    description.samples = static_cast<unsigned>(fields.integer("samples", 0, 1000, 4, "frames to keep of each kind of error"));
    auto schedule = fields.object("schedule", "how frames are paced");
    auto& pacing = description.pacing;
    pacing.burst = static_cast<unsigned>(
        schedule.integer("burst", 1, trial::Sender::most_burst, pacing.burst, "frames in one call at most"));
    pacing.catch_up = schedule.number("catch_up", 1, 100, pacing.catch_up, "after a stall at most so many times the rate");
    pacing.late_us = schedule.number("late_us", 0.1, 1e7, pacing.late_us, "a frame that leaves later than this is late");
    pacing.late_share = schedule.number("late_share", 0, 1, pacing.late_share, "more late frames make the trial invalid");
    pacing.overrun = schedule.number("overrun", 0, 1, pacing.overrun, "sending may take longer by this share");
    schedule.no_more();
    fields.no_more();
    for (const auto& rate : description.rates) {
        if (rate.rate_fps * rate.duration_s < 1 - 1e-6 && !fields.only_help()) {
            fields.refuse("duration_s", std::to_string(rate.duration_s), "at least one frame's time");
        }
    }
    double frames = 0;
    for (const auto& rate : description.rates) frames += rate.rate_fps * rate.duration_s;
    if (!description.raw_delays.empty() && frames > most_raw_delays) {
        fields.refuse("raw_delays", "with more than " + std::to_string(most_raw_delays) + " frames",
                      "fewer frames: they're kept in memory");
    }
    return description;
}

ShowRequest read_show(Fields fields) {
    ShowRequest request;
    read_base(fields);
    read_frame(fields, request.description);
    request.description.connections = read_connections(fields);
    request.count = static_cast<unsigned>(fields.integer("count", 1, 100000, 4, "frames of each direction"));
    fields.no_more();
    request.description.rates = {{static_cast<double>(request.count), 1}};
    return request;
}

MappingsRequest read_mappings(Fields fields) {
    read_base(fields);
    MappingsRequest request;
    request.examples = static_cast<unsigned>(fields.integer("examples", 0, 1000, 4, "connections that share a mapping, to name"));
    request.one_in =
        static_cast<std::uint64_t>(fields.integer("one_in", 1, 1 << 20, 1, "one in so many is compared with others"));
    fields.no_more();
    return request;
}

std::string read_softwires(Fields fields) {
    read_base(fields);
    const std::string path = fields.string("path", std::nullopt, "the file to write");
    fields.no_more();
    return path;
}

double read_resolve(Fields fields) {
    read_base(fields);
    const double timeout_s = fields.number("timeout_s", 0.01, 600, 3, "how long to ask");
    fields.no_more();
    return timeout_s;
}

}  // namespace xlatperf::control
