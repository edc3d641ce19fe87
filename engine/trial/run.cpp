#include "trial/run.h"

#include <rte_launch.h>
#include <time.h>

#include <algorithm>
#include <functional>

#include "trial/verdict.h"
#include "trial/worker.h"

namespace xlatperf::trial {

namespace {

constexpr double lead_s = 0.005;  // from launching the workers to frame 0
constexpr double give_up_s = 5;   // beyond everything that a trial may take

void pause_ms(long ms) {
    const timespec pause{0, ms * 1'000'000};
    nanosleep(&pause, nullptr);
}

// Two readings, far enough apart that their own width matters little.
std::optional<NicClock> measure_nic_clock(const port::Port& port) {
    const auto read = [&]() -> std::optional<ClockPair> {
        const std::uint64_t before = Clock::now();
        const auto nic = port::read_nic_clock(port.id());
        const std::uint64_t after = Clock::now();
        if (!nic) return {};
        return ClockPair{before + (after - before) / 2, *nic};
    };
    const auto earlier = read();
    pause_ms(20);
    const auto later = read();
    if (!earlier || !later || later->nic == earlier->nic) return {};
    return NicClock(*earlier, *later);
}

// NICs that send at a given time want frames ahead of it, but not more than fit into the queue.
double nic_lead_s(const Description& description) { return std::min(1e-3, 512 / description.fastest_fps()); }

void use_nic_time(const Bed& bed, const Description& description, std::array<std::unique_ptr<Sender>, 2>& senders,
                  std::array<std::unique_ptr<Receiver>, 2>& receivers, const Configuration& configuration, double hz) {
    for (const auto side : flow::both_sides) {
        const port::Port& port = *bed.ports[flow::index(side)];
        auto& sender = senders[flow::index(flow::sent_from(side))];
        if (port.time().pacing == port::NicPacing::queue_rate_limit) {
            const auto mbps = port::queue_rate_mbps(description.fastest_fps(),
                                                    frame_size(configuration, description, side, flow::Class::foreground));
            if (!mbps || !port::limit_queue_rate(port.id(), *mbps))
                throw port::PortError(port.facts().name + ": the queue's rate can't be set");
        }
        if (!port.send_time() && !port.arrival_time()) continue;
        const auto clock = measure_nic_clock(port);
        if (!clock) throw port::PortError(port.facts().name + ": the NIC's clock can't be read");
        if (port.send_time() && sender) sender->send_by_nic(*port.send_time(), *clock, nic_lead_s(description), hz);
        if (port.arrival_time()) receivers[flow::index(side)]->stamped_by_nic(*port.arrival_time(), *clock);
    }
}

// A DUT that is restarted makes its ends of the memifs anew; who connects to it has to do it again.
class Connector {
  public:
    Connector(const Bed& bed, Shared& shared) : bed_(bed), shared_(shared) {}

    /// Called every few milliseconds while the trial runs.
    void look() {
        if (++calls_ % 4 != 0) return;
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
            const auto running = std::count_if(bed_.workers.begin(), bed_.workers.end(),
                                               [](unsigned lcore) { return rte_eal_get_lcore_state(lcore) == RUNNING; });
            if (shared_.holding >= static_cast<unsigned>(running)) return true;
            pause_ms(1);
        }
        return false;
    }

    const Bed& bed_;
    Shared& shared_;
    unsigned calls_ = 0;
};

}  // namespace

