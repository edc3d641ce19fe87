// Who lost frames are between, beside those that came: for whoever looks for what they have in common.
#include <algorithm>

#include "control/answers.h"

namespace xlatperf::control {

namespace {

// The columns of a class, each with a value for each of its frames.
struct Columns {
    ordered_json& of;
    const flow::Flow& flow;
    flow::Direction direction;

    void add(const std::string& name, std::uint64_t value) const { of[name].push_back(value); }
    void hosts(const char* left, const char* right) const {
        const bool forward = direction == flow::Direction::forward;
        if (left != nullptr) add(left, forward ? flow.source_host : flow.destination_host);
        if (right != nullptr) add(right, forward ? flow.destination_host : flow.source_host);
    }
    void ports() const {
        const bool forward = direction == flow::Direction::forward;
        add("left_port", forward ? flow.source_port : flow.destination_port);
        add("right_port", forward ? flow.destination_port : flow.source_port);
    }
    void subscriber(const flow::Subscribers& all, const flow::Subscriber& who, const std::string& to = {}) const {
        add(to + "domain", who.domain);
        add(to + "subscriber", who.packed());
        add(to + "ipv4", all.ipv4(who, 0).value);
        add(to + "psid", all.psid(who));
    }

    void operator()(const flow::HostFlows::Space&) const {
        hosts("left_host", "right_host");
        ports();
    }
    void operator()(const flow::SubscriberFlows::Space& space) const {
        subscriber(*space.subscribers, flow::Subscriber::of(flow.subscriber));
        if (space.side == flow::Side::left) {
            hosts(nullptr, "right_host");
        } else {
            hosts("left_host", nullptr);
        }
        ports();
    }
    void operator()(const flow::HairpinFlows::Space& space) const {
        subscriber(*space.subscribers, flow::Subscriber::of(flow.subscriber));
        subscriber(*space.subscribers, (*space.subscribers)(flow.to_subscriber), "to_");
        add("source_port", flow.source_port);
        add("destination_port", flow.destination_port);
    }
    void operator()(const flow::ConnectionFlows::Space& space) const {
        add("connection", flow.connection);
        if (space.b4s) add("b4", flow.b4);
        if (space.mapped) {
            const auto number = space.mapped->number(flow, direction);
            add("subscriber", number);
            add("ipv4", space.mapped->rule.ipv4_of(number, 0));
            add("psid", space.mapped->rule.psid_of(number));
        }
        hosts("client", "server");
        ports();
    }
};

// What tells rows of a binding table apart that are counted together; empty: there is one such group.
ordered_json groups_of(const technology::Technology& technology) {
    ordered_json groups = ordered_json::array();
    const auto table = technology.softwires();
    if (!table || table->lwaftrs.size() == 1) return groups;
    for (std::size_t i = 0; i < table->lwaftrs.size(); ++i) {
        const auto& rule = table->subscribers->rule(i);
        groups.push_back("softwires with lwaftr " + wire::to_text(table->lwaftrs[i]) + ", psid_offset " +
                         std::to_string(rule.psid_offset) + ", psid_length " + std::to_string(rule.psid_length));
    }
    return groups;
}

}  // namespace

void answer_lost_among(ordered_json& direction, const trial::Configuration& configuration, const trial::DirectionResult& result,
                       const frame::Stream& stream, const trial::LostNumbers& lost, const trial::Description& description) {
    if (lost.count() == 0) return;
    const flow::Space foreground = configuration.technology->flows(), background = flow::HostFlows::Space{};
    auto range = lost.ranges().begin();
    // Which are lost behind the last range that was kept isn't known.
    const std::uint64_t known = lost.ranges_complete() ? result.numbers.end() : lost.ranges().back().second + 1;
    std::array<ordered_json, flow::classes> columns;
    std::array<std::optional<std::uint64_t>, flow::classes> first_lost;
    result.numbers.each_range_below(
        std::min<std::uint64_t>(known, description.lost_among), [&](std::uint64_t number, std::uint64_t end) {
            for (; number < end; ++number) {
                const auto of = stream.mix(number);
                auto& own = columns[flow::index(of)];
                while (range != lost.ranges().end() && range->second < number) ++range;
                const bool is_lost = range != lost.ranges().end() && range->first <= number;
                if (is_lost && !first_lost[flow::index(of)]) first_lost[flow::index(of)] = number;
                const auto flow = stream.flows(of)(number);
                own["number"].push_back(number);
                own["lost"].push_back(is_lost ? 1 : 0);
                std::visit(Columns{own, flow, stream.direction}, of == flow::Class::foreground ? foreground : background);
            }
        });
    for (const auto of : {flow::Class::foreground, flow::Class::background}) {
        const auto i = flow::index(of);
        if (!first_lost[i]) continue;
        auto& answer = direction[std::string(flow::name(of))]["lost_among"];
        answer = {{"columns", std::move(columns[i])}, {"example", answer_frame(configuration, stream, *first_lost[i])}};
        if (auto groups = groups_of(*configuration.technology); !groups.empty()) answer["groups"] = std::move(groups);
    }
}

}  // namespace xlatperf::control
