// Consecutive addresses, or every so many: the hosts of stateful tests (RFC 9693 §3.2).
#pragma once

#include <cstdint>

#include "wire/address.h"

namespace xlatperf::flow {

inline constexpr std::uint32_t most_addresses = 65536;

template <typename A> struct AddressRange {
    A first;
    std::uint32_t addresses = 1;  ///< 1 to 65536
    std::uint64_t step = 1;       ///< 65536 varies bits 96 to 111 of an IPv6 address, as RFC 9693 §3.2 does

    A address(std::uint32_t i) const {
        using Number = decltype(first.value);
        return A{static_cast<Number>(first.value + static_cast<Number>(i) * static_cast<Number>(step))};
    }
    A last() const { return address(addresses - 1); }
    bool operator==(const AddressRange&) const = default;
};

using Ipv4Range = AddressRange<wire::Ipv4Address>;
using Ipv6Range = AddressRange<wire::Ipv6Address>;

}  // namespace xlatperf::flow
