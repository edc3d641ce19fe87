// The Internet checksum (RFC 1071, RFC 1624). Sums are taken over words in memory order, which RFC 1071 §2(B) allows:
// they're byte order independent as long as the result is stored as it was summed.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace xlatperf::wire {

static_assert(std::endian::native == std::endian::little, "sums in memory order are written for little endian");

/// Folds a sum of 16-bit or 32-bit words into 16 bits, ones' complement (RFC 1071 §4.1). Adding a number to itself with its
/// halves exchanged gives, in the upper half, the sum of both halves with the end-around carry. All in 64 bits: loops over arrays
/// of them become vectors of one kind.
constexpr std::uint64_t folded(std::uint64_t sum) {
    const std::uint64_t word = (sum + std::rotl(sum, 32)) >> 32;
    return (word + (word >> 16) + (word << 16)) >> 16 & 0xffff;
}
constexpr std::uint16_t fold(std::uint64_t sum) { return static_cast<std::uint16_t>(folded(sum)); }

/// The sum of `size` bytes as words in memory order; an odd last byte counts as padded with zero. Not folded.
inline std::uint64_t sum_bytes(const std::uint8_t* at, std::size_t size) {
    std::uint64_t sum = 0;
    for (; size >= 4; size -= 4, at += 4) {
        std::uint32_t word;
        std::memcpy(&word, at, 4);
        sum += word;
    }
    if (size >= 2) {
        std::uint16_t word;
        std::memcpy(&word, at, 2);
        sum += word;
        size -= 2;
        at += 2;
    }
    if (size > 0) sum += *at;
    return sum;
}

/// RFC 1624 §3, eqn. 3: ~HC + ~m + m', whose complement is the checksum after words that summed up to `before` became `after`.
constexpr std::uint64_t sum_after(std::uint16_t checksum, std::uint64_t before, std::uint64_t after) {
    return std::uint64_t{static_cast<std::uint16_t>(~checksum)} + static_cast<std::uint16_t>(~fold(before)) + after;
}

/// A 16-bit number in host order as the word that it is in memory when stored in network order.
constexpr std::uint16_t network16(std::uint16_t value) { return static_cast<std::uint16_t>((value << 8) | (value >> 8)); }

/// The UDP checksum field, in memory order, for a sum: RFC 768 sends a computed zero as 0xffff.
constexpr std::uint64_t udp_checksum(std::uint64_t sum) {
    const std::uint64_t field = folded(sum) ^ 0xffff;
    return field == 0 ? 0xffff : field;
}
constexpr std::uint16_t udp_checksum_field(std::uint64_t sum) { return static_cast<std::uint16_t>(udp_checksum(sum)); }

}  // namespace xlatperf::wire
