// A keyed permutation of [0, size): all numbers in a pseudorandom order, each once, without a table. RFC 9693 §4.4 wants such an
// enumeration of four tuples, and shuffles a table of them; this takes constant memory and no time to start.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "flow/random.h"

namespace xlatperf::flow {

/// Modulo the next power of two, multiplication by an odd number, addition of a key, and a number xored with its own upper half
/// are bijections, and so is their sequence (as in the finalizer of MurmurHash3, Appleby 2011); with cycle walking (Black,
/// Rogaway: Ciphers with arbitrary finite domains, 2002) for the numbers between: less than two passes on average.
class Permutation {
  public:
    static constexpr unsigned most_bits = 48;

    /// `size`: 1 to 2^48.
    Permutation(std::uint64_t size, std::uint64_t key) : size_(size) {
        const auto bits = static_cast<unsigned>(std::bit_width(size - 1));
        mask_ = (std::uint64_t{1} << bits) - 1;
        shift_ = (bits + 1) / 2;
        for (std::size_t i = 0; i < rounds; ++i) {
            factors_[i] = constants[i] >> (64 - std::max(bits, 3U)) | 1;
            keys_[i] = key = mix(key);
        }
    }

    std::uint64_t size() const { return size_; }

    std::uint64_t operator()(std::uint64_t number) const {
        do number = pass(number);
        while (number >= size_);
        return number;
    }

    /// A permutation up to the next power of two: what is `size()` or more has to pass again. `Number` has `bits()` at least.
    template <typename Number = std::uint64_t> Number pass(Number number) const {
        for (std::size_t i = 0; i < rounds; ++i) {
            number = (number * static_cast<Number>(factors_[i]) + static_cast<Number>(keys_[i])) & static_cast<Number>(mask_);
            number ^= number >> shift_;
        }
        return number;
    }
    unsigned bits() const { return static_cast<unsigned>(std::bit_width(mask_)); }
    /// Whether one pass is enough.
    bool passes_once() const { return size_ == mask_ + 1; }

  private:
    /// With three, or with factors drawn instead of these, the order of a few thousand numbers is visibly not random for some
    /// keys.
    static constexpr std::size_t rounds = 4;
    /// Those of `mix` and of similar functions, of which the upper bits are used.
    static constexpr std::array<std::uint64_t, rounds> constants = {0x9e3779b97f4a7c15, 0xd6e8feb86659fd93, 0xbf58476d1ce4e5b9,
                                                                    0x94d049bb133111eb};

    std::uint64_t size_, mask_;
    unsigned shift_;
    std::array<std::uint64_t, rounds> factors_, keys_;
};

}  // namespace xlatperf::flow
