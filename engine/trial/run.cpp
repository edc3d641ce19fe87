#include "trial/run.h"

#include <time.h>

#include <algorithm>
#include <deque>
#include <functional>

#include "eal/worker_call.h"
#include "trial/grace_period.h"
#include "trial/leaving.h"
#include "trial/link_watch.h"
#include "trial/roles.h"
#include "trial/validity.h"

namespace xlatperf::trial {

using counter::Sending;

namespace {

constexpr double lead_s = 0.005;  // from launching the workers to frame 0
constexpr double give_up_s = 5;   // beyond everything that a trial may take
constexpr double quiet_s = 0.02, most_late_s = 1;

double monotonic_s() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

void pause_ms(long ms) {
    const timespec pause{0, ms * 1'000'000};
    nanosleep(&pause, nullptr);
}

using Calls = std::deque<eal::WorkerCall>;

// A DUT that is restarted makes its ends of the memifs anew; who connects to it has to do it again.
class Connector {
  public:
    Connector(const Bed& bed, const Calls& calls, Shared& shared) : bed_(bed), calls_(calls), shared_(shared) {}

    /// Called every few milliseconds while the trial runs.
    void look() {
        if (++looks_ % 4 != 0) return;
        for (port::Port* port : bed_.ports) {
            if (port->other_end_gone() && hold()) connect_again(*port);
        }
        if (!shared_.hold) return;
        shared_.hold.store(false, std::memory_order_release);
        while (shared_.holding > 0) pause_ms(1);
    }

  private:
    static void connect_again(port::Port& port) {
        try {
            port.connect_again();
        } catch (const port::PortError& error) {
            throw Stuck(error.what());  // workers can't be let on to a port that may be stopped at any time
        }
    }

    // Whether all workers wait. One that has come to its end doesn't, and won't touch a port either.
    bool hold() {
        constexpr int most_ms = 100;
        shared_.hold = true;
        for (int waited_ms = 0; waited_ms < most_ms; ++waited_ms) {
            const auto running = std::count_if(calls_.begin(), calls_.end(), [](const auto& call) { return call.running(); });
            if (shared_.holding >= static_cast<unsigned>(running)) return true;
            pause_ms(1);
        }
        return false;
    }

    const Bed& bed_;
    const Calls& calls_;
    Shared& shared_;
    unsigned looks_ = 0;
};

// What the workers have counted is taken over from them while they run, so that they need no more memory the longer it takes.
class Settling {
  public:
    Settling(Result& result, const Roles& roles, GracePeriod& grace) : result_(result), roles_(roles), grace_(grace) {}

    /// Called every few milliseconds while the trial runs.
    void look() {
        if (grace_.begun()) {
            if (!grace_.over()) return;
            for (auto& arrivals : result_.arrivals) {
                if (arrivals) arrivals->settle();
            }
        }
        bool raised = false;
        for (const auto direction : flow::both_directions) {
            auto& arrivals = result_.arrivals[flow::index(direction)];
            if (!arrivals) continue;
            std::uint64_t sent = 0;
            for (const auto& sender : roles_.senders[flow::index(direction)]) sent = std::max(sent, sender->next_number());
            raised |= arrivals->raise_floor(sent);
        }
        if (raised) grace_.begin();
    }

