#include "control/session.h"

#include <time.h>

#include <chrono>
#include <iostream>

#include "control/raw_delays.h"
#include "port/service.h"
#include "technology/softwires.h"

namespace xlatperf::control {

using nlohmann::json;

namespace {
constexpr int idle_ms = 5;                // how often neighbours are served while nothing else happens
constexpr double connect_again_s = 0.05;  // how often a memif tries it

void pause_ms(long ms) {
    const timespec pause{0, ms * 1'000'000};
    nanosleep(&pause, nullptr);
}
double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}
}  // namespace

struct Session::Opened {
    std::array<std::unique_ptr<port::Port>, 2> ports;
    std::array<std::optional<port::Neighbors>, 2> neighbors;
    std::vector<unsigned> workers;
    bool yield = true;
    std::size_t largest_frame = 0;
    std::chrono::steady_clock::time_point last_connected = std::chrono::steady_clock::now();
};

Session::Session(LineInput& input) : input_(input) {}

Session::~Session() {
    opened_.reset();
    if (eal_started_) port::stop_eal();
}

void Session::run() {
    while (!quit_ && !input_.ended()) {
        std::optional<std::string> line;
        if (!waiting_.empty()) {
            line = waiting_.front();
            waiting_.erase(waiting_.begin());
        } else {
            line = input_.next();
            if (!line) {
                input_.wait(opened_ ? idle_ms : 1000);
                line = input_.next();
            }
        }
        serve_idle();
        if (!line || line->find_first_not_of(" \t\r") == std::string::npos) continue;
        std::cout << answer(*line).dump(-1, ' ', true, ordered_json::error_handler_t::replace) << std::endl;
    }
}

ordered_json Session::answer(const std::string& line) {
    ordered_json reply = ordered_json::object();
    const json message = json::parse(line, nullptr, false);
    if (message.is_object() && message.contains("id") && message["id"].is_number_integer()) reply["id"] = message["id"];
    try {
        if (message.is_discarded()) throw MessageError("this line is not JSON: " + line.substr(0, 60));
        if (!message.is_object()) throw MessageError("this line is not a JSON object: " + line.substr(0, 60));
        if (!message.contains("request") || !message["request"].is_string()) {
            throw MessageError(
                "request: missing: \"open\", \"configure\", \"describe\", \"show\", \"resolve\", \"trial\", \"mappings\", "
                "\"softwires\", \"stop\" or \"quit\"");
        }
        const auto name = message["request"].get<std::string>();
        ordered_json body = dispatch(name, message);
        reply["response"] = name;
        reply.update(body);
    } catch (const MessageError& error) {
        reply["error"] = error.what();
    } catch (const port::PortError& error) {
        reply["error"] = error.what();
    } catch (const trial::Stuck& error) {
        reply["error"] = error.what();
        std::cout << reply.dump() << std::endl;
        std::_Exit(3);  // a thread is lost in a driver: nothing can be cleaned up
    } catch (const std::bad_alloc&) {
        reply["error"] = "not enough memory";
    }
    return reply;
}

ordered_json Session::dispatch(const std::string& name, const json& message) {
    if (name == "open") return open(message);
    if (name == "configure") return configure(message);
    if (name == "show") return show(message);
    if (name == "resolve") return resolve(message);
    if (name == "trial") return trial(message);
    if (name == "mappings") return mappings(message);
    if (name == "softwires") return softwires(message);
    if (name == "describe") {
        need_configuration();
        return {{"describe", answer_describe(*configuration_)}};
    }
    if (name == "stop") return ordered_json::object();  // nothing runs
    if (name == "quit") {
        quit_ = true;
        return ordered_json::object();
    }
    const std::string word = name.substr(0, 40);
    const std::string near = message::nearest(
        word, {"open", "configure", "describe", "show", "resolve", "trial", "mappings", "softwires", "stop", "quit"});
    throw MessageError("request: " + json(word).dump(-1, ' ', true, json::error_handler_t::replace) + " is unknown" +
                       (near.empty() ? "" : ", the nearest is \"" + near + "\""));
}

