// Counter-based pseudorandom numbers: what belongs to a frame follows from its number alone, on both ends.
#pragma once

#include <cstdint>

namespace xlatperf::flow {

/// The output function of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014): a bijection.
constexpr std::uint64_t mix(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

/// 32 random bits spread over [0, count) without division. The bias is at most count / 2^32 (RFC 4814 §3.2: uniform).
constexpr std::uint32_t spread(std::uint32_t random, std::uint32_t count) {
    return static_cast<std::uint32_t>((std::uint64_t{random} * count) >> 32);
}

/// The same of 64 random bits: the bias is at most count / 2^64. `count` is below 2^32.
constexpr std::uint64_t spread64(std::uint64_t random, std::uint64_t count) {
    return ((random >> 32) * count + ((random & 0xffffffff) * count >> 32)) >> 32;
}

}  // namespace xlatperf::flow
