// The flows of a burst of frames that belong to connections.
#pragma once

#include "flow/burst.h"
#include "flow/enumeration.h"

namespace xlatperf::flow {

/// The same as `flows` says of each. `sequences` can be read up to `whole_vectors(n)`.
void draw(const ConnectionFlows& flows, const std::uint64_t* sequences, unsigned n, FlowBurst& found);

}  // namespace xlatperf::flow