ordered_json Session::open(const json& message) {
    const OpenRequest request = read_open({&message, "open", nullptr});
    if (eal_started_) throw MessageError("open: an engine opens ports once, and this one has tried already: start another");
    const port::Eal eal = port::start_eal(request.eal);
    eal_started_ = true;
    auto opened = std::make_unique<Opened>();
    opened->workers = eal.workers;
    opened->yield = request.yield;
    opened->largest_frame = request.largest_frame;
    const auto [left, right] = port::create_ports(request.ports[0], request.ports[1]);
    opened->ports[0] = std::make_unique<port::Port>(request.ports[0], left, request.largest_frame, request.nic_time);
    opened->ports[1] = std::make_unique<port::Port>(request.ports[1], right, request.largest_frame, request.nic_time);
    const auto start = std::chrono::steady_clock::now();
    while (!(opened->ports[0]->link().up && opened->ports[1]->link().up) && seconds_since(start) < request.link_timeout_s)
        pause_ms(10);
    clock_.settle(0.5, 200);
    counters_ = trial::compare_counters(opened->workers);
    opened_ = std::move(opened);
    if (configuration_) {
        for (const auto side : flow::both_sides) {
            const auto i = flow::index(side);
            opened_->neighbors[i].emplace(trial::neighbor_configuration(*configuration_, side, opened_->ports[i]->facts().mac));
        }
    }
    ordered_json reply = {{"version", XLATPERF_VERSION},
                          {"dpdk", port::dpdk_version()},
                          {"hugepages", eal.hugepages},
                          {"nice", eal.nice},
                          {"group_nice", eal.group_nice ? ordered_json(*eal.group_nice) : ordered_json(nullptr)},
                          {"cores", request.eal.cores}};
    reply["clock"] = answer_clock(clock_.measure());
    reply["counters"] = answer_counters(counters_, request.eal.cores, clock_.measure());
    for (const auto side : flow::both_sides) {
        const auto& port = *opened_->ports[flow::index(side)];
        reply[std::string(flow::name(side))] = answer_port(port.facts(), port.link());
    }
    return reply;
}

ordered_json Session::configure(const json& message) {
    configuration_ = read_configure({&message, "configure", nullptr});
    table_.reset();
    if (opened_) {
        for (const auto side : flow::both_sides) {
            const auto i = flow::index(side);
            opened_->neighbors[i].emplace(trial::neighbor_configuration(*configuration_, side, opened_->ports[i]->facts().mac));
        }
    }
    return {{"describe", answer_describe(*configuration_)}};
}

void Session::ask_neighbors(double timeout_s) {
    const auto start = std::chrono::steady_clock::now();
    double next_question = 0;
    while (true) {
        bool complete = true;
        for (const auto& neighbors : opened_->neighbors) complete &= neighbors->complete();
        const double elapsed = seconds_since(start);
        if (complete || elapsed > timeout_s) return;
        if (elapsed >= next_question) {  // RFC 4861 §10: once a second; faster, since the first may come before the link is ready
            for (std::size_t i = 0; i < 2; ++i) {
                if (!opened_->neighbors[i]->complete()) port::send_now(*opened_->ports[i], opened_->neighbors[i]->requests());
            }
            next_question = elapsed + 0.25;
        }
        connect_again();
        for (std::size_t i = 0; i < 2; ++i) port::serve_neighbors(*opened_->ports[i], *opened_->neighbors[i]);
        pause_ms(1);
    }
}

ordered_json Session::resolve(const json& message) {
    const double timeout_s = read_resolve({&message, "resolve", nullptr});
    need_configuration();
    need_ports();
    if (!configuration_->loopback) {
        serve_idle();  // what has come before says nothing about now
        for (auto& neighbors : opened_->neighbors) neighbors->forget();
        ask_neighbors(timeout_s);
    }
    ordered_json reply;
    for (const auto side : flow::both_sides) {
        const auto& neighbors = *opened_->neighbors[flow::index(side)];
        ordered_json found = ordered_json::object();
        for (const auto family : {wire::Family::ipv4, wire::Family::ipv6}) {
            if (!neighbors.uses(family)) continue;
            const auto mac = neighbors.gateway_mac(family);
            found[family == wire::Family::ipv4 ? "ipv4" : "ipv6"] = {
                {"gateway", neighbors.gateway_text(family)},
                {"mac", mac ? ordered_json(wire::to_text(*mac)) : ordered_json(nullptr)}};
        }
        reply[std::string(flow::name(side))] = std::move(found);
    }
    return reply;
}

trial::LinkLayer Session::link_layer() const {
    trial::LinkLayer found;
    for (const auto side : flow::both_sides) {
        const auto i = flow::index(side);
        found.tester[i] = opened_->ports[i]->facts().mac;
        found.gateway_ipv4[i] = opened_->neighbors[i]->gateway_mac(wire::Family::ipv4).value_or(wire::Mac{});
        found.gateway_ipv6[i] = opened_->neighbors[i]->gateway_mac(wire::Family::ipv6).value_or(wire::Mac{});
    }
    return found;
}

