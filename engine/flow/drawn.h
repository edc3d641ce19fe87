// What the flows of one direction of a trial are drawn with.
#pragma once

#include <cstdint>
#include <optional>

#include "flow/beginnings.h"
#include "flow/connections.h"
#include "flow/direction.h"
#include "flow/port_range.h"
#include "flow/random.h"

namespace xlatperf::flow {

/// Of trials whose frames belong to connections (RFC 9693): which, and when which has a frame.
struct DrawnConnections {
    Connections connections;
    Phase phase;
    ReadOrder read_order = ReadOrder::pseudorandom;
    TrafficMix mix{1, 1};     ///< whose foreground frames they are
    bool one_client = false;  ///< all clients look like the first: nobody translated them
};

struct Drawn {
    std::uint64_t seed;
    Direction direction;
    PortRange source_ports, destination_ports;  ///< of connections, they aren't asked
    std::optional<DrawnConnections> connections{};
    std::optional<Beginnings> beginnings{};  ///< of flows that are counted; none: all begin at once

    /// What flows of hosts are drawn with.
    std::uint64_t key() const { return mix(mix(seed) + index(direction)); }
};

}  // namespace xlatperf::flow
