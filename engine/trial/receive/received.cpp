#include "trial/receive/received.h"

#include <algorithm>
#include <map>

namespace xlatperf::trial {

namespace {

void add(Received& all, const Receiver::Result& other) {
    for (std::size_t of = 0; of < flow::classes; ++of) all.classes[of].add(other.classes[of]);
    if (all.together) all.together->add(*other.together);
    all.strays.add(other.strays);
    all.fence.add(other.fence);
    all.last_in_time = std::max(all.last_in_time, other.last_in_time);
    if (other.longest_gap.ticks > all.longest_gap.ticks) all.longest_gap = other.longest_gap;
}

}  // namespace

Received join(const std::vector<std::unique_ptr<Receiver>>& receivers, const Arrivals* arrivals, unsigned samples) {
    Received all{receivers[0]->take_result(), {}, {}};
    all.by_queue.push_back(all.strays.received);
    for (std::size_t i = 1; i < receivers.size(); ++i) {
        const auto other = receivers[i]->take_result();
        all.by_queue.push_back(other.strays.received);
        add(all, other);
    }
    for (std::size_t of = 0; arrivals != nullptr && of < flow::classes; ++of)
        all.classes[of].arrived_twice(arrivals->duplicates()[of]);
    std::map<std::string, unsigned> kept;
    for (const auto& receiver : receivers) {
        for (const auto& sample : receiver->samples()) {
            if (kept[sample.reason]++ < samples) all.samples.push_back(sample);
        }
    }
    return all;
}

}  // namespace xlatperf::trial
