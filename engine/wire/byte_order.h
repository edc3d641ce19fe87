// Bytes of the network's order. No DPDK, no state.
#pragma once

#include <cstdint>
#include <cstring>

namespace xlatperf::wire {

inline std::uint16_t load16(const std::uint8_t* at) { return static_cast<std::uint16_t>((at[0] << 8) | at[1]); }
inline std::uint32_t load32(const std::uint8_t* at) { return (std::uint32_t{load16(at)} << 16) | load16(at + 2); }
inline std::uint64_t load48(const std::uint8_t* at) { return (std::uint64_t{load16(at)} << 32) | load32(at + 2); }
inline void store16(std::uint8_t* at, std::uint16_t value) {
    at[0] = static_cast<std::uint8_t>(value >> 8);
    at[1] = static_cast<std::uint8_t>(value);
}
inline void store32(std::uint8_t* at, std::uint32_t value) {
    store16(at, static_cast<std::uint16_t>(value >> 16));
    store16(at + 2, static_cast<std::uint16_t>(value));
}

}  // namespace xlatperf::wire
