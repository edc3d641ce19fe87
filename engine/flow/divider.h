// n / d and n % d without division, for a divisor that is fixed during a trial.
#pragma once

#include <cstdint>

namespace xlatperf::flow {

/// Granlund, Montgomery: Division by invariant integers using multiplication (1994): exact for n < 2^44 and d <= 2^20, and for
/// n < 2^40 and d <= 2^24, because the error of the rounded-up reciprocal, at most d, times n stays below 2^64.
class Divider {
  public:
    explicit constexpr Divider(std::uint32_t divisor) : divisor_(divisor), reciprocal_(~std::uint64_t{0} / divisor + 1) {}

    constexpr std::uint32_t divisor() const { return divisor_; }

    constexpr std::uint64_t quotient(std::uint64_t n) const {
        // The reciprocal of 1 is 2^64, which wraps to 0.
        return divisor_ == 1 ? n : static_cast<std::uint64_t>((static_cast<Wide>(n) * reciprocal_) >> 64);
    }

    /// Takes a digit off the number: returns n % d and leaves n / d.
    constexpr std::uint32_t take(std::uint64_t& n) const {
        const std::uint64_t q = quotient(n);
        const auto rest = static_cast<std::uint32_t>(n - q * divisor_);
        n = q;
        return rest;
    }

  private:
    __extension__ using Wide = unsigned __int128;
    std::uint32_t divisor_;
    std::uint64_t reciprocal_;
};

}  // namespace xlatperf::flow