Result run_trial(const Bed& bed, const Configuration& configuration, const Description& description, const LinkLayer& link_layer,
                 std::atomic<bool>& stop, const std::function<void()>& while_running) {
    const double hz = bed.clock->measure().hz;
    const std::uint64_t began = Clock::now();
    Result result;
    result.counter_difference_ns = bed.counter_difference_ns;
    auto& streams = result.streams;
    result.schedule = std::make_unique<Schedule>(make_schedule(description, hz));
    Schedule& schedule = *result.schedule;
    const auto division = make_division(description);
    std::array<std::unique_ptr<Sender>, 2> senders;
    for (const auto direction : flow::both_directions) {
        const auto i = flow::index(direction);
        if (!description.directions[i]) continue;
        streams[i] = std::make_unique<const frame::Stream>(make_stream(configuration, description, link_layer, direction));
        const port::Port& port = *bed.ports[flow::index(flow::sender(direction))];
        for (std::size_t of = 0; of < flow::classes; ++of) {
            if (streams[i]->sent[of]) fill_buffers(port.pool(of), *streams[i]->sent[of]);
        }
        senders[i] = std::make_unique<Sender>(port, *streams[i], schedule, description.pacing, description.duration_s(),
                                              description.fastest_fps(), hz);
        if (division) senders[i]->divide(*division);
        if (bed.table != nullptr && streams[i]->learnt_destination) senders[i]->send_to_learnt(*bed.table);
    }
    for (const auto side : flow::both_sides) {
        const auto arriving =
            std::find_if(streams.begin(), streams.end(), [&](const auto& one) { return one && one->arrives == side; });
        const frame::Stream* stream = arriving == streams.end() ? nullptr : arriving->get();
        result.receivers[flow::index(side)] = std::make_unique<Receiver>(
            *bed.ports[flow::index(side)], side, *bed.neighbors[flow::index(side)], stream, schedule, description, hz);
        if (division && stream != nullptr) result.receivers[flow::index(side)]->divide(*division);
        if (bed.table != nullptr && stream != nullptr && stream->direction == flow::Direction::forward)
            result.receivers[flow::index(side)]->learn_into(*bed.table);
        if (description.follow_gateway && stream != nullptr) {
            const auto from = flow::index(flow::sender(stream->direction));
            const Inquiry inquiry(description.slowest_fps(), hz);
            result.receivers[flow::index(side)]->inquire_at(*bed.ports[from], *bed.neighbors[from], inquiry);
            senders[flow::index(stream->direction)]->follow(*bed.neighbors[from]);
        }
        bed.ports[flow::index(side)]->take_counters();
    }

    use_nic_time(bed, description, senders, result.receivers, configuration, hz);

    Shared shared;
    shared.stop = &stop;
    shared.timeout_ticks = static_cast<std::uint64_t>(description.timeout_s * hz);
    shared.yield = bed.yield;
    shared.yield_margin_ticks = static_cast<std::uint64_t>(20e-6 * hz);
    std::vector<Worker> workers(bed.workers.size());
    for (auto& worker : workers) worker.shared = &shared;
    // Roles in turn: sender and receiver of a port stay together if there are two workers.
    std::size_t role = 0;
    const auto next = [&]() -> Worker& { return workers[role++ % workers.size()]; };
    for (const auto side : flow::both_sides) {
        Worker& worker = workers.size() == 2 ? workers[flow::index(side)] : next();
        const auto& sender = senders[flow::index(flow::sent_from(side))];
        if (sender) {
            worker.senders.push_back(sender.get());
            ++shared.senders_left;
        }
        worker.outboxes.push_back(bed.ports[flow::index(side)]);
        Worker& receiving = workers.size() == 2 ? worker : next();
        receiving.receivers.push_back(result.receivers[flow::index(side)].get());
    }

    const std::uint64_t start = Clock::now() + static_cast<std::uint64_t>(lead_s * hz);
    shared.hard_deadline =
        start + static_cast<std::uint64_t>(
                    (description.duration_s() * (1 + description.pacing.overrun) + description.timeout_s + give_up_s) * hz);
    schedule.start_at(start);
    for (auto& sender : senders) {
        if (sender) sender->start();
    }
    for (std::size_t i = 0; i < workers.size(); ++i) rte_eal_remote_launch(run_worker, &workers[i], bed.workers[i]);
    const auto running = [&] {
        return std::any_of(bed.workers.begin(), bed.workers.end(),
                           [](unsigned lcore) { return rte_eal_get_lcore_state(lcore) == RUNNING; });
    };
    std::array<bool, 2> always_up = {true, true};
    Connector connector(bed, shared);
    while (running()) {
        while_running();
        for (const auto side : flow::both_sides) always_up[flow::index(side)] &= bed.ports[flow::index(side)]->link().up;
        for (const auto& receiver : result.receivers) {
            if (auto* intervals = receiver->intervals()) intervals->look();
        }
        connector.look();
        if (Clock::now() > shared.hard_deadline + static_cast<std::uint64_t>(give_up_s * hz)) {
            throw Stuck("a worker does not come back from the driver of " + bed.ports[0]->facts().name + " or " +
                        bed.ports[1]->facts().name + ": the engine ends");
        }
        pause_ms(5);
    }
    for (const unsigned lcore : bed.workers) rte_eal_wait_lcore(lcore);

    result.frequency = bed.clock->measure();
    for (const auto direction : flow::both_directions) {
        const auto i = flow::index(direction);
        if (!senders[i]) continue;
        DirectionResult one;
        one.departure = senders[i]->departure();
        one.intended = streams[i]->frames;
        one.sent[0] = streams[i]->mix.foreground_below(one.departure.sent);
        one.sent[1] = one.departure.sent - one.sent[0];
        // The last frame's own interval belongs to the time of sending.
        if (one.departure.sent > 0) {
            one.sending_s = static_cast<double>(one.departure.last_departure_ticks - start) / result.frequency.hz +
                            1 / description.rates.back().rate_fps;
        }
        one.departures_by_nic = bed.ports[flow::index(flow::sender(direction))]->send_time().has_value();
        const flow::Side arrives = streams[i]->arrives;
        one.arrivals_by_nic = bed.ports[flow::index(arrives)]->arrival_time().has_value();
        one.sent_frame_size = frame_size(configuration, description, flow::sender(direction), flow::Class::foreground);
        one.received_frame_size = frame_size(configuration, description, arrives, flow::Class::foreground);
        auto& receiver = *result.receivers[flow::index(arrives)];
        receiver.finish(one.departure.sent);
        one.stalls = senders[i]->stalls().count();
        one.lost_after_stall = senders[i]->stalls().within(receiver.window().ranges());
        result.directions[i] = std::move(one);
    }
    for (const auto side : flow::both_sides) {
        result.counters[flow::index(side)] = bed.ports[flow::index(side)]->take_counters();
        result.link_up[flow::index(side)] = always_up[flow::index(side)] && bed.ports[flow::index(side)]->link().up;
    }
    result.elapsed_s = static_cast<double>(Clock::now() - began) / result.frequency.hz;
    result.reasons = judge(result, description, result.frequency.hz, stop.load());
    return result;
}

}  // namespace xlatperf::trial
