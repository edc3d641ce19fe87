// An address with a port: what connections are between (RFC 4787 §2).
#pragma once

#include <cstdint>

#include "wire/address.h"

namespace xlatperf::reference {

/// The address of either family; which one is known from where it's used.
struct Endpoint {
    wire::Bits128 address = 0;
    std::uint16_t port = 0;
    bool operator==(const Endpoint&) const = default;
};

/// Mixes all bits (the finalizer of splitmix64).
constexpr std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

constexpr std::uint64_t hash_of(const Endpoint& a, std::uint64_t more = 0) {
    const auto low = static_cast<std::uint64_t>(a.address), high = static_cast<std::uint64_t>(a.address >> 64);
    return mixed(mixed(mixed(more + a.port) ^ low) + high);
}

}  // namespace xlatperf::reference
