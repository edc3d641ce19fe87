// What arrived on a side, at all of its receivers.
#pragma once

#include <memory>
#include <vector>

#include "trial/receive/receiver.h"

namespace xlatperf::trial {

struct Received : Receiver::Result {
    std::vector<Sample> samples;
    std::vector<std::uint64_t> by_queue;  ///< all frames that arrived at each
};

/// Takes what `receivers` of a side have counted; there is at least one, and nothing arrives any more. `arrivals` is theirs, null
/// where nothing was sent to this side. `samples` of each kind are kept.
Received join(const std::vector<std::unique_ptr<Receiver>>& receivers, const Arrivals* arrivals, unsigned samples);

}  // namespace xlatperf::trial
