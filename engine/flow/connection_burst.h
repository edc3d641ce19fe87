// The flows of a burst of frames that belong to connections.
#pragma once

#include "flow/burst.h"
#include "flow/connection_flows.h"
#include "flow/digits.h"

namespace xlatperf::flow {

class ConnectionBurst {
  public:
    /// The flows outlive it.
    explicit ConnectionBurst(const ConnectionFlows& flows);

    /// The connections of frames. `sequences` can be read, and they can be written, up to `whole_vectors(n)`.
    void connections(const std::uint64_t* sequences, unsigned n, std::uint64_t* found) const;

    /// What follows from `found.connection`: with it, the same as the flows say of each.
    void draw(unsigned n, FlowBurst& found) const;

    /// What a four tuple's number is made of.
    struct Fixed {
        Digit client_ports, server_ports, clients, behind_each_b4;
        std::uint64_t first_client_port, first_server_port;
        unsigned client_shift, server_shift;  // of ports in memory
    };

  private:
    const ConnectionFlows* flows_;
    Fixed fixed_;
};

}  // namespace xlatperf::flow
