// n % d without division, for a divisor that is fixed during a trial.
#pragma once

#include <cstdint>

namespace xlatperf::flow {

/// Lemire, Kaser, Kurz: Faster remainder by direct computation (2019), with 128 bits: exact for n < 2^48 and d <= 2^32,
/// because the error of the reciprocal, n * d / 2^128, stays below 1 / d.
class Modulo {
  public:
    explicit constexpr Modulo(std::uint32_t divisor) : divisor_(divisor), reciprocal_(~Wide{0} / divisor + 1) {}

    constexpr std::uint32_t divisor() const { return divisor_; }

    constexpr std::uint32_t operator()(std::uint64_t n) const {
        const Wide fraction = reciprocal_ * n;  // modulo 2^128
        const Wide low = (fraction & ~std::uint64_t{0}) * divisor_;
        const Wide high = (fraction >> 64) * divisor_;
        return static_cast<std::uint32_t>((high + (low >> 64)) >> 64);
    }

  private:
    __extension__ using Wide = unsigned __int128;
    std::uint32_t divisor_;
    Wide reciprocal_;  // wraps to 0 for divisor 1, which gives the remainder 0
};

}  // namespace xlatperf::flow
