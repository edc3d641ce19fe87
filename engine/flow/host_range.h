// The simulated hosts of a side: one host in each of 1 to 256 consecutive networks (RFC 2544 §12).
#pragma once

#include <cstdint>

#include "wire/address.h"

namespace xlatperf::flow {

inline constexpr std::uint32_t most_networks = 256;

template <typename P> struct HostRange {
    P first;                     ///< the first network
    std::uint32_t networks = 1;  ///< 1 to 256 consecutive networks of the same length
    std::uint64_t host = 2;      ///< the host's number in each network

    using Address = decltype(first.address);

    P network(std::uint32_t i) const {
        auto value = first.network().value;
        if (first.length > 0) value += static_cast<decltype(value)>(i) << (P::bits - first.length);
        return {Address{value}, first.length};
    }
    Address address(std::uint32_t i) const {
        const auto value = network(i).address.value;
        return Address{value + static_cast<decltype(value)>(host)};
    }
    bool operator==(const HostRange&) const = default;
};

using Ipv4Hosts = HostRange<wire::Ipv4Prefix>;
using Ipv6Hosts = HostRange<wire::Ipv6Prefix>;

}  // namespace xlatperf::flow
