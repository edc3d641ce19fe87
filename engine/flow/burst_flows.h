// The flows of bursts of a stream, each kind in its own way.
#pragma once

#include <variant>

#include "flow/connection_burst.h"
#include "flow/enumeration.h"
#include "flow/subscriber_burst.h"

namespace xlatperf::flow {

class BurstFlows {
  public:
    /// The enumeration outlives it.
    explicit BurstFlows(const Enumeration& flows);

    /// Of the frames with these numbers, the same as the enumeration says of each. `sequences` can be read up to
    /// `whole_vectors(n)`.
    void draw(const std::uint64_t* sequences, unsigned n, FlowBurst& found) const;

    /// The same in two steps, of flows that have connections: these, which can be written up to `whole_vectors(n)`,
    void connections(const std::uint64_t* sequences, unsigned n, std::uint64_t* found) const;
    /// and what follows from `found.connection`.
    void draw_connected(unsigned n, FlowBurst& found) const;

    /// Nothing: one by one.
    using Way = std::variant<std::monostate, Drawing, CountedFlows, ConnectionBurst, SubscriberBurst>;

  private:
    const Enumeration& flows_;
    Way way_;
};

}  // namespace xlatperf::flow
