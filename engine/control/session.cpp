#include "control/session.h"

#include <chrono>
#include <iostream>
#include <set>

#include "control/counter_answers.h"
#include "control/exchange.h"
#include "control/links.h"
#include "control/raw_delays.h"
#include "eal/rights.h"
#include "eal/start.h"
#include "port/claim.h"
#include "technology/softwires.h"

namespace xlatperf::control {

using nlohmann::json;

namespace {
constexpr int idle_ms = 5;  // how often neighbours are served while nothing else happens
}  // namespace

struct Session::Opened {
    std::array<std::unique_ptr<port::Claim>, 2> claims;  // until the ports are closed
    Links links;
    std::vector<unsigned> workers;
    bool yield = true;
    std::size_t largest_frame = 0;
};

Session::Session(message::LineInput& input) : input_(input) {}

Session::~Session() {
    opened_.reset();
    if (eal_started_) eal::stop();
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
        if (opened_) opened_->links.serve();
        if (!line || line->find_first_not_of(" \t\r") == std::string::npos) continue;
        std::cout << answer(*line).dump(-1, ' ', true, ordered_json::error_handler_t::replace) << std::endl;
    }
}

namespace {

template <auto Read> void read(Fields& message) { Read(message); }
void read_nothing(Fields& message) { message.no_more(); }

std::string names_of(std::span<const Session::RequestKind> kinds) {
    std::string text;
    for (const auto& kind : kinds) text += (text.empty() ? "\"" : ", \"") + std::string(kind.name) + "\"";
    return text;
}

const Session::RequestKind& find_kind(const json& message) {
    const auto kinds = Session::requests();
    if (!message.contains("request") || !message["request"].is_string())
        throw MessageError("request: missing: " + names_of(kinds));
    const auto name = message["request"].get<std::string>();
    std::set<std::string> names;
    for (const auto& kind : kinds) {
        if (kind.name == name) return kind;
        names.emplace(kind.name);
    }
    const std::string word = name.substr(0, 40), near = message::nearest(word, names);
    throw MessageError("request: " + json(word).dump(-1, ' ', true, json::error_handler_t::replace) + " is unknown" +
                       (near.empty() ? "" : ", the nearest is \"" + near + "\""));
}

}  // namespace

std::span<const Session::RequestKind> Session::requests() {
    static constexpr RequestKind all[] = {
        {"open", "starts DPDK and opens both ports, once", read<read_open>, &Session::open},
        {"configure", "technology, addresses and traffic of the trials that follow", read<read_configure>, &Session::configure},
        {"describe", "the networks that the DUT must route to the Tester, as in the answer to configure", read_nothing,
         &Session::describe},
        {"show", "the first frames, sent and expected; needs no ports", read<read_show>, &Session::show},
        {"resolve", "the DUT's MAC addresses by ARP and Neighbor Discovery", read<read_resolve>, &Session::resolve},
        {"exchange", "single frames out, single frames in, as bytes", read<read_exchange>, &Session::exchange},
        {"trial", "fixed traffic, fixed rate, fixed duration; counts, delays and a verdict on the trial itself", read<read_trial>,
         &Session::trial},
        {"mappings", "what the DUT's mappings look like after phase 1 of a stateful test", read<read_mappings>,
         &Session::mappings},
        {"softwires", "writes a technology's binding table (RFC 7596) as comma-separated values", read<read_softwires>,
         &Session::softwires},
        {"counters", "what is counted in a trial: names, units, sections of the standards, meanings", read_nothing,
         &Session::counters},
        {"stop", "ends the running trial, whose answer says so", read_nothing, &Session::stop},
        {"quit", "ends the engine, as the end of standard input does", read_nothing, &Session::quit},
    };
    return all;
}