ordered_json Session::moved_gateways(const trial::LinkLayer& before) const {
    ordered_json moved = ordered_json::array();
    if (configuration_->loopback) return moved;
    for (const auto side : flow::both_sides) {
        const auto& neighbors = *opened_->neighbors[flow::index(side)];
        for (const auto family : {wire::Family::ipv4, wire::Family::ipv6}) {
            const auto now = neighbors.answers_from(family);
            const wire::Mac& sent_to = trial::gateway(before, side, family);
            if (!now || *now == sent_to) continue;
            moved.push_back({{"side", flow::name(side)},
                             {"family", family == wire::Family::ipv4 ? "ipv4" : "ipv6"},
                             {"gateway", neighbors.gateway_text(family)},
                             {"sent_to", wire::to_text(sent_to)},
                             {"answers_from", wire::to_text(*now)},
                             {"given", neighbors.gateway_given()}});
        }
    }
    return moved;
}

ordered_json Session::trial(const json& message) {
    trial::Description description = read_trial({&message, "trial", nullptr});
    need_configuration();
    need_ports();
    const std::string impossible = trial::impossible_size(*configuration_, description, opened_->largest_frame);
    if (!impossible.empty()) throw MessageError(impossible);
    const std::string unaltered = trial::impossible_change(*configuration_, description);
    if (!unaltered.empty()) throw MessageError(unaltered);
    check_directions("trial", description);
    prepare_table(description);
    if (!configuration_->loopback) {
        ask_neighbors(3);
        for (const auto side : flow::both_sides) {
            const auto& neighbors = *opened_->neighbors[flow::index(side)];
            for (const auto family : trial::families(*configuration_, side)) {
                if (neighbors.gateway_mac(family)) continue;
                throw MessageError(std::string(flow::name(side)) + ": " + neighbors.gateway_text(family) + " did not answer " +
                                   (family == wire::Family::ipv4 ? "ARP" : "Neighbor Discovery") + " within 3 s");
            }
            // RFC 2544 §23 b: the DUT gets to know the Tester's addresses anew before each trial.
            port::send_now(*opened_->ports[flow::index(side)], neighbors.requests());
        }
    }
    const trial::Bed bed{{opened_->ports[0].get(), opened_->ports[1].get()},
                         {&*opened_->neighbors[0], &*opened_->neighbors[1]},
                         opened_->workers,
                         &clock_,
                         opened_->yield,
                         trial::certain_difference(counters_) / clock_.measure().hz * 1e9,
                         table_.get()};
    std::atomic<bool> stop = false;
    const auto before = link_layer();
    const auto result = trial::run_trial(bed, *configuration_, description, before, stop, [&] { watch_input(stop); });
    ordered_json reply = answer_trial(result, description);
    auto moved = moved_gateways(before);
    if (!moved.empty()) reply["moved_gateways"] = std::move(moved);
    if (description.connections) reply["connections"] = answer_connections(*configuration_, *description.connections, *table_);
    if (!description.raw_delays.empty()) reply["raw_delays"] = write_raw_delays(result, description.raw_delays);
    return reply;
}

void Session::check_directions(const std::string& name, const trial::Description& asked) const {
    if (!configuration_->technology->hairpins() || !asked.directions[flow::index(flow::Direction::reverse)]) return;
    throw MessageError(name + ".directions: \"reverse\" is not allowed: [\"forward\"] alone with technology.hairpinning");
}

void Session::check_connections(const std::string& name, const trial::ConnectionPhase& asked) const {
    const std::uint64_t most = configuration_->connections->space.most();
    if (asked.count <= most) return;
    throw MessageError(name + ".connections.count: " + std::to_string(asked.count) + " is not allowed: 1 to " +
                       std::to_string(most) + ", the four tuples of configure.traffic.connections");
}

