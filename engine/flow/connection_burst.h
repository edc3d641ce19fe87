// The flows of a burst of frames that belong to connections.
#pragma once

#include "flow/burst.h"
#include "flow/connection_flows.h"
#include "flow/tuple_burst.h"

namespace xlatperf::flow {

class ConnectionBurst {
  public:
    /// The flows outlive it.
    explicit ConnectionBurst(const ConnectionFlows& flows);

    /// The connections of frames. `sequences` can be read, and they can be written, up to `whole_vectors(n)`.
    void connections(const std::uint64_t* sequences, unsigned n, std::uint64_t* found) const;

    /// What follows from `found.connection`: with it, the same as the flows say of each.
    void draw(unsigned n, FlowBurst& found) const;

  private:
    const ConnectionFlows* flows_;
    TupleDigits tuples_;
    Digit behind_each_b4_;
};

}  // namespace xlatperf::flow
