// What is said of the clock, the cores and the ports.
#include "control/answers.h"
#include "trial/roles.h"

namespace xlatperf::control {

ordered_json answer_clock(const trial::Frequency& frequency) {
    return {{"source", "tsc"},
            {"hz", rounded(frequency.hz, 10)},
            {"uncertainty_ppm", rounded(frequency.uncertainty_ppm, 1e4)},
            {"invariant", trial::Clock::invariant()}};
}

ordered_json answer_roles(const std::vector<unsigned>& cores, unsigned queues) {
    ordered_json answer = ordered_json::array();
    for (const unsigned core : cores) answer.push_back({{"core", core}, {"does", ordered_json::array()}});
    for (const auto& turn : trial::turns(cores.size(), queues)) {
        std::string role = std::string(flow::name(turn.side)) + (turn.sends ? " sender" : " receiver");
        if (queues > 1) role += " " + std::to_string(turn.queue + 1);
        answer[turn.worker]["does"].push_back(std::move(role));
    }
    return answer;
}

ordered_json answer_counters(const std::vector<trial::CounterOffset>& counters, const std::vector<unsigned>& cores,
                             const trial::Frequency& frequency) {
    const auto ns = [&](double ticks) { return rounded(ticks / frequency.hz * 1e9, 10); };
    ordered_json answer = ordered_json::array();
    for (std::size_t i = 0; i < counters.size(); ++i) {
        const auto& found = counters[i];
        answer.push_back({{"core", cores[i]},
                          {"offset_ns", found.ticks ? ordered_json(ns(*found.ticks)) : ordered_json(nullptr)},
                          {"uncertainty_ns", found.ticks ? ordered_json(ns(found.uncertainty_ticks)) : ordered_json(nullptr)}});
    }
    return answer;
}

ordered_json answer_port(const port::PortFacts& facts, const port::LinkState& link) {
    ordered_json answer = {{"port", facts.name},
                           {"driver", facts.driver},
                           {"mac", wire::to_text(facts.mac)},
                           {"link_up", link.up},
                           {"speed_mbps", link.speed_mbps},
                           {"mtu", facts.mtu},
                           {"rx_timestamp", facts.rx_timestamp},
                           {"send_on_timestamp", facts.send_on_timestamp},
                           {"rate_limit", facts.rate_limit},
                           {"promiscuous", facts.promiscuous},
                           {"receive_drops_known", facts.receive_drops_known},
                           {"receive_ring", facts.receive_ring}};
    if (!link.why_down.empty()) answer["why_down"] = link.why_down;
    return answer;
}

}  // namespace xlatperf::control
