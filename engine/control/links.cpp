#include "control/links.h"

#include <time.h>

#include <algorithm>

#include "frame/classifier.h"
#include "frame/other_tag.h"
#include "frame/probe.h"
#include "message/fields.h"
#include "port/service.h"

namespace xlatperf::control {

using message::MessageError;

namespace {

constexpr std::array families = {wire::Family::ipv4, wire::Family::ipv6};

void pause_ms(long ms) {
    const timespec pause{0, ms * 1'000'000};
    nanosleep(&pause, nullptr);
}

constexpr long second_answer_ms = 5;  // of another station with the same address

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

Links::Links(std::unique_ptr<port::Port> left, std::unique_ptr<port::Port> right, std::uint32_t session)
    : ports_{std::move(left), std::move(right)}, session_(session) {
    if (!ports_[0]->shared()) return;
    // A test frame with another tag is wrong where it would have arrived with its own.
    ports_[0]->use_side_of([session](const std::uint8_t* at, std::size_t size) {
        const auto direction = frame::sent_direction(at, size, session);
        return direction ? static_cast<unsigned>(flow::index(flow::receiver(*direction))) : 0;
    });
}

void Links::wait_until_up(double timeout_s) {
    const auto start = std::chrono::steady_clock::now();
    while (!(ports_[0]->link().up && ports_[1]->link().up) && seconds_since(start) < timeout_s) {
        connect_again();
        pause_ms(10);
    }
}

void Links::configure(const trial::Configuration& configuration) {
    if (const auto& [left, right] = configuration.sides; ports_[0]->shared()) {
        const auto& vlan = right.vlan.sent;
        if (!vlan && !left.vlan.sent) throw MessageError("configure.right.vlan: missing: both sides are on one port");
        if (vlan && left.vlan.sent && vlan->id == left.vlan.sent->id)
            throw MessageError("configure.right.vlan.id: " + std::to_string(vlan->id) +
                               " is not allowed: another one than the left side's, as both are on one port");
    }
    alone_ = configuration.loopback;
    for (const auto side : flow::both_sides) {
        neighbors_[flow::index(side)] =
            std::make_unique<port::Neighbors>(trial::neighbor_configuration(configuration, side, port(side).facts().mac));
        port(side).use_tag(trial::link_tag(configuration, side));
    }
}

void Links::ask(double timeout_s, bool with_links) {
    const auto start = std::chrono::steady_clock::now();
    double next_question = 0;
    while (true) {
        bool complete = true;
        for (const auto& neighbors : neighbors_) complete &= neighbors->complete();
        for (const auto& port : ports_) complete &= !with_links || port->link().up;
        const double elapsed = seconds_since(start);
        if (complete || elapsed > timeout_s) {
            if (!with_links) return;
            pause_ms(second_answer_ms);
            return serve();
        }
        if (elapsed >= next_question) {  // RFC 4861 §10: once a second; faster, since the first may come before the link is ready
            for (const auto side : flow::both_sides) {
                if (!neighbors(side).complete()) port::send_now(port(side), neighbors(side).requests());
            }
            next_question = elapsed + 0.25;
        }
        serve();
        pause_ms(1);
    }
}

ordered_json Links::resolve(double timeout_s) {
    if (!alone_) {
        serve();  // what has come before says nothing about now
        for (auto& neighbors : neighbors_) neighbors->forget();
        for (auto& tags : other_tags_) tags.clear();
        ask(timeout_s, true);
    }
    ordered_json reply;
    for (const auto side : flow::both_sides) {
        ordered_json found = ordered_json::object();
        for (const auto family : families) {
            if (!neighbors(side).uses(family)) continue;
            const auto mac = neighbors(side).gateway_mac(family);
            found[wire::name(family)] = {{"gateway", neighbors(side).gateway_text(family)},
                                         {"mac", mac ? ordered_json(wire::to_text(*mac)) : ordered_json(nullptr)}};
        }
        reply[std::string(flow::name(side))] = std::move(found);
    }
    for (const auto side : flow::both_sides) {
        if (const std::string why = port(side).link().why_down; !why.empty()) reply["down"][std::string(flow::name(side))] = why;
        for (const auto& conflict : neighbors(side).conflicts())
            reply["conflicts"][std::string(flow::name(side))].push_back({{"text", conflict.text()}, {"own", conflict.own}});
        if (const auto& tags = other_tags_[flow::index(side)]; !tags.empty())
            reply["other_tags"][std::string(flow::name(side))] = tags;
    }
    return reply;
}

void Links::meet(const trial::Configuration& configuration) {
    if (alone_) return;
    ask(3, false);
    for (const auto side : flow::both_sides) {
        for (const auto family : trial::families(configuration, side)) {
            if (neighbors(side).gateway_mac(family)) continue;
            if (const std::string why = port(side).link().why_down; !why.empty())
                throw MessageError(std::string(flow::name(side)) + ": the link is down: " + why);
            throw MessageError(std::string(flow::name(side)) + ": " + neighbors(side).gateway_text(family) + " did not answer " +
                               (family == wire::Family::ipv4 ? "ARP" : "Neighbor Discovery") + " within 3 s");
        }
        port::send_now(port(side), neighbors(side).requests());
    }
}

trial::LinkLayer Links::link_layer() const {
    trial::LinkLayer found;
    for (const auto side : flow::both_sides) {
        const auto i = flow::index(side);
        found.tester[i] = port(side).facts().mac;
        found.gateway_ipv4[i] = neighbors_[i]->gateway_mac(wire::Family::ipv4).value_or(wire::Mac{});
        found.gateway_ipv6[i] = neighbors_[i]->gateway_mac(wire::Family::ipv6).value_or(wire::Mac{});
    }
    return found;
}

ordered_json Links::moved_gateways(const trial::LinkLayer& before) const {
    ordered_json moved = ordered_json::array();
    if (alone_) return moved;
    for (const auto side : flow::both_sides) {
        const auto& neighbors = *neighbors_[flow::index(side)];
        for (const auto family : families) {
            const auto now = neighbors.answers_from(family);
            const wire::Mac& sent_to = trial::gateway(before, side, family);
            if (!now || *now == sent_to) continue;
            moved.push_back({{"side", flow::name(side)},
                             {"family", wire::name(family)},
                             {"gateway", neighbors.gateway_text(family)},
                             {"sent_to", wire::to_text(sent_to)},
                             {"answers_from", wire::to_text(*now)},
                             {"given", neighbors.gateway_given()}});
        }
    }
    return moved;
}

void Links::connect_again() {
    if (seconds_since(connected_) < again_s_) return;
    bool gone = false;
    for (const auto& port : ports_) {
        if (!port->other_end_gone()) continue;
        port->connect_again();
        gone = true;
    }
    again_s_ = gone ? std::min(2 * again_s_, latest_again_s) : soonest_again_s;
    connected_ = std::chrono::steady_clock::now();
}

void Links::look_at(flow::Side side, const std::uint8_t* at, std::size_t size, bool tagged_right) {
    std::vector<std::uint8_t> inside;
    if (!tagged_right) {
        auto& tags = other_tags_[flow::index(side)];
        if (tags.size() < most_other_tags) tags.insert(frame::describe_tag(at, size));
        inside = frame::take_other_tag(at, size, {}).inside;
        at = inside.data();
        size = inside.size();
    }
    const auto found = frame::classify_stray(at, size, frame::probe::Mark{session_, frame::probe::most_trial_number + 1});
    if (found.stray == counter::Stray::stale) ++stale_[flow::index(side)];
}

void Links::serve(const Seen& show) {
    connect_again();
    if (alone_ && !show) return;
    for (const auto side : flow::both_sides) {
        const auto seen = [&](const std::uint8_t* at, std::size_t size, bool tagged_right) {
            if (show) show(side, at, size);
            look_at(side, at, size, tagged_right);
        };
        while (port::serve_neighbors(port(side), neighbors(side), seen)) {
        }
    }
}

}  // namespace xlatperf::control