void Session::prepare_table(trial::Description& description) {
    const bool stateful = configuration_->technology->stateful();
    if (stateful != description.connections.has_value()) {
        throw MessageError(stateful ? "trial.connections: missing: the technology is stateful"
                                    : "trial.connections: not allowed: the technology is stateless");
    }
    if (!stateful) return;
    const auto count = description.connections->count;
    const auto phase = description.connections->phase;
    check_connections("trial", *description.connections);
    const std::array<bool, 2> wanted = {phase != flow::Phase::each_once, phase != flow::Phase::establish};
    if (phase != flow::Phase::steady && description.directions != wanted) {
        throw MessageError(std::string("trial.directions: not allowed: [\"") + (wanted[0] ? "forward" : "reverse") +
                           "\"] alone with connections.phase " + std::string(flow::phase_names[static_cast<std::size_t>(phase)]));
    }
    if (phase == flow::Phase::establish) {
        const auto family = configuration_->technology->pool()->family();
        table_.reset();
        const std::uint64_t needed_mb = (count * state::Table::bytes_per_connection(family) >> 20) + 64;
        if (needed_mb > port::available_mb()) {
            throw MessageError("trial.connections.count: " + std::to_string(count) + " is not allowed: their state table takes " +
                               std::to_string(needed_mb) + " MB, and this host has " + std::to_string(port::available_mb()) +
                               " MB available");
        }
        table_ =
            std::make_unique<state::Table>(family, count, configuration_->connections->write_order, configuration_->seed + 1);
        draw_ = description.connections->draw;
        return;
    }
    if (!table_) throw MessageError("trial.connections.phase: not allowed yet: phase establish comes first");
    description.connections->draw = draw_;
    if (table_->connections() != count || (!table_->complete() && !description.connections->some)) {
        throw MessageError("trial.connections.count: " + std::to_string(count) + " is not allowed: phase establish opened " +
                           std::to_string(table_->learnt()) + " of " + std::to_string(table_->connections()) + " connections");
    }
}

ordered_json Session::mappings(const json& message) {
    const auto request = read_mappings({&message, "mappings", nullptr});
    if (!table_) throw MessageError("request: there are no connections: a trial with connections.phase establish comes first");
    const auto start = std::chrono::steady_clock::now();
    const auto connections = trial::make_connections(*configuration_, {table_->connections(), flow::Phase::establish, draw_});
    state::Survey found = state::survey(*table_, connections, request.examples, request.one_in);
    if (configuration_->loopback) {  // nobody translated: clients that look alike say nothing
        found.shared = 0;
        found.examples.clear();
    }
    return answer_mappings(*configuration_, *table_, found, seconds_since(start));
}

ordered_json Session::softwires(const json& message) {
    const std::string path = read_softwires({&message, "softwires", nullptr});
    need_configuration();
    return {{"path", path}, {"count", technology::write_softwires(*configuration_->technology, path)}};
}

void Session::watch_input(std::atomic<bool>& stop) {
    input_.wait(0);
    while (const auto line = input_.next()) {
        const json message = json::parse(*line, nullptr, false);
        const bool known = message.is_object() && message.contains("request");
        if (known && (message["request"] == "stop" || message["request"] == "quit")) stop = true;
        waiting_.push_back(*line);
    }
    if (input_.ended()) stop = true;
}

ordered_json Session::show(const json& message) {
    const ShowRequest request = read_show({&message, "show", nullptr});
    need_configuration();
    const std::string impossible = trial::impossible_size(*configuration_, request.description, 9618);
    if (!impossible.empty()) throw MessageError(impossible);
    check_directions("show", request.description);
    if (request.description.connections && !configuration_->connections)
        throw MessageError("show.connections: not allowed: the technology is stateless");
    if (request.description.connections) check_connections("show", *request.description.connections);
    return {{"frames", answer_show(*configuration_, request.description, request.count)}};
}

// A device that was restarted made its ends of the memifs anew. Returns whether both links are up.
bool Session::connect_again() {
    bool up = true;
    const bool due = seconds_since(opened_->last_connected) >= connect_again_s;
    for (const auto& port : opened_->ports) {
        if (port->link().up) continue;
        up = false;
        if (!due || !port->connects()) continue;
        port->connect_again();
        opened_->last_connected = std::chrono::steady_clock::now();
    }
    return up;
}

void Session::serve_idle() {
    if (!opened_) return;
    connect_again();
    if (!configuration_ || configuration_->loopback) return;
    for (std::size_t i = 0; i < 2; ++i) {
        while (port::serve_neighbors(*opened_->ports[i], *opened_->neighbors[i]) == 32) {
        }
    }
}

void Session::need_configuration() const {
    if (!configuration_) throw MessageError("request: there is no configuration yet: send \"configure\" first");
}
void Session::need_ports() const {
    if (!opened_) throw MessageError("request: the ports aren't open: send \"open\" first");
}

}  // namespace xlatperf::control
