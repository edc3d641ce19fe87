#include "trial/roles.h"

#include <time.h>

#include <algorithm>

#include "technology/translated.h"

namespace xlatperf::trial {

namespace {

constexpr double remembered_s = 0.5;  // beyond the timeout, behind which nobody waits for a frame
constexpr std::uint64_t remembered_at_least = 1U << 22, remembered_at_most = 1U << 29;  // 64 MB for a receiver

std::uint64_t remembered_numbers(const Description& description) {
    const double numbers = description.fastest_fps() * (description.timeout_s + description.settle_s + remembered_s);
    return std::clamp(static_cast<std::uint64_t>(numbers), remembered_at_least, remembered_at_most);
}

// Two readings, so far apart that their own width matters little: their line goes on for the whole trial.
std::optional<NicClock> measure_nic_clock(const port::Port& port, double duration_s, double hz) {
    const double least_apart_s = std::clamp(duration_s, 0.02, 2.0);  // mostly the port has been open for longer
    const auto earlier = port.first_clocks();
    if (!earlier) return {};
    while (static_cast<double>(Clock::now() - earlier->ticks) < least_apart_s * hz) {
        const timespec pause{0, 1'000'000};
        nanosleep(&pause, nullptr);
    }
    const auto later = port.read_clocks();
    if (!later || later->nic == earlier->nic) return {};
    return NicClock(*earlier, *later);
}

// NICs that send at a given time want frames ahead of it, but not more than fit into the queue.
double nic_lead_s(const Description& description) { return std::min(1e-3, 512 / description.fastest_fps()); }

void use_nic_time(const port::Port& port, flow::Side side, const Configuration& configuration, const Description& description,
                  double hz, Roles& roles) {
    if (port.time().pacing == port::NicPacing::queue_rate_limit) {
        const auto of = configuration.told_class();
        const double size = mean_frame_size(configuration, description, flow::sent_from(side), side, of) +
                            static_cast<double>(encapsulation_limit(configuration, side, of));
        const auto mbps = port::queue_rate_mbps(description.fastest_fps() / port.queues(), size);
        for (unsigned queue = 0; queue < port.queues(); ++queue) {
            if (!mbps || !port::limit_queue_rate(port.id(), queue, *mbps))
                throw port::PortError(port.facts().name + ": the queue's rate can't be set");
        }
    }
    if (!port.send_time() && !port.arrival_time()) return;
    const auto clock = measure_nic_clock(port, description.duration_s(), hz);
    if (!clock) throw port::PortError(port.facts().name + ": the NIC's clock can't be read");
    for (auto& sender : roles.senders[flow::index(flow::sent_from(side))]) {
        if (port.send_time()) sender->send_by_nic(*port.send_time(), *clock, nic_lead_s(description), hz);
    }
    for (auto& receiver : roles.receivers[flow::index(side)]) {
        if (port.arrival_time()) receiver->stamped_by_nic(*port.arrival_time(), *clock);
    }
}

void add_senders(const Bed& bed, const Description& description, double hz, flow::Direction direction, const Result& result,
                 Roles& roles) {
    const frame::Stream& stream = *result.streams[flow::index(direction)];
    const auto from = flow::index(flow::sender(direction));
    const port::Port& port = *bed.ports[from];
    const auto division = make_division(description);
    for (unsigned queue = 0; queue < port.queues(); ++queue) {
        fill_buffers(port, queue, stream);
        auto& sender = *roles.senders[flow::index(direction)].emplace_back(
            std::make_unique<Sender>(port, stream, *result.schedule, Share{queue, port.queues()}, description.pacing,
                                     description.duration_s(), description.fastest_fps(), hz));
        if (division) sender.divide(*division);
        if (bed.table != nullptr && stream.learnt_destination) sender.send_to_learnt(*bed.table);
        if (description.follow_gateway) sender.follow(*bed.neighbors[from]);
    }
}

void add_receivers(const Bed& bed, const Description& description, double hz, flow::Side side, Result& result, Roles& roles) {
    const port::Port& port = *bed.ports[flow::index(side)];
    Arriving arriving{nullptr, nullptr, *result.schedule, 1};
    if (const auto direction = result.arriving_on(side)) {
        const auto& stream = result.streams[flow::index(*direction)];
        arriving.stream = stream.get();
        arriving.senders = bed.ports[flow::index(flow::sender(*direction))]->queues();
        auto& arrivals = result.arrivals[flow::index(*direction)];
        arrivals = std::make_unique<Arrivals>(stream->frames, remembered_numbers(description), port.queues(), stream->mix);
        if (const auto division = make_division(description)) arrivals->divide(*division);
        if (description.delay_variation)
            arrivals->remember_delays({stream->expected[0].has_value(), stream->expected[1].has_value()});
        arriving.arrivals = arrivals.get();
        if (stream->reassembles) {
            auto& reassembly = roles.reassemblies[flow::index(side)];
            const bool may_set_df = stream->arriving[0].dont_fragment.rule == technology::Rule::if_large;
            const double most_s = frame::identifications / 2.0 / description.fastest_fps();
            reassembly = std::make_unique<frame::Reassembly>(may_set_df ? technology::largest_fragmentable : 0,
                                                             static_cast<std::uint64_t>(most_s * hz));
            arriving.reassembly = reassembly.get();
        }
    }
    for (unsigned queue = 0; queue < port.queues(); ++queue) {
        auto& receiver = *roles.receivers[flow::index(side)].emplace_back(
            std::make_unique<Receiver>(port, queue, side, *bed.neighbors[flow::index(side)], arriving, description, hz));
        if (arriving.stream == nullptr) continue;
        // A ring of half the size lasts each side as long as this one lasts both.
        if (const unsigned ring = port.facts().receive_ring / (port.shared() ? 2 : 1);
            ring > 0 && !port.facts().receive_drops_known) {
            receiver.watch({Overflow(ring, description.fastest_fps(), hz), *result.schedule,
                            roles.senders[flow::index(arriving.stream->direction)], arriving.arrivals->last()});
        }
        if (bed.table != nullptr && arriving.stream->direction == flow::Direction::forward) receiver.learn_into(*bed.table);
        if (description.follow_gateway && queue == 0) {
            const auto from = flow::index(flow::sender(arriving.stream->direction));
            receiver.inquire_at(*bed.ports[from], *bed.neighbors[from], Inquiry(description.slowest_fps(), hz));
        }
    }
}

}  // namespace

Roles make_roles(const Bed& bed, const Configuration& configuration, const Description& description, double hz, Result& result) {
    Roles roles;
    for (const auto direction : flow::both_directions) {
        if (result.streams[flow::index(direction)]) add_senders(bed, description, hz, direction, result, roles);
    }
    for (const auto side : flow::both_sides) add_receivers(bed, description, hz, side, result, roles);
    for (const auto side : flow::both_sides)
        use_nic_time(*bed.ports[flow::index(side)], side, configuration, description, hz, roles);
    return roles;
}

std::vector<Turn> turns(std::size_t workers, unsigned queues) {
    const bool together = workers <= 2 * std::size_t{queues};
    std::vector<Turn> found;
    std::size_t turn = 0;
    for (unsigned queue = 0; queue < queues; ++queue) {
        for (const auto side : flow::both_sides) {
            found.push_back({turn % workers, side, queue, true});
            turn += together ? 0 : 1;
            found.push_back({turn % workers, side, queue, false});
            ++turn;
        }
    }
    return found;
}

std::vector<Worker> share_out(const Roles& roles, const Bed& bed) {
    std::vector<Worker> workers(bed.workers.size());
    for (const auto& turn : turns(workers.size(), bed.ports[0]->queues())) {
        Worker& worker = workers[turn.worker];
        if (!turn.sends) {
            worker.receivers.push_back(roles.receivers[flow::index(turn.side)][turn.queue].get());
            continue;
        }
        const auto& senders = roles.senders[flow::index(flow::sent_from(turn.side))];
        if (!senders.empty()) worker.senders.push_back(senders[turn.queue].get());
        if (turn.queue == 0) worker.outboxes.push_back(bed.ports[flow::index(turn.side)]);
    }
    return workers;
}

}  // namespace xlatperf::trial