  private:
    Result& result_;
    const Roles& roles_;
    GracePeriod& grace_;
};

Overflowed overflowed(const LostNumbers& lost, const std::vector<std::unique_ptr<Receiver>>& receivers) {
    Overflowed all{0, lost.count(), 0, 0};
    for (const auto& receiver : receivers) {
        if (!receiver->ring()) continue;
        const Overflow& one = receiver->ring()->overflow();
        all.at_most = std::min(all.at_most + one.at_most(lost), lost.count());
        all.away_ticks = std::max(all.away_ticks, one.longest_ticks());
        all.ring = one.ring();
    }
    return all;
}

// Lost frames that never left the interface under the port, and so never reached the device at its other end: it's full and drops
// them, or they wait for the device. Questions to neighbours are taken to have left: no other frame that did is lost for one.
// The interface may carry frames of the kernel's own as well.
std::uint64_t left_behind(const Departure& departure, std::uint64_t lost, port::Port& port, const port::PortCounters& counters) {
    const std::uint64_t sent = departure.sent - departure.counts[Sending::not_taken],
                        others = counters.counts[counter::Port::waiting_before] + counters.beside,
                        left = counters.left - std::min(counters.left, others);
    if (!port.facts().software_link || sent <= left) return 0;
    port.add_waiting(sent - left - std::min(sent - left, counters.not_left));
    return std::min(sent - left, lost - std::min(lost, departure.counts[Sending::not_taken]));
}

// Where it isn't known which frames did not leave: so many of those that are lost, of all that are sent on this port.
void add_not_left(const Bed& bed, flow::Side side, Result& result) {
    const port::Port& port = *bed.ports[flow::index(side)];
    if (port.facts().software_link) return;
    std::uint64_t lost = 0;
    for (const auto direction : flow::both_directions) {
        const auto& arrivals = result.arrivals[flow::index(direction)];
        if (arrivals && bed.ports[flow::index(flow::sender(direction))]->id() == port.id()) lost += arrivals->lost().count();
    }
    auto& counters = result.counters[flow::index(side)];
    counters.counts[counter::Port::transmit_errors] += std::min(counters.not_left, lost);
}

// What was sent before all flows had begun isn't the rate that was asked for.
double offered_fps(const DirectionResult& direction, const Description& description, const Schedule& schedule, double hz) {
    if (!description.incremental) return static_cast<double>(direction.departure.sent) / direction.sending_s;
    const std::uint64_t first = description.incremental->beginnings(description.rates.front().rate_fps).first_of_all();
    const double before_s = static_cast<double>(schedule.due_ticks(first) - schedule.due_ticks(0)) / hz;
    if (direction.sending_s <= before_s) return 0;
    return static_cast<double>(direction.departure.sent - direction.numbers.below(first)) / (direction.sending_s - before_s);
}

DirectionResult collect(const Bed& bed, const Configuration& configuration, const Description& description,
                        flow::Direction direction, const Roles& roles, const Result& result) {
    const auto& senders = roles.senders[flow::index(direction)];
    const frame::Stream& stream = *result.streams[flow::index(direction)];
    const flow::Side from = flow::sender(direction);
    std::vector<std::uint64_t> next;
    std::vector<const Stalls*> stalls;
    DirectionResult one;
    one.intended = stream.frames;
    one.departure = senders[0]->departure();
    for (const auto& sender : senders) {
        if (sender != senders[0]) one.departure.add(sender->departure());
        next.push_back(sender->next_number());
        stalls.push_back(&sender->stalls());
        one.departure.counts.note(Sending::stalls, sender->stalls().count());
    }
    one.numbers = SentNumbers(std::move(next), stream.frames);
    one.numbers.each_range_below(stream.frames, [&](std::uint64_t first, std::uint64_t end) {
        one.sent[0] += stream.mix.foreground_below(end) - stream.mix.foreground_below(first);
    });
    one.sent[1] = one.departure.sent - one.sent[0];
    // The last frame's own interval belongs to the time of sending.
    if (one.departure.sent > 0) {
        const std::uint64_t start = result.schedule->due_ticks(0);
        one.sending_s = static_cast<double>(one.departure.last_departure_ticks - start) / result.frequency.hz +
                        1 / description.rates.back().rate_fps;
        one.offered_fps = offered_fps(one, description, *result.schedule, result.frequency.hz);
    }
    one.departures_by_nic = bed.ports[flow::index(from)]->send_time().has_value();
    one.arrivals_by_nic = bed.ports[flow::index(stream.arrives)]->arrival_time().has_value();
    const auto told = configuration.told_class();
    one.sent_frame_size = mean_frame_size(configuration, description, direction, from, told) +
                          static_cast<double>(encapsulation_limit(configuration, from, told));
    one.received_frame_size = mean_frame_size(configuration, description, direction, stream.arrives, told);
    auto& arrivals = *result.arrivals[flow::index(direction)];
    arrivals.finish(one.numbers);
    one.departure.counts.note(Sending::lost_after_stall, lost_after_stall(arrivals.lost().ranges(), stalls));
    one.overflowed = overflowed(arrivals.lost(), roles.receivers[flow::index(stream.arrives)]);
    one.departure.counts.note(Sending::not_taken, left_behind(one.departure, arrivals.lost().count(),
                                                              *bed.ports[flow::index(from)], result.counters[flow::index(from)]));
    return one;
}

}  // namespace

Result run_trial(const Bed& bed, const Configuration& configuration, const Description& description, const LinkLayer& link_layer,
                 std::atomic<bool>& stop, const std::function<void()>& while_running) {
    const double hz = bed.clock->measure().hz;
    const std::uint64_t began = Clock::now();
    Result result;
    result.counter_difference_ns = bed.counter_difference_ns;
    result.schedule = std::make_unique<Schedule>(make_schedule(description, hz));
    for (const auto direction : flow::both_directions) {
        if (!description.directions[flow::index(direction)]) continue;
        result.streams[flow::index(direction)] =
            std::make_unique<const frame::Stream>(make_stream(configuration, description, link_layer, direction));
    }
    const Roles roles = make_roles(bed, configuration, description, hz, result);
    for (port::Port* port : bed.ports) port->take_counters();
    std::array links = {LinkWatch(*bed.ports[0]), LinkWatch(*bed.ports[1])};

    const bool learning = bed.table != nullptr && !bed.table->complete();
    GracePeriod grace(static_cast<unsigned>(bed.workers.size()));
    Shared shared;
    shared.stop = &stop;
    shared.grace = &grace;
    shared.timeout_ticks = static_cast<std::uint64_t>(description.timeout_s * hz);
    shared.settle_ticks = static_cast<std::uint64_t>(description.settle_s * hz);
    shared.quiet_ticks = static_cast<std::uint64_t>(quiet_s * hz);
    shared.most_late_ticks = static_cast<std::uint64_t>(most_late_s * hz);
    shared.yield = bed.yield;
    shared.yield_margin_ticks = static_cast<std::uint64_t>(20e-6 * hz);
    std::optional<FenceWatch> fence;
    if (description.fence) shared.fence = &fence.emplace(*description.fence, description.directions, bed.ports[0]->queues(), hz);
    std::vector<Worker> workers = share_out(roles, bed);
    for (std::size_t i = 0; i < workers.size(); ++i) {
        workers[i].index = static_cast<unsigned>(i);
        workers[i].shared = &shared;
        shared.senders_left += static_cast<unsigned>(workers[i].senders.size());
    }

    const std::uint64_t start = Clock::now() + static_cast<std::uint64_t>(lead_s * hz);
    result.starts_at_s = monotonic_s() + lead_s;
    shared.hard_deadline =
        start + static_cast<std::uint64_t>((description.duration_s() * (1 + description.pacing.overrun) + description.timeout_s +
                                            description.settle_s + give_up_s + Leaving::most_s) *
                                           hz);
    result.schedule->start_at(start);
    Leaving leaving(bed, roles, result, shared, hz);
    for (const auto& senders : roles.senders) {
        for (const auto& sender : senders) sender->start();
    }
    Calls calls;
    for (Worker& worker : workers) {
        calls.emplace_back(bed.workers[worker.index], [&worker] { run_worker(worker); });
        if (!calls.back().launch())
            throw Stuck("worker " + std::to_string(worker.index) + " is still at an earlier trial: the engine ends");
    }
    const auto running = [&] { return std::any_of(calls.begin(), calls.end(), [](const auto& call) { return call.running(); }); };
    Connector connector(bed, calls, shared);
    Settling settling(result, roles, grace);
    while (running()) {
        while_running();
        for (LinkWatch& link : links) link.look();
        settling.look();
        leaving.look();
        connector.look();
        if (Clock::now() > shared.hard_deadline + static_cast<std::uint64_t>(give_up_s * hz)) {
            throw Stuck("a worker does not come back from the driver of " + bed.ports[0]->facts().name + " or " +
                        bed.ports[1]->facts().name + ": the engine ends");
        }
        pause_ms(5);
    }
    for (auto& call : calls) call.wait();
    for (const auto& receivers : roles.receivers) {
        if (!receivers.empty()) receivers.front()->count_incomplete();
    }

    const std::uint64_t waited_from = shared.last_departure;
    const std::uint64_t waited_until = shared.waited_until > 0 ? shared.waited_until.load() : Clock::now();
    result.frequency = bed.clock->measure();
    if (waited_from > 0) result.waited_s = static_cast<double>(waited_until - waited_from) / result.frequency.hz;
    result.fence_came = fence && fence->came();
    for (const auto side : flow::both_sides) result.counters[flow::index(side)] = bed.ports[flow::index(side)]->take_counters();
    for (const auto direction : flow::both_directions) {
        auto& one = result.directions[flow::index(direction)];
        if (result.streams[flow::index(direction)]) one = collect(bed, configuration, description, direction, roles, result);
        if (one) one->departure.counts.note(Sending::waited_ns, leaving.longest_ticks(direction));
        if (one && fence) one->fence_lost = description.fence->frames - fence->arrived(direction);
    }
    for (const auto side : flow::both_sides) add_not_left(bed, side, result);
    for (const auto side : flow::both_sides) {
        const auto i = flow::index(side);
        const auto direction = result.arriving_on(side);
        result.received[i] =
            join(roles.receivers[i], direction ? result.arrivals[flow::index(*direction)].get() : nullptr, description.samples);
        const std::uint64_t last = result.received[i].last_in_time;
        if (direction && last > 0) {
            const double quiet_s = static_cast<double>(waited_until - std::min(waited_until, last)) / result.frequency.hz;
            std::uint64_t arrived = 0;
            for (const auto& tally : result.received[i].classes) arrived += tally.in_time();
            auto& one = *result.directions[flow::index(*direction)];
            one.quiet_s = quiet_s;
            one.arrival_interval_s = static_cast<double>(last - std::min(start, last)) / result.frequency.hz /
                                     static_cast<double>(std::max<std::uint64_t>(arrived, 1));
        }
        result.link_down[i] = links[i].over();
        // A DUT that was reset may come back with another MAC address.
        if (configuration.loopback) continue;
        for (const auto& conflict : bed.neighbors[i]->conflicts()) {
            if (conflict.own || !description.follow_gateway) result.address_conflicts[i].push_back(conflict.text());
        }
    }
    if (learning && bed.ports[0]->queues() > 1) bed.table->recount();
    result.elapsed_s = static_cast<double>(Clock::now() - began) / result.frequency.hz;
    result.reasons = objections(result, description, result.frequency.hz, stop.load());
    return result;
}

}  // namespace xlatperf::trial