ordered_json Session::answer(const std::string& line) {
    ordered_json reply = ordered_json::object();
    const json message = json::parse(line, nullptr, false);
    if (message.is_object() && message.contains("id") && message["id"].is_number_integer()) reply["id"] = message["id"];
    try {
        if (message.is_discarded()) throw MessageError("this line is not JSON: " + line.substr(0, 60));
        if (!message.is_object()) throw MessageError("this line is not a JSON object: " + line.substr(0, 60));
        reply.update(answer(message));
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

ordered_json Session::answer(const json& message) {
    const auto& kind = find_kind(message);
    Fields fields(&message, std::string(kind.name), nullptr);
    read_base(fields);
    ordered_json reply = {{"response", kind.name}};
    reply.update((this->*kind.answer)(fields));
    return reply;
}

ordered_json Session::open(Fields& message) {
    const OpenRequest request = read_open(message);
    if (eal_started_) throw MessageError("open: an engine opens ports once, and this one has tried already: start another");
    const bool one_port = request.ports[0] == request.ports[1];
    std::array claims = {std::make_unique<port::Claim>(request.ports[0]),
                         one_port ? nullptr : std::make_unique<port::Claim>(request.ports[1])};
    eal::keep_rights_to_open();
    const port::Eal eal = port::start_eal(request.eal);
    eal_started_ = true;
    const auto [left, right] = port::create_ports(request.ports[0], request.ports[1], request.queues);
    const auto start = [&](flow::Side side, std::uint16_t id) {
        return std::make_unique<port::Port>(request.ports[flow::index(side)], id, request.queues, request.largest_frame,
                                            request.nic_time, request.link_timeout_s);
    };
    auto left_port = start(flow::Side::left, left);
    auto right_port =
        one_port ? std::make_unique<port::Port>(*left_port, request.largest_frame) : start(flow::Side::right, right);
    opened_ = std::make_unique<Opened>(Opened{std::move(claims), Links(std::move(left_port), std::move(right_port), session_),
                                              eal.workers, request.yield, request.largest_frame});
    eal::keep_rights_to_close();
    opened_->links.wait_until_up(request.link_timeout_s);
    clock_.settle(0.5, 200);
    counters_ = trial::compare_counters(eal.workers);
    if (configuration_) opened_->links.configure(*configuration_);
    ordered_json reply = {{"version", XLATPERF_VERSION},
                          {"dpdk", port::dpdk_version()},
                          {"hugepages", eal.hugepages},
                          {"nice", eal.nice},
                          {"cores", request.eal.cores}};
    reply["clock"] = answer_clock(clock_.measure());
    reply["counters"] = answer_counters(counters_, request.eal.cores, clock_.measure());
    reply["roles"] = answer_roles(request.eal.cores, request.queues);
    for (const auto side : flow::both_sides) {
        const auto& port = opened_->links.port(side);
        reply[std::string(flow::name(side))] = answer_port(port.facts(), port.link());
    }
    return reply;
}

ordered_json Session::configure(Fields& message) {
    auto configuration = read_configure(message);
    if (opened_) opened_->links.configure(configuration);
    configuration_ = std::move(configuration);
    table_.reset();
    return {{"describe", answer_describe(*configuration_)}};
}

ordered_json Session::describe(Fields& message) {
    message.no_more();
    need_configuration();
    return {{"describe", answer_describe(*configuration_)}};
}

ordered_json Session::stop(Fields& message) {
    message.no_more();
    return ordered_json::object();  // nothing runs
}

ordered_json Session::quit(Fields& message) {
    message.no_more();
    quit_ = true;
    return ordered_json::object();
}

ordered_json Session::resolve(Fields& message) {
    const double timeout_s = read_resolve(message);
    need_configuration();
    need_ports();
    return opened_->links.resolve(timeout_s);
}

ordered_json Session::exchange(Fields& message) {
    const ExchangeRequest request = read_exchange(message);
    need_configuration();
    need_ports();
    return control::exchange(opened_->links, request, opened_->largest_frame);
}

ordered_json Session::trial(Fields& message) {
    trial::Description description = read_trial(message);
    description.session = session_;
    description.key = key_;
    need_configuration();
    need_ports();
    const std::string impossible = trial::impossible_size(*configuration_, description, opened_->largest_frame);
    if (!impossible.empty()) throw MessageError(impossible);
    const std::string unaltered = trial::impossible_change(*configuration_, description);
    if (!unaltered.empty()) throw MessageError(unaltered);
    check_directions("trial", description);
    const std::string uncounted = trial::impossible_beginnings(*configuration_, description);
    if (!uncounted.empty()) throw MessageError(uncounted);
    prepare_table(description);
    Links& links = opened_->links;
    links.meet(*configuration_);
    const trial::Bed bed{{&links.port(flow::Side::left), &links.port(flow::Side::right)},
                         {&links.neighbors(flow::Side::left), &links.neighbors(flow::Side::right)},
                         opened_->workers,
                         &clock_,
                         opened_->yield,
                         trial::certain_difference(counters_) / clock_.measure().hz * 1e9,
                         table_.get()};
    std::atomic<bool> stop = false;
    const auto before = links.link_layer();
    auto result = trial::run_trial(bed, *configuration_, description, before, stop, [&] { watch_input(stop); });
    for (const auto side : flow::both_sides) result.received[flow::index(side)].strays.add_stale(links.take_stale(side));
    ordered_json reply = answer_trial(*configuration_, result, description);
    auto moved = links.moved_gateways(before);
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
                           "\"] alone with connections.phase " + std::string(wire::word_of(flow::phase_words, phase)));
    }
    if (phase == flow::Phase::establish && description.connections->keep) {
        if (!table_ || table_->connections() != count)
            throw MessageError(
                "trial.connections.keep: true is not allowed: there was no phase establish of as many connections");
        description.connections->draw = draw_;
        return;
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

ordered_json Session::mappings(Fields& message) {
    const auto request = read_mappings(message);
    if (!table_) throw MessageError("request: there are no connections: a trial with connections.phase establish comes first");
    const auto start = std::chrono::steady_clock::now();
    const auto connections = trial::make_connections(*configuration_, {table_->connections(), flow::Phase::establish, draw_});
    state::Survey found = state::survey(*table_, connections, request.examples, request.one_in);
    if (configuration_->loopback) {  // nobody translated: clients that look alike say nothing
        found.shared = 0;
        found.examples.clear();
    }
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    return answer_mappings(*configuration_, *table_, found, elapsed.count());
}

ordered_json Session::counters(Fields& message) {
    message.no_more();
    return answer_counter_names();
}

ordered_json Session::softwires(Fields& message) {
    const std::string path = read_softwires(message);
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

ordered_json Session::show(Fields& message) {
    const ShowRequest request = read_show(message);
    need_configuration();
    const std::string impossible = trial::impossible_size(*configuration_, request.description, 9618);
    if (!impossible.empty()) throw MessageError(impossible);
    check_directions("show", request.description);
    if (request.description.connections && !configuration_->connections)
        throw MessageError("show.connections: not allowed: the technology is stateless");
    if (request.description.connections) check_connections("show", *request.description.connections);
    return {{"frames", answer_show(*configuration_, request.description, request.count)}};
}

void Session::need_configuration() const {
    if (!configuration_) throw MessageError("request: there is no configuration yet: send \"configure\" first");
}
void Session::need_ports() const {
    if (!opened_) throw MessageError("request: the ports aren't open: send \"open\" first");
}

}  // namespace xlatperf::control
