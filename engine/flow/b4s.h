// The B4s in front of an AFTR (RFC 6333 §5): one in each of many consecutive networks, computed from its number.
#pragma once

#include <cstdint>

#include "wire/address.h"

namespace xlatperf::flow {

struct B4s {
    wire::Ipv6Address first;
    std::uint32_t count = 1;       ///< 1 to `most`
    unsigned network_length = 64;  ///< of the networks: 128 makes the addresses consecutive

    static constexpr std::uint32_t most = 1U << 24;
    static constexpr unsigned shortest_network = 32;

    wire::Ipv6Address address(std::uint32_t i) const { return {first.value + (static_cast<wire::Bits128>(i) << shift())}; }
    bool holds(wire::Ipv6Address address) const {
        const wire::Bits128 distance = address.value - first.value, i = distance >> shift();
        return i < count && i << shift() == distance;
    }
    /// The first address is behind the last one: the address space isn't that large.
    bool wraps() const { return address(count - 1) < first; }

  private:
    unsigned shift() const { return 128 - network_length; }
};

}  // namespace xlatperf::flow
