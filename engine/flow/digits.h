// n / d and n % d in double precision, for loops over arrays: vectors have no division of integers, and no upper half of
// products.
#pragma once

#include <bit>
#include <cstdint>

namespace xlatperf::flow {

/// A whole number below 2^52 as a double, and back: those from 2^52 to 2^53 have the number in the lower bits.
inline constexpr double two_to_52 = 4503599627370496.0;
constexpr double to_double(std::uint64_t number) {
    return std::bit_cast<double>(number | std::bit_cast<std::uint64_t>(two_to_52)) - two_to_52;
}
constexpr std::uint64_t to_number(double value) {
    return std::bit_cast<std::uint64_t>(value + two_to_52) ^ std::bit_cast<std::uint64_t>(two_to_52);
}

/// Takes digits off numbers that are below 2^48, as `Divider` does.
class Digit {
  public:
    /// `divisor`: 1 to 2^32.
    explicit constexpr Digit(double divisor) : divisor_(divisor), inverse_(1 / divisor) {}

    /// Returns n % d and leaves n / d. The quotient is the whole number nearest to (n + 1/2) / d - 1/2, which is at least 1 / 2d
    /// away from the middle between two; rounding three times puts it off by less, as long as n + d is below 2^50.
    constexpr double take(double& n) const {
        constexpr double whole = 1.5 * two_to_52;  // around it, doubles are whole numbers
        const double quotient = ((n + 0.5) * inverse_ - 0.5 + whole) - whole;
        const double rest = n - quotient * divisor_;
        n = quotient;
        return rest;
    }

  private:
    double divisor_, inverse_;
};

}  // namespace xlatperf::flow
