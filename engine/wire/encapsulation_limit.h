// The tunnel encapsulation limit option (RFC 2473 §4.1.1, §5.1): a destination options header of 8 bytes between the outer
// header and the packet.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "wire/headers.h"

namespace xlatperf::wire::encapsulation_limit {

inline constexpr std::size_t size = 8;                               ///< bytes, of the whole header
inline constexpr std::size_t limit = 4;                              ///< offset
inline constexpr std::uint8_t pad1 = 0, pad_n = 1, option_type = 4;  ///< RFC 8200 §4.2, RFC 2473 §4.1.1

/// As RFC 2473 §4.1.1 draws it, padded by PadN; `next`: the protocol of the packet behind.
inline void store(std::uint8_t* at, std::uint8_t next, std::uint8_t value) {
    const std::array<std::uint8_t, size> header = {next, 0, option_type, 1, value, pad_n, 1, 0};
    std::memcpy(at, header.data(), size);
}

/// The option, padded to 8 bytes by PadN or by Pad1 three times, in front of a packet.
inline bool is_one(const std::uint8_t* at) {
    const bool tunnels = at[0] == protocol::ipv4_in_ip || at[0] == protocol::ipv6_in_ip;
    const bool option = at[1] == 0 && at[2] == option_type && at[3] == 1;
    const bool padded_by_n = at[5] == pad_n && at[6] == 1;
    const bool padded_by_1 = at[5] == pad1 && at[6] == pad1 && at[7] == pad1;
    return tunnels && option && (padded_by_n || padded_by_1);
}

}  // namespace xlatperf::wire::encapsulation_limit
