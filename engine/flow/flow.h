// What is drawn for a frame.
#pragma once

#include <cstdint>

namespace xlatperf::flow {

/// Indices of the hosts of both ends, and the ports, as the sender writes them. Of a subscriber the index is which address of
/// its IPv4 prefix it is. A host behind a B4 has the number that it has there.
struct Flow {
    std::uint32_t source_host = 0, destination_host = 0;
    std::uint16_t source_port = 0, destination_port = 0;
    // Of flows that have them.
    std::uint64_t connection = 0;     ///< its number (RFC 9693)
    std::uint32_t b4 = 0;             ///< that the client is behind (RFC 6333)
    std::uint64_t subscriber = 0;     ///< packed; of two, the one that it comes from
    std::uint32_t to_subscriber = 0;  ///< the index of the second one (RFC 7596 §6.2)
};

}  // namespace xlatperf::flow
