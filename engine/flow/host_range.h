// The simulated hosts of a side: those with some numbers in each of 1 to 256 consecutive networks (RFC 2544 §12).
#pragma once

#include <cstdint>

#include "wire/address.h"

namespace xlatperf::flow {

inline constexpr std::uint32_t most_networks = 256, most_hosts = 65536;  // the latter in all networks together

template <typename P> struct HostRange {
    P first;                     ///< the first network
    std::uint32_t networks = 1;  ///< 1 to 256 consecutive networks of the same length
    std::uint64_t host = 2;      ///< the first host's number in each network
    std::uint32_t hosts = 1;     ///< so many in each network, with consecutive numbers

    using Address = decltype(first.address);

    P network(std::uint32_t i) const {
        auto value = first.network().value;
        if (first.length > 0) value += static_cast<decltype(value)>(i) << (P::bits - first.length);
        return {Address{value}, first.length};
    }
    std::uint32_t count() const { return networks * hosts; }
    /// Of one of all of them: those of a network after each other.
    Address address(std::uint32_t i) const {
        const auto value = network(i / hosts).address.value;
        return Address{value + static_cast<decltype(value)>(host + i % hosts)};
    }
    bool operator==(const HostRange&) const = default;
};

using Ipv4Hosts = HostRange<wire::Ipv4Prefix>;
using Ipv6Hosts = HostRange<wire::Ipv6Prefix>;

}  // namespace xlatperf::flow
