#include "control/requests.h"

#include <algorithm>
#include <set>

#include "control/change_fields.h"
#include "control/connection_fields.h"
#include "control/traffic_fields.h"
#include "eal/cpus.h"
#include "frame/probe.h"
#include "technology/host_fields.h"
#include "technology/kind.h"
#include "trial/send/sender.h"
#include "trial/streams.h"

namespace xlatperf::control {

using flow::Side;

namespace {

constexpr double shortest_interval_s = 0.05;
constexpr wire::Word<bool> idle_words[] = {{"yield", true}, {"poll", false}};

std::int64_t last_allowed_cpu() {
    const cpu_set_t allowed = eal::allowed_cpus();
    for (int cpu = CPU_SETSIZE - 1; cpu > 0; --cpu) {
        if (CPU_ISSET(static_cast<unsigned>(cpu), &allowed)) return cpu;
    }
    return 0;
}

struct SideFields {
    trial::SideConfiguration configuration;
    std::optional<Fields> hosts;
};

template <typename A> void read_link(Fields& fields, const char* family, std::optional<port::OwnAddress<A>>& addresses) {
    if (!fields.has(family)) return;
    fields.object(family, "the Tester's and the DUT's address on this link", [&](Fields& own) {
        auto& [tester, gateway] = addresses.emplace();
        own.require("address", tester, "the Tester's");
        own.require("gateway", gateway, "the DUT's");
    });
}

void read_vlan(Fields& fields, port::LinkTag& vlan) {
    if (!fields.has("vlan")) return;
    fields.object("vlan", "the tag of all frames on this link (IEEE 802.1Q)", [&](Fields& own) {
        auto& sent = vlan.sent.emplace();
        own.require("id", sent.id, 1, 4094, "of the VLAN");
        own.read("priority", sent.priority, 0, 7, "of the frames that the Tester sends");
        vlan.received = wire::VlanRequired{sent.id, {}};
        own.read("dut_priority", vlan.received->priority, 0, 7, "of the test frames that the DUT sends; null: any");
    });
}

SideFields read_side(Fields fields) {
    SideFields side;
    read_link(fields, "ipv4", side.configuration.ipv4);
    read_link(fields, "ipv6", side.configuration.ipv6);
    fields.read("gateway_mac", side.configuration.gateway_mac, "the DUT's MAC address; null: by ARP and Neighbor Discovery");
    read_vlan(fields, side.configuration.vlan);
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
    trial::ConnectionPhase found;
    const auto read = [&](Fields& own) {
        own.require("count", found.count, 1, flow::ConnectionSpace::most_connections, "how many there are");
        own.read("phase", found.phase, flow::phase_words, "establish: phase 1; each_once: validation; steady: phase 2");
        own.read("draw", found.draw, 0, INT32_MAX,
                 "another number draws other four tuples; after phase 1 they are those of phase 1");
        own.read("again", found.again, 0, flow::ConnectionSpace::most_connections,
                 "establish: behind all, a frame on each of the first so many again");
        own.read("keep", found.keep, "establish: the connections of the phase 1 before once more; what was learnt is kept");
        own.check(!found.keep || found.phase == flow::Phase::establish, "keep", "true", "false but with phase establish");
        own.check(found.again == 0 || found.phase == flow::Phase::establish, "again", found.again, "0 but with phase establish");
        own.check(found.again <= found.count, "again", found.again, "at most count, " + std::to_string(found.count));
        std::uint64_t some = 0;
        own.read("some", some, 0, flow::ConnectionSpace::most_connections,
                 "each_once: only so many connections, also if phase 1 was not complete; 0: all");
        if (some == 0) return;
        own.check(found.phase == flow::Phase::each_once, "some", some, "none but with phase each_once");
        own.check(some <= found.count, "some", some, "at most count, " + std::to_string(found.count));
        found.some = some;
    };
    fields.object("connections", "stateful technologies: which connections the frames belong to (RFC 9693 section 4)", read);
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

void read_sizes(Fields& fields, std::vector<std::size_t>& sizes) {
    constexpr std::int64_t least = 60, most = 16000;
    const bool several = fields.has("frame_sizes");
    if (!several) fields.require("frame_size", sizes.front(), least, most, "bytes with FCS");
    const auto in_turn = fields.integers("frame_sizes", least, most, {},
                                         "in place of frame_size: frames have these in turn, those of each class for themselves; "
                                         "at most 16 different ones",
                                         flow::SizeSequence::longest);
    if (!several) return;
    fields.check(!fields.has("frame_size"), "frame_size", "a value", "none with frame_sizes");
    sizes.assign(in_turn.begin(), in_turn.end());
    const std::size_t different = std::set<std::size_t>(sizes.begin(), sizes.end()).size();
    fields.check(different <= flow::SizeSequence::most_sizes, "frame_sizes", std::to_string(different) + " sizes", "at most 16");
}

void read_frame(Fields& fields, trial::Description& description) {
    read_sizes(fields, description.frame_sizes);
    fields.read("frame_size_of", description.frame_size_of, trial::frame_size_of_words,
                "which side's frames have this size; sender: those that are sent, on either side");
    const auto directions =
        fields.choices("directions", {"forward", "reverse"}, {"forward", "reverse"}, "forward is left to right");
    for (const auto direction : flow::both_directions) {
        description.directions[flow::index(direction)] =
            std::find(directions.begin(), directions.end(), flow::name(direction)) != directions.end();
    }
}

// The first rate, which all trials have, and those that follow.
void read_rates(Fields& fields, trial::Description& description) {
    auto& rates = description.rates;
    const auto rate_fps = [](Fields& own, trial::RateFor& rate) {
        own.require("rate_fps", rate.rate_fps, 0.001, 1e9, "frames per second in each direction");
    };
    const auto duration_s = [](Fields& own, trial::RateFor& rate) {
        own.require("duration_s", rate.duration_s, 0.001, 86400, "how long to send");
    };
    rate_fps(fields, rates.front());
    const bool each_once = description.connections && description.connections->each_once() && !fields.only_help();
    const std::string none = "none with connections.phase establish and each_once";
    if (each_once) {
        fields.check(!fields.has("duration_s"), "duration_s", "a value", none + ": it's count / rate_fps");
        rates.front().duration_s = static_cast<double>(description.connections->frames()) / rates.front().rate_fps;
    } else {
        duration_s(fields, rates.front());
    }
    fields.objects("then", "rates that follow without a pause (RFC 2544 section 26.5)", [&](Fields& step) {
        fields.check(!each_once, "then", "a list", none);
        auto& rate = rates.emplace_back();
        rate_fps(step, rate);
        duration_s(step, rate);
        fields.check(rates.size() <= 16, "then", "a list of more than 15", "at most 15");
    });
    if (fields.has("incremental")) {
        fields.object("incremental", "flows begin one after the other before duration_s begins (RFC 8219 section 10.2.2)",
                      [&](Fields& own) {
                          auto& incremental = description.incremental.emplace();
                          own.require("flows", incremental.flows, 1, flow::Beginnings::most_flows, "all there are");
                          own.require("interval_s", incremental.interval_s, 1e-6, 3600, "between two of them");
                          own.check(incremental.all_begun_s() <= 86400, "interval_s", incremental.interval_s,
                                    "at most a day until all have begun");
                      });
        fields.check(!each_once && rates.size() == 1, "incremental", "a value", "none with then, and " + none);
    }
    for (const auto& rate : rates)
        fields.check(rate.rate_fps * rate.duration_s >= 1 - 1e-6, "duration_s", rate.duration_s, "at least one frame's time");
}

void read_fence(Fields& fields, trial::Description& description) {
    if (!fields.has("fence")) return;
    fields.object("fence", "the last frames aren't altered; when they are back, the timeout is cut short", [&](Fields& own) {
        auto& fence = description.fence.emplace();
        const std::uint64_t all = fields.only_help() ? 0 : trial::make_schedule(description, 1).frames();
        own.read("frames", fence.frames, 1, 10'000, "of each direction");
        own.check(fence.frames <= all, "frames", fence.frames, "at most all of them, " + std::to_string(all));
        own.read("delays", fence.delays, 1, 1000, "then so many times the longest delay seen is waited");
        own.read("least_s", fence.least_s, 0, 3600, "and at least so long; never longer than timeout_s");
    });
}

void read_delays(Fields& fields, trial::Description& description) {
    fields.read("frame_timeout_ms", description.frame_timeout_ms, 0.001, 3.6e6,
                "a frame that took longer is late; null: none is");
    fields.read("histograms", description.histograms, "delay histograms in the answer");
    if (fields.has("tags")) {
        fields.object("tags", "tagged frames, whose delays are reported exactly (RFC 8219 section 7.2)", [&](Fields& own) {
            auto& tags = description.tags.emplace();
            own.read("count", tags.count, 1, 10'000'000, "spread uniformly");
            own.read("from_s", tags.from_s, 0, 2 * 86400, "over the frames due from this time on");
        });
    }
    fields.read("delay_variation", description.delay_variation, "IPDV (RFC 8219 section 7.3.2)");
    fields.read("raw_delays", description.raw_delays,
                "a file for each frame's number and delay, as pairs of 64-bit little-endian numbers");
    fields.read("due_delays", description.due_delays, "delays from when frames were due as well");
    double frames = description.incremental ? description.rates.front().rate_fps * description.incremental->all_begun_s() / 2 : 0;
    for (const auto& rate : description.rates) frames += rate.rate_fps * rate.duration_s;
    fields.check(frames <= static_cast<double>(frame::probe::most_frames), "rates",
                 "with more than 2^40 frames in each direction", "fewer: their numbers have 40 bits");
    fields.check(description.raw_delays.empty() || frames <= most_raw_delays, "raw_delays",
                 "with more than " + std::to_string(most_raw_delays) + " frames", "fewer frames: they're kept in memory");
}

}  // namespace

void read_base(Fields& fields) {
    std::string name;
    std::int64_t id = 0;
    fields.require("request", name, "the message's name");
    fields.read("id", id, INT64_MIN, INT64_MAX, "repeated in the answer");
}

OpenRequest read_open(Fields& fields) {
    OpenRequest request;
    for (const auto side : flow::both_sides) {
        fields.object(std::string(flow::name(side)), "the port of this side", [&](Fields& own) {
            own.require("port", request.ports[flow::index(side)],
                        "a PCI address, or a DPDK virtual device with its arguments; both sides may be on one, in two VLANs");
        });
    }
    for (const auto core : fields.integers("cores", 0, 1023, {last_allowed_cpu()}, "CPUs of the workers"))
        request.eal.cores.push_back(static_cast<unsigned>(core));
    fields.read("memory_mb", request.eal.memory_mb, 64, 1 << 20, "memory for frames");
    fields.read("hugepages", request.eal.hugepages, eal::hugepages_words, "auto: used when enough are free");
    fields.read("nice", request.eal.nice, -20, 19, "of the workers, where this user is allowed to");
    fields.read("idle", request.yield, idle_words, "yield: give up the core when nothing is due");
    fields.read("link_timeout_s", request.link_timeout_s, 0, 120, "how long to wait for both links");
    fields.read("largest_frame", request.largest_frame, 84, 9618, "bytes with FCS: the size of the buffers");
    fields.read("queues", request.queues, 1, 64, "of each port: so many senders and receivers share a direction");
    fields.read("nic_pacing", request.nic_time.pacing, port::nic_pacing_words, "what the NIC does for the schedule");
    fields.read("nic_arrival_stamps", request.nic_time.arrival_stamps,
                "arrivals are stamped by the NIC, not by the Tester's CPU");
    const auto pacing = request.nic_time.pacing;
    fields.check(pacing == port::NicPacing::none || request.ports[0] != request.ports[1], "nic_pacing",
                 "\"" + std::string(wire::word_of(port::nic_pacing_words, pacing)) + "\"",
                 "\"none\" with both sides on one port, whose queues they share");
    fields.no_more();
    for (const auto& port : request.ports) {
        if (request.ports[0] == request.ports[1] && &port == &request.ports[1]) continue;
        if (!port.starts_with("net_") && !port.empty()) request.eal.pci_addresses.push_back(port);
    }
    return request;
}

trial::Configuration read_configure(Fields& fields) {
    trial::Configuration configuration;
    fields.read("loopback", configuration.loopback, "no DUT: what was sent must come back unchanged");
    std::array<std::optional<Fields>, 2> hosts;
    for (const auto side : flow::both_sides) {
        auto found = read_side(fields.object(std::string(flow::name(side)), "addresses of this side"));
        configuration.sides[flow::index(side)] = found.configuration;
        hosts[flow::index(side)] = std::move(found.hosts);
    }
    auto own = fields.object("technology", "what the DUT does");
    const auto& chosen = technology::read_kind(own);
    auto traffic = fields.object("traffic", "what the frames are");
    traffic.read("seed", configuration.seed, 0, INT64_MAX, "of everything that is pseudorandom");
    for (const auto* kind : fields.only_help() ? technology::kinds() : std::vector{&chosen})
        read_technology(*kind, own, hosts, traffic, configuration);
    own.no_more();
    traffic.object("foreground", "the share of foreground frames (RFC 8219 section 5.3)", [&](Fields& foreground) {
        auto &take = configuration.foreground_take, &of = configuration.foreground_of;
        foreground.read("of", of, 1, 1000, "of so many frames");
        take = of;
        // A stateful test without connections would be none.
        foreground.read("take", take, configuration.connections ? 1 : 0, of, "so many are foreground");
    });
    read_traffic_fields(traffic, configuration);
    traffic.no_more();
    fields.no_more();
    if (!fields.only_help()) check_configuration(configuration);
    return configuration;
}

trial::Description read_trial(Fields& fields) {
    trial::Description description;
    fields.read("number", description.number, 0, frame::probe::most_trial_number, "marks the trial's frames");
    read_frame(fields, description);
    description.connections = read_connections(fields);
    description.changes = read_changes(fields);
    read_rates(fields, description);
    const auto& [rate_fps, duration_s] = description.rates.front();
    // So long that frames are due in each, and so few that they can be told.
    const double least_s = std::max({shortest_interval_s, 1 / rate_fps, duration_s / trial::Division::most_intervals});
    fields.read("interval_s", description.interval_s, least_s, 86400, "what is told of each so long time too; null: nothing is");
    fields.check(!description.interval_s || (description.rates.size() == 1 && !description.incremental), "interval_s", "a value",
                 "none with then or incremental");
    fields.read("timeout_s", description.timeout_s, 0, 3600,
                "how long to wait for frames after the last (RFC 2544 section 23 d)");
    fields.read("settle_s", description.settle_s, 0, 3600,
                "how long to go on receiving then: frames that come when the wait is over");
    read_fence(fields, description);
    read_delays(fields, description);
    fields.read("follow_gateway", description.follow_gateway,
                "ask a DUT that is silent for its MAC address again, and send to where it answers from");
    fields.read("samples", description.samples, 0, 1000, "frames to keep of each kind of error");
    fields.read("lost_among", description.lost_among, 0, 100'000,
                "of so many of the first frames who they are between, and which of them are lost");
    fields.object("schedule", "how frames are paced", [&](Fields& schedule) {
        auto& pacing = description.pacing;
        schedule.read("burst", pacing.burst, 1, trial::Sender::most_burst, "frames in one call at most");
        schedule.read("catch_up", pacing.catch_up, 1, 100, "after a stall at most so many times the rate");
        schedule.read("late_us", pacing.late_us, 0.1, 1e7, "a frame that leaves later than this is late");
        schedule.read("late_share", pacing.late_share, 0, 1, "more late frames make the trial invalid");
        schedule.read("overrun", pacing.overrun, 0, 1000, "sending may take longer by this share");
    });
    fields.no_more();
    return description;
}

ShowRequest read_show(Fields& fields) {
    ShowRequest request;
    read_frame(fields, request.description);
    request.description.connections = read_connections(fields);
    fields.read("count", request.count, 1, 100000, "frames of each direction");
    fields.no_more();
    request.description.rates = {{static_cast<double>(request.count), 1}};
    return request;
}

MappingsRequest read_mappings(Fields& fields) {
    MappingsRequest request;
    fields.read("examples", request.examples, 0, 1000, "connections that share a mapping, to name");
    fields.read("one_in", request.one_in, 1, 1 << 20, "one in so many is compared with others");
    fields.no_more();
    return request;
}

std::string read_softwires(Fields& fields) {
    std::string path;
    fields.require("path", path, "the file to write");
    fields.no_more();
    return path;
}

double read_resolve(Fields& fields) {
    double timeout_s = 3;
    fields.read("timeout_s", timeout_s, 0.01, 600, "how long to ask");
    fields.no_more();
    return timeout_s;
}

}  // namespace xlatperf::control
