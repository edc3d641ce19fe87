// What is drawn for a frame.
#pragma once

#include <cstdint>

namespace xlatperf::flow {

/// Indices of the networks of both ends, and the ports, as the sender writes them. A subscriber has no network: the index is
/// which address of its IPv4 prefix it is. A host behind a B4 has the number that it has there.
struct Flow {
    std::uint32_t source_network = 0, destination_network = 0;
    std::uint16_t source_port = 0, destination_port = 0;
    std::uint32_t gateway = 0;  ///< the B4 that a client is behind; the index of the second subscriber, where both ends are one
    std::uint64_t key = 0;      ///< the number of its connection in stateful tests; who is the subscriber (packed) in others
};

}  // namespace xlatperf::flow
