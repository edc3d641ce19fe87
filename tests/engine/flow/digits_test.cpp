#include "flow/digits.h"

#include <gtest/gtest.h>

#include <random>

namespace xlatperf::flow {
namespace {

constexpr std::uint64_t too_large = std::uint64_t{1} << 48;

void expect_exact(const Digit& digit, std::uint64_t d, std::uint64_t n) {
    double rest_of = to_double(n);
    ASSERT_EQ(to_number(digit.take(rest_of)), n % d) << n << " % " << d;
    ASSERT_EQ(to_number(rest_of), n / d) << n << " / " << d;
}

TEST(Digits, NumbersAsDoubles) {
    for (const std::uint64_t n :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{0xffffffff}, too_large - 1, 16 * too_large - 1}) {
        EXPECT_EQ(to_double(n), static_cast<double>(n));
        EXPECT_EQ(to_number(to_double(n)), n);
    }
}

TEST(Digits, EveryDivisorAtItsEdges) {
    std::mt19937_64 random(1);
    for (std::uint64_t d = 1; d <= 1U << 20; ++d) {
        const Digit digit(static_cast<double>(d));
        const std::uint64_t largest_multiple = (too_large - 1) / d * d;
        for (const std::uint64_t n :
             {std::uint64_t{0}, d - 1, d, largest_multiple - 1, largest_multiple, too_large - 1, random() % too_large}) {
            expect_exact(digit, d, n);
        }
        if (HasFatalFailure()) return;
    }
}

// Where rounding could lead to the next whole number.
TEST(Digits, AroundMultiples) {
    std::mt19937_64 random(2);
    for (const std::uint64_t d : {1U, 2U, 3U, 7U, 641U, 40000U, 49151U, 64511U, 64512U, 65535U, 65536U, 65537U, 15999999U,
                                  (1U << 24) - 1, 1U << 24, 0xfffffffbU, 0xffffffffU}) {
        const Digit digit(static_cast<double>(d));
        for (int i = 0; i < 20000; ++i) {
            const std::uint64_t multiple = random() % ((too_large - 1) / d) * d;
            expect_exact(digit, d, multiple);
            expect_exact(digit, d, multiple + d - 1);
        }
        if (HasFatalFailure()) return;
    }
}

}  // namespace
}  // namespace xlatperf::flow
