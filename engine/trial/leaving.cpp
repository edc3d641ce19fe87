#include "trial/leaving.h"

#include <algorithm>
#include <limits>

namespace xlatperf::trial {

namespace {
constexpr double patience_s = 0.1;  // whoever takes no frame for so long takes no more
}

Leaving::Leaving(const Bed& bed, const Roles& roles, const Result& result, Shared& shared, double ticks_per_second)
    : bed_(bed),
      roles_(roles),
      result_(result),
      shared_(shared),
      most_ticks_(static_cast<std::uint64_t>(most_s * ticks_per_second)) {
    for (const auto direction : flow::both_directions) {
        if (!result.streams[flow::index(direction)]) continue;
        const port::Port& port = *bed.ports[flow::index(flow::sender(direction))];
        if (const auto gone = port.gone()) {
            on_the_way_[flow::index(direction)].emplace(*gone, port.waiting(*gone),
                                                        static_cast<std::uint64_t>(patience_s * ticks_per_second));
            shared.leaving = true;
        }
    }
}

void Leaving::look() {
    const bool sending = shared_.senders_left.load(std::memory_order_acquire) > 0;
    if (!sending) {
        for (const port::Port* port : bed_.ports) port->push();
    }
    bool some = false;
    for (const auto direction : flow::both_directions) {
        if (on_the_way_[flow::index(direction)]) some |= look(direction);
    }
    if (sending) return;
    const std::uint64_t now = Clock::now();
    const bool leaving = some && now < shared_.last_departure + most_ticks_;
    if (shared_.leaving && !leaving) shared_.all_left = now;
    shared_.leaving = leaving;
}

// Whether some may still leave.
bool Leaving::look(flow::Direction direction) {
    const port::Port& port = *bed_.ports[flow::index(flow::sender(direction))];
    std::uint64_t next = result_.streams[flow::index(direction)]->frames, given_up = 0;
    for (const auto& sender : roles_.senders[flow::index(direction)]) {
        given_up += sender->given_up();
        next = std::min(next, sender->next_number());
    }
    OnTheWay& on_the_way = *on_the_way_[flow::index(direction)];
    const std::uint64_t now = Clock::now();
    if (const auto gone = port.gone()) on_the_way.saw(now, std::max(next, given_up), given_up, *gone, *result_.schedule);
    return on_the_way.leaving(now);
}

std::uint64_t Leaving::longest_ticks(flow::Direction direction) const {
    const auto& one = on_the_way_[flow::index(direction)];
    return one ? one->longest_ticks() : 0;
}

}  // namespace xlatperf::trial
