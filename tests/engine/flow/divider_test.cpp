#include "flow/divider.h"

#include <gtest/gtest.h>

#include <random>

namespace xlatperf::flow {
namespace {

constexpr std::uint64_t beyond = std::uint64_t{1} << 44;  // numbers are below this
constexpr std::uint32_t largest = 1U << 20;               // the largest divisor

void expect_exact(const Divider& divider, std::uint64_t n) {
    const std::uint64_t d = divider.divisor();
    std::uint64_t rest_of = n;
    ASSERT_EQ(divider.quotient(n), n / d) << n << " / " << d;
    ASSERT_EQ(divider.take(rest_of), n % d) << n << " % " << d;
    ASSERT_EQ(rest_of, n / d);
}

TEST(Divider, EveryDivisorAtItsEdges) {
    std::mt19937_64 random(1);
    for (std::uint32_t d = 1; d <= largest; ++d) {
        const Divider divider(d);
        const std::uint64_t largest_multiple = (beyond - 1) / d * d;
        for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{d} - 1, std::uint64_t{d}, largest_multiple - 1,
                                      largest_multiple, beyond - 1, random() % beyond}) {
            expect_exact(divider, n);
        }
        if (HasFatalFailure()) return;
    }
}

// Where the rounded reciprocal could be a whole too large: just below multiples.
TEST(Divider, AroundMultiples) {
    std::mt19937_64 random(2);
    for (const std::uint32_t d :
         {1U, 2U, 3U, 7U, 641U, 40000U, 49151U, 64511U, 64512U, 65535U, 65536U, 65537U, largest - 3, largest - 1, largest}) {
        const Divider divider(d);
        for (int i = 0; i < 20000; ++i) {
            const std::uint64_t multiple = random() % ((beyond - 1) / d) * d;
            expect_exact(divider, multiple);
            expect_exact(divider, multiple + d - 1);
        }
        if (HasFatalFailure()) return;
    }
}

// As many as clients can be: then n is at most 40 bits.
TEST(Divider, OfManyClients) {
    std::mt19937_64 random(3);
    for (const std::uint32_t d : {(1U << 24) - 1, 1U << 24, 15999999U}) {
        const Divider divider(d);
        for (int i = 0; i < 20000; ++i) {
            const std::uint64_t multiple = random() % ((std::uint64_t{1} << 40) / d) * d;
            expect_exact(divider, multiple);
            expect_exact(divider, multiple + d - 1);
        }
        if (HasFatalFailure()) return;
    }
}

TEST(Divider, TakesDigitsOff) {
    std::uint64_t number = 59 + 60 * (23 + 24 * std::uint64_t{364});
    const Divider minutes(60), hours(24);
    EXPECT_EQ(minutes.take(number), 59U);
    EXPECT_EQ(hours.take(number), 23U);
    EXPECT_EQ(number, 364U);
}

}  // namespace
}  // namespace xlatperf::flow
