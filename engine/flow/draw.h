// Numbers of so many bits in a pseudorandom order, each once: as a Permutation of a power of two, in a quarter of the time.
#pragma once

#include <array>
#include <cstdint>

#include "flow/random.h"

namespace xlatperf::flow {

/// Multiplication by an odd number and a number xored with its own upper half are bijections modulo 2^bits, so their sequence is
/// one (Appleby: MurmurHash3's finalizer, 2011, for 32 and 64 bits). Which one follows from the key.
class Draw {
  public:
    /// `bits`: 0 to 63.
    Draw(unsigned bits, std::uint64_t key) : mask_((std::uint64_t{1} << bits) - 1), shift_((bits + 1) / 2), offset_(mix(key)) {
        for (auto& factor : factors_) factor = (key = mix(key + 1)) | 1;
    }

    /// `number`: at most the mask.
    std::uint64_t operator()(std::uint64_t number) const {
        number = (number + offset_) & mask_;
        for (const std::uint64_t factor : factors_) {
            number = (number * factor) & mask_;
            number ^= number >> shift_;
        }
        return number;
    }

  private:
    std::uint64_t mask_;
    unsigned shift_;
    std::uint64_t offset_;
    std::array<std::uint64_t, 3> factors_;
};

}  // namespace xlatperf::flow
