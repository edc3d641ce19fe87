#include "control/answers.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "frame/text.h"

namespace xlatperf::control {

double rounded(double value, double digits) { return std::round(value * digits) / digits; }

namespace {

ordered_json answer_summary(const trial::DelaySummary& delay, std::uint64_t negative) {
    ordered_json answer = {{"count", delay.count}, {"negative", negative}};
    for (const auto* key : {"min_ns", "p1_ns", "median_ns", "mean_ns", "p99_ns", "p999_ns", "max_ns"}) answer[key] = nullptr;
    if (delay.count > 0) {
        answer["min_ns"] = delay.minimum;
        answer["p1_ns"] = delay.p1;
        answer["median_ns"] = delay.median;
        answer["mean_ns"] = rounded(delay.mean, 10);
        answer["p99_ns"] = delay.p99;
        answer["p999_ns"] = delay.p999;
        answer["max_ns"] = delay.maximum;
    }
    return answer;
}

ordered_json answer_delay(const trial::Histogram& delay, std::uint64_t negative, bool with_histogram) {
    ordered_json answer = answer_summary(trial::summarise(delay), negative);
    if (with_histogram) {
        ordered_json counts = ordered_json::array();
        for (std::size_t i = 0; i < delay.counts().size(); ++i) {
            if (delay.counts()[i] != 0) counts.push_back({i, delay.counts()[i]});
        }
        answer["histogram"] = {{"sub_bucket_bits", trial::Histogram::sub_bucket_bits}, {"counts", std::move(counts)}};
    }
    return answer;
}

ordered_json answer_variation(const trial::DelayVariation& variation) {
    const std::uint64_t n = variation.pairs();
    ordered_json answer = {{"pairs", n}};
    for (const auto* key : {"min_ns", "median_ns", "max_ns", "mean_ns"}) answer[key] = nullptr;
    if (n > 0) {
        answer["min_ns"] = variation.minimum_ns();
        answer["median_ns"] = variation.median_ns();
        answer["max_ns"] = variation.maximum_ns();
        answer["mean_ns"] = rounded(variation.mean_ns(), 1e3);
    }
    return answer;
}

// RFC 2330 §11.3 on the delays themselves: no rounding to buckets.
ordered_json answer_tagged(std::vector<std::uint64_t> delays_ns, std::uint64_t sent) {
    std::sort(delays_ns.begin(), delays_ns.end());
    const std::size_t n = delays_ns.size();
    ordered_json answer = {{"sent", sent}, {"received", n}};
    for (const auto* key : {"min_ns", "median_ns", "p999_ns", "max_ns"}) answer[key] = nullptr;
    if (n > 0) {
        const auto ranked = [&](std::size_t rank) { return delays_ns[rank - 1]; };
        const auto middle = static_cast<double>(ranked((n + 1) / 2));
        answer["min_ns"] = ranked(1);
        answer["median_ns"] = n % 2 == 1 ? middle : (middle + static_cast<double>(ranked(n / 2 + 1))) / 2;
        answer["p999_ns"] = ranked((n * 999 + 999) / 1000);
        answer["max_ns"] = ranked(n);
    }
    return answer;
}

// `end`: one more than the highest number that was sent.
void answer_numbered(ordered_json& answer, const trial::NumberedDelays& delays, std::uint64_t end,
                     const trial::Description& description) {
    if (delays.variation) answer["delay_variation"] = answer_variation(*delays.variation);
    if (description.tags) answer["tagged"] = answer_tagged(delays.tagged_delays_ns, delays.tagging.below(end));
}

// A member for each counter. Times are counted in ticks.
template <typename Kind> void answer_counts(ordered_json& answer, const counter::Counts<Kind>& counts,
                                            const trial::TickScale& scale = trial::TickScale(1)) {
    counts.each([&](Kind, const counter::Row& row, std::uint64_t number) {
        if (row.joined == counter::Joined::least && number == counter::Counts<Kind>::none) {
            answer[std::string(row.name)] = nullptr;
        } else {
            answer[std::string(row.name)] = row.unit == counter::Unit::ns ? scale.ns(number) : number;
        }
    });
}

ordered_json answer_class(const trial::ClassTally& tally, std::uint64_t sent, const trial::Description& description) {
    ordered_json answer = {
        {"sent", sent}, {"expected", tally.by_reason[counter::Reason::expected]}, {"lost", sent - tally.arrived}};
    answer_counts(answer, tally.remarks);
    answer_counts(answer, tally.by_reason);
    const auto extent = [&](const char* key, const trial::Extent& seen) {
        if (seen.any()) answer[key] = {seen.least, seen.most};
    };
    extent("seen_hop_limit", tally.hop_limit);
    extent("seen_outer_hop_limit", tally.outer_hop_limit);
    answer["delay"] = answer_delay(tally.delay, tally.negative_delay, description.histograms);
    if (tally.delay_from_due)
        answer["delay_from_due"] = answer_delay(*tally.delay_from_due, tally.before_due, description.histograms);
    answer_numbered(answer, tally.numbered, sent, description);
    return answer;
}

// Of all frames, where there are both classes (RFC 8219 §7.3: the delay of all frames).
ordered_json answer_together(const trial::Received& received, std::uint64_t sent, const trial::Description& description) {
    const auto& [foreground, background] = received.classes;
    trial::Histogram delay = foreground.delay;
    delay.add(background.delay);
    ordered_json answer = {
        {"delay", answer_delay(delay, foreground.negative_delay + background.negative_delay, description.histograms)}};
    if (foreground.delay_from_due && background.delay_from_due) {
        trial::Histogram from_due = *foreground.delay_from_due;
        from_due.add(*background.delay_from_due);
        answer["delay_from_due"] = answer_delay(from_due, foreground.before_due + background.before_due, description.histograms);
    }
    answer_numbered(answer, *received.together, sent, description);
    return answer;
}

ordered_json answer_wrong(const counter::Counts<counter::Reason>& by_reason) {
    ordered_json wrong = ordered_json::object();
    by_reason.each([&](counter::Reason reason, const counter::Row& row, std::uint64_t frames) {
        if (reason != counter::Reason::expected && frames > 0) wrong[std::string(row.name)] = frames;
    });
    return wrong;
}

// Both classes together.
ordered_json answer_intervals(const trial::Arrivals& arrivals, const trial::DirectionResult& direction) {
    const auto& intervals = *arrivals.intervals();
    const auto& departure = direction.departure;
    ordered_json answer = ordered_json::array();
    for (std::uint64_t i = 0; i < intervals.division().count(); ++i) {
        const auto& arrived = intervals.each()[i];
        const auto& left = departure.intervals[i];
        const std::uint64_t first = intervals.division().begin(i), end = intervals.division().begin(i + 1);
        answer.push_back({{"sent", direction.numbers.below(end) - direction.numbers.below(first)},
                          {"expected", arrived.by_reason[counter::Reason::expected]},
                          {"lost", arrivals.lost().of_intervals()[i]},
                          {"wrong", answer_wrong(arrived.by_reason)},
                          {"delay", answer_summary(arrived.delay, arrived.negative_delay)},
                          {"late_frames", left.late_frames},
                          {"stalls", left.stalls}});
    }
    return answer;
}

ordered_json answer_direction(const trial::DirectionResult& direction, const trial::Received& received,
                              const trial::Arrivals& arrivals, const frame::Stream& stream, double hz,
                              const trial::Configuration& configuration, const trial::Description& description) {
    const auto& lost = arrivals.lost();
    const auto& departure = direction.departure;
    const trial::TickScale scale(hz);
    ordered_json answer = {
        {"intended", direction.intended},
        {"sent", departure.sent},
        {"offered_fps", rounded(direction.offered_fps, 1e3)},
        {"sending_s", rounded(direction.sending_s, 1e9)},
        {"frame_size",
         {{"sent", std::lround(direction.sent_frame_size)}, {"received", std::lround(direction.received_frame_size)}}}};
    answer["stamps"] = {{"departure", direction.departures_by_nic ? "nic" : "tsc"},
                        {"arrival", direction.arrivals_by_nic ? "nic" : "tsc"}};
    if (stream.expected[0]) answer["foreground"] = answer_class(received.classes[0], direction.sent[0], description);
    if (stream.expected[1]) answer["background"] = answer_class(received.classes[1], direction.sent[1], description);
    if (received.together) answer["together"] = answer_together(received, departure.sent, description);
    const auto& gap = received.longest_gap;
    answer["longest_gap"] = gap.ticks == 0
                                ? ordered_json(nullptr)
                                : ordered_json{{"ns", scale.ns(gap.ticks)}, {"before", gap.before}, {"after", gap.after}};
    ordered_json ranges = ordered_json::array();
    for (const auto& [first, last] : lost.ranges()) ranges.push_back({first, last});
    answer["lost_ranges"] = std::move(ranges);
    answer["quiet_s"] = direction.quiet_s ? ordered_json(rounded(*direction.quiet_s, 1e6)) : ordered_json(nullptr);
    answer["arrival_interval_s"] =
        direction.arrival_interval_s ? ordered_json(rounded(*direction.arrival_interval_s, 1e9)) : ordered_json(nullptr);
    if (direction.overflowed.at_most > 0) answer["dropped_at_most"] = direction.overflowed.at_most;
    answer["last_lost"] = lost.count() > 0 ? ordered_json(lost.last()) : ordered_json(nullptr);
    answer["lost_ranges_complete"] = lost.ranges_complete();
    if (description.lost_among > 0) answer_lost_among(answer, configuration, direction, stream, lost, description);
    answer["departure"] = {{"late", answer_delay(departure.late, 0, description.histograms)}};
    answer_counts(answer["departure"], departure.counts, scale);
    if (description.interval_s) answer["intervals"] = answer_intervals(arrivals, direction);
    if (description.fence) {
        answer["fence"] = {{"sent", direction.numbers.below(stream.frames) - direction.numbers.below(stream.fence)},
                           {"expected", received.fence[counter::Reason::expected]},
                           {"lost", direction.fence_lost},
                           {"wrong", answer_wrong(received.fence)}};
    }
    return answer;
}

ordered_json answer_side(const trial::Received& received, const port::PortCounters& counters, bool link_up) {
    const auto& strays = received.strays;
    ordered_json answer = {{"received", strays.received}};
    if (received.by_queue.size() > 1) answer["received_by_queue"] = received.by_queue;
    strays.by_kind.each([&](counter::Stray kind, const counter::Row& row, std::uint64_t frames) {
        if (kind != counter::Stray::icmp_error) answer[std::string(row.name)] = frames;
    });
    ordered_json errors = ordered_json::array();
    for (const auto& [key, count] : strays.icmp_errors) {
        const auto& [version, type, code, from] = key;
        errors.push_back({{"version", version}, {"type", type}, {"code", code}, {"count", count}, {"from", from}});
    }
    answer["icmp_errors"] = std::move(errors);
    answer_counts(answer, counters.counts);
    answer["link_up"] = link_up;
    return answer;
}

ordered_json answer_sample(const trial::Sample& sample) {
    ordered_json answer = {
        {"side", flow::name(sample.side)}, {"direction", flow::name(sample.direction)}, {"reason", sample.reason}};
    answer["number"] = sample.number ? ordered_json(*sample.number) : ordered_json(nullptr);
    answer["class"] = sample.of ? ordered_json(flow::name(*sample.of)) : ordered_json(nullptr);
    answer["received"] = frame::hex_bytes(sample.received.data(), sample.received.size());
    answer["expected"] = sample.expected.empty() ? ordered_json(nullptr)
                                                 : ordered_json(frame::hex_bytes(sample.expected.data(), sample.expected.size()));
    answer["text"] = sample.text;
    return answer;
}

std::string via(const trial::SideConfiguration& side, const std::string& prefix) {
    const bool v6 = prefix.find(':') != std::string::npos;
    if (v6) return side.ipv6 ? wire::to_text(side.ipv6->tester) : "";
    return side.ipv4 ? wire::to_text(side.ipv4->tester) : "";
}

}  // namespace

ordered_json answer_describe(const trial::Configuration& configuration) {
    ordered_json answer;
    for (const auto side : flow::both_sides) {
        const auto& own = configuration.sides[flow::index(side)];
        ordered_json names = ordered_json::array(), routes = ordered_json::array();
        for (const auto family : trial::families(configuration, side)) names.push_back(wire::name(family));
        std::unordered_set<std::string> told;  // domains may share a border relay
        for (const auto& prefix : configuration.technology->routes(side)) {
            if (!told.insert(prefix).second) continue;
            routes.push_back({{"prefix", prefix}, {"via", via(own, prefix)}, {"class", "foreground"}});
        }
        if (configuration.has_background()) {
            for (std::uint32_t i = 0; i < own.background_hosts->networks; ++i) {
                const auto prefix = wire::to_text(own.background_hosts->network(i));
                routes.push_back({{"prefix", prefix}, {"via", via(own, prefix)}, {"class", "background"}});
            }
        }
        const auto [first, last] = configuration.technology->first_and_last(side);
        answer[std::string(flow::name(side))] = {{"families", std::move(names)},
                                                 {"routes", std::move(routes)},
                                                 {"foreground",
                                                  {{"family", wire::name(configuration.technology->link_family(side))},
                                                   {"first_host", wire::to_text(first)},
                                                   {"last_host", wire::to_text(last)}}}};
    }
    return answer;
}

ordered_json answer_trial(const trial::Configuration& configuration, const trial::Result& result,
                          const trial::Description& description) {
    ordered_json reasons = ordered_json::array();
    for (const auto& reason : result.reasons) reasons.push_back({{"code", counter::name(reason.code)}, {"text", reason.text}});
    ordered_json answer = {{"number", description.number},
                           {"valid", result.reasons.empty()},
                           {"reasons", std::move(reasons)},
                           {"elapsed_s", rounded(result.elapsed_s, 1e6)},
                           {"starts_at_s", rounded(result.starts_at_s, 1e6)},
                           {"waited_s", rounded(result.waited_s, 1e6)},
                           {"clock", answer_clock(result.frequency)}};
    if (description.settle_s > 0) answer["settled_s"] = description.settle_s;
    if (description.fence) answer["fence_came"] = result.fence_came;
    for (const auto direction : flow::both_directions) {
        const auto i = flow::index(direction);
        if (!result.directions[i]) continue;
        answer[std::string(flow::name(direction))] =
            answer_direction(*result.directions[i], result.received[flow::index(result.streams[i]->arrives)], *result.arrivals[i],
                             *result.streams[i], result.frequency.hz, configuration, description);
    }
    ordered_json samples = ordered_json::array();
    for (const auto side : flow::both_sides) {
        const auto i = flow::index(side);
        const auto& received = result.received[i];
        answer[std::string(flow::name(side))] = answer_side(received, result.counters[i], result.link_down[i].empty());
        for (const auto& sample : received.samples) samples.push_back(answer_sample(sample));
    }
    answer["samples"] = std::move(samples);
    return answer;
}

ordered_json answer_connections(const trial::Configuration& configuration, const trial::ConnectionPhase& phase,
                                const state::Table& table) {
    const auto ports = trial::make_connections(configuration, phase).server_ports();
    return {{"count", phase.count},
            {"phase", wire::word_of(flow::phase_words, phase.phase)},
            {"learnt", table.learnt()},
            {"server_ports", {ports.first, ports.last}},
            {"bytes_per_connection", state::Table::bytes_per_connection(table.family())}};
}

ordered_json answer_mappings(const trial::Configuration& configuration, const state::Table& table, const state::Survey& survey,
                             double elapsed_s) {
    constexpr std::size_t most_addresses = 64;
    ordered_json addresses = ordered_json::array(), examples = ordered_json::array();
    std::uint64_t others = 0;
    for (const auto& [address, count] : survey.addresses) {
        if (addresses.size() < most_addresses) {
            addresses.push_back({address, count});
        } else {
            ++others;
        }
    }
    const auto servers = configuration.technology->servers();
    for (const auto& shared : survey.examples) {
        examples.push_back("connections " + std::to_string(shared.first) + " and " + std::to_string(shared.second) + " share " +
                           state::address_text(table, shared.mapping) + " port " + std::to_string(shared.mapping.port) +
                           " towards " + wire::to_text(servers[shared.tuple.server]) + " port " +
                           std::to_string(shared.tuple.server_port));
    }
    const bool any = table.learnt() > 0;
    return {{"count", table.connections()},
            {"learnt", table.learnt()},
            {"compared", survey.compared},
            {"shared", survey.shared},
            {"addresses", std::move(addresses)},
            {"other_addresses", others},
            {"lowest_port", any ? ordered_json(survey.lowest_port) : ordered_json(nullptr)},
            {"highest_port", any ? ordered_json(survey.highest_port) : ordered_json(nullptr)},
            {"ports_kept", survey.ports_kept},
            {"examples", std::move(examples)},
            {"elapsed_s", rounded(elapsed_s, 1e3)}};
}

}  // namespace xlatperf::control
