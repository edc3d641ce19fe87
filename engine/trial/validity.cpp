#include "trial/validity.h"

#include <cstdio>

namespace xlatperf::trial {

using counter::Invalid;
using counter::Sending;

namespace {

// What is measured in software is not better than this anyway.
constexpr double most_counter_difference_ns = 1000;
// A loss that is so many times what the Tester may have dropped is the DUT's, to a percent.
constexpr std::uint64_t most_loss_per_drop = 100;

std::string fixed(double value, int digits) {
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%.*f", digits, value);
    return text.data();
}

void judge_direction(const DirectionResult& direction, std::string_view name, const Description& description, double hz,
                     std::vector<Objection>& reasons) {
    const Departure& departure = direction.departure;
    const auto& counts = departure.counts;
    // A DUT that had no room for more frames than the Tester failed to send fails at this rate, and at less.
    if (departure.sent < direction.intended && counts[Sending::not_taken] <= direction.intended - departure.sent) {
        reasons.push_back({Invalid::sent_less, std::string(name) + ": " + std::to_string(departure.sent) + " of " +
                                                   std::to_string(direction.intended) + " frames could be sent in time"});
    }
    const double overrun_s = static_cast<double>(departure.overrun_ticks) / hz;
    if (overrun_s > description.pacing.most_overrun_s(description.duration_s(), description.fastest_fps())) {
        reasons.push_back({Invalid::sent_less,
                           std::string(name) + ": the last frame left " + fixed(overrun_s * 1e3, 3) + " ms late: " +
                               fixed(static_cast<double>(departure.sent) / direction.sending_s, 0) + " frames/s were offered"});
    }
    const double share =
        departure.sent == 0 ? 0 : static_cast<double>(counts[Sending::late_frames]) / static_cast<double>(departure.sent);
    if (share > description.pacing.late_share) {
        reasons.push_back(
            {Invalid::schedule, std::string(name) + ": " + fixed(share * 100, 2) + " % of the frames left more than " +
                                    fixed(description.pacing.late_us, 0) + " µs late, the longest stall was " +
                                    fixed(static_cast<double>(counts[Sending::longest_stall_ns]) / hz * 1e3, 1) + " ms"});
    }
    // What is lost beyond that is the DUT's; where it is so much more, the Tester's part changes nothing.
    const Overflowed& here = direction.overflowed;
    if (here.at_most > 0 && here.at_most * most_loss_per_drop > here.lost) {
        reasons.push_back({Invalid::receive_drops,
                           std::string(name) + ": at most " + std::to_string(here.at_most) + " of " + std::to_string(here.lost) +
                               " lost frames were dropped by the Tester itself: it was held up for " +
                               fixed(static_cast<double>(here.away_ticks) / hz * 1e3, 2) +
                               " ms, longer than its receive ring of " + std::to_string(here.ring) + " frames lasts"});
    }
    if (counts[Sending::no_buffers] > 0 && departure.sent < direction.intended) {
        reasons.push_back({Invalid::no_buffers,
                           std::string(name) + ": no free buffer " + std::to_string(counts[Sending::no_buffers]) + " times"});
    }
}

}  // namespace

std::vector<Objection> objections(const Result& result, const Description& description, double ticks_per_second, bool stopped) {
    std::vector<Objection> reasons;
    if (stopped) reasons.push_back({Invalid::stopped, "the trial was stopped"});
    for (const auto direction : flow::both_directions) {
        const auto& one = result.directions[flow::index(direction)];
        if (one) judge_direction(*one, flow::name(direction), description, ticks_per_second, reasons);
    }
    for (const auto side : flow::both_sides) {
        const auto& counts = result.counters[flow::index(side)].counts;
        const std::string name(flow::name(side));
        if (counts[counter::Port::receive_drops] > 0) {
            reasons.push_back({Invalid::receive_drops, name + ": the Tester itself dropped " +
                                                           std::to_string(counts[counter::Port::receive_drops]) +
                                                           " received frames"});
        }
        if (counts[counter::Port::transmit_errors] > 0) {
            reasons.push_back({Invalid::transmit_errors, name + ": the port failed to send " +
                                                             std::to_string(counts[counter::Port::transmit_errors]) + " frames"});
        }
        if (counts[counter::Port::no_buffers] > 0) {
            reasons.push_back({Invalid::no_buffers, name + ": no buffer for " +
                                                        std::to_string(counts[counter::Port::no_buffers]) + " received frames"});
        }
        if (const auto& why = result.link_down[flow::index(side)]; !why.empty())
            reasons.push_back({Invalid::link_down, name + ": the link was down: " + why});
        for (const auto& conflict : result.address_conflicts[flow::index(side)])
            reasons.push_back({Invalid::address_conflict, name + ": " + conflict});
        std::uint64_t negative = 0;
        for (const auto& tally : result.received[flow::index(side)].classes) negative += tally.negative_delay;
        if (negative > 0) {
            reasons.push_back(
                {Invalid::negative_delay, name + ": " + std::to_string(negative) +
                                              " frames arrived before they were sent: the clocks of the cores disagree"});
        }
    }
    for (const auto& arrivals : result.arrivals) {
        if (!arrivals || arrivals->overtaken() == 0) continue;
        reasons.push_back({Invalid::uncounted,
                           std::to_string(arrivals->overtaken()) +
                               " frames arrived when the Tester hadn't made room to count them: its main thread was held up"});
    }
    if (!Clock::invariant()) reasons.push_back({Invalid::clock, "the time stamp counter of this CPU isn't constant"});
    if (result.counter_difference_ns > most_counter_difference_ns) {
        reasons.push_back({Invalid::clock, "the time stamp counters of the workers' cores differ by at least " +
                                               std::to_string(static_cast<long>(result.counter_difference_ns)) + " ns"});
    }
    return reasons;
}

}  // namespace xlatperf::trial
