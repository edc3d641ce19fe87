// A keyed permutation of [0, size): all numbers in a pseudorandom order, each once, without a table. RFC 9693 §4.4 wants such an
// enumeration of four tuples, and shuffles a table of them; this takes constant memory and no time to start.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "flow/random.h"

namespace xlatperf::flow {

/// A Feistel network on the next power of two (Luby, Rackoff 1988), with cycle walking (Black, Rogaway: Ciphers with arbitrary
/// finite domains, 2002): less than two passes on average.
class Permutation {
  public:
    static constexpr unsigned most_bits = 44;

    /// `size`: 1 to 2^44.
    Permutation(std::uint64_t size, std::uint64_t key) : size_(size) {
        const unsigned bits = std::max(2U, static_cast<unsigned>(std::bit_width(size - 1)));
        low_bits_ = bits / 2;
        low_mask_ = (std::uint64_t{1} << low_bits_) - 1;
        high_mask_ = (std::uint64_t{1} << (bits - low_bits_)) - 1;
        for (auto& round_key : keys_) round_key = key = mix(key);
    }

    std::uint64_t size() const { return size_; }

    std::uint64_t operator()(std::uint64_t number) const {
        do {
            number = once(number);
        } while (number >= size_);
        return number;
    }

  private:
    static std::uint64_t scramble(std::uint64_t half, std::uint64_t key) {
        // With one multiplication the order of whole permutations of 10^6 is visibly not random (chi-square).
        std::uint64_t product = (half + key) * 0x9e3779b97f4a7c15ULL;
        product = (product ^ (product >> 32)) * 0xd6e8feb86659fd93ULL;
        return product >> 32;
    }

    std::uint64_t once(std::uint64_t number) const {
        std::uint64_t low = number & low_mask_, high = number >> low_bits_;
        for (std::size_t i = 0; i < keys_.size(); i += 2) {
            high ^= scramble(low, keys_[i]) & high_mask_;
            low ^= scramble(high, keys_[i + 1]) & low_mask_;
        }
        return high << low_bits_ | low;
    }

    std::uint64_t size_;
    unsigned low_bits_;
    std::uint64_t low_mask_, high_mask_;
    std::array<std::uint64_t, 4> keys_;
};

}  // namespace xlatperf::flow
