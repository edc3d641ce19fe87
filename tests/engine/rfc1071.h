// The Internet checksum as RFC 1071 §4.1 spells it, over octets in network order: nothing shared with the engine's own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace xlatperf::rfc1071 {

/// The ones' complement sum of 16-bit words in network order; an odd last octet is padded with zero.
inline std::uint16_t sum(const std::vector<std::uint8_t>& octets) {
    std::uint32_t total = 0;
    for (std::size_t i = 0; i < octets.size(); i += 2) {
        const unsigned low = i + 1 < octets.size() ? octets[i + 1] : 0U;
        total += octets[i] * 256U + low;
        if (total > 0xffff) total -= 0xffff;  // the carry comes around
    }
    return static_cast<std::uint16_t>(total);
}

/// The checksum that a header with zero in the checksum field gets.
inline std::uint16_t checksum(const std::vector<std::uint8_t>& octets) {
    return static_cast<std::uint16_t>(0xffff - sum(octets));
}

/// The UDP checksum, as a number, of the IPv4 or IPv6 packet without options in `packet` (RFC 768, RFC 8200 §8.1).
inline std::uint16_t udp_checksum(const std::vector<std::uint8_t>& packet) {
    const bool v4 = packet[0] >> 4 == 4;
    const std::size_t addresses = v4 ? 12 : 8, udp = v4 ? 20 : 40;
    std::vector<std::uint8_t> covered(packet.begin() + static_cast<std::ptrdiff_t>(addresses),
                                      packet.begin() + static_cast<std::ptrdiff_t>(udp));
    const std::size_t length = packet.size() - udp;
    covered.insert(covered.end(), {0, 17, static_cast<std::uint8_t>(length / 256), static_cast<std::uint8_t>(length % 256)});
    covered.insert(covered.end(), packet.begin() + static_cast<std::ptrdiff_t>(udp), packet.end());
    const std::size_t field = udp - addresses + 4 + 6;
    covered[field] = covered[field + 1] = 0;
    const std::uint16_t found = checksum(covered);
    return found == 0 ? 0xffff : found;
}

}  // namespace xlatperf::rfc1071
