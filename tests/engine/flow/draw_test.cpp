#include "flow/draw.h"

#include <gtest/gtest.h>

#include <bit>
#include <vector>

namespace xlatperf::flow {
namespace {

TEST(Draw, GivesEachNumberOnce) {
    for (const unsigned bits : {0U, 1U, 2U, 3U, 7U, 13U, 16U, 20U}) {
        for (const std::uint64_t key : {0U, 1U, 42U}) {
            const Draw draw(bits, key);
            std::vector<bool> seen(std::size_t{1} << bits);
            for (std::uint64_t i = 0; i < seen.size(); ++i) {
                const std::uint64_t number = draw(i);
                ASSERT_LT(number, seen.size());
                ASSERT_FALSE(seen[number]) << bits << " bits, key " << key;
                seen[number] = true;
            }
        }
    }
}

// The first numbers are spread evenly over the whole range, in high bits as in low ones: in 256 cells the chi-square of a right
// generator is 255 +- 23, one in a million beyond 380.
TEST(Draw, FirstNumbersAreSpread) {
    for (const unsigned bits : {24U, 32U, 48U}) {
        for (std::uint64_t key = 0; key < 8; ++key) {
            const Draw draw(bits, key);
            for (const unsigned shift : {0U, bits / 2 - 4, bits - 8}) {
                constexpr int count = 100'000;
                std::vector<int> cells(256);
                for (std::uint64_t i = 0; i < count; ++i) ++cells[(draw(i) >> shift) & 255];
                double chi_square = 0;
                for (const int cell : cells) chi_square += (cell - count / 256.0) * (cell - count / 256.0) / (count / 256.0);
                EXPECT_LT(chi_square, 380) << bits << " bits, key " << key << ", shift " << shift;
            }
        }
    }
}

// Neighbours have nothing to do with each other: half of the bits are different.
TEST(Draw, NeighboursDifferInHalfOfTheBits) {
    const Draw draw(32, 7);
    double differ = 0;
    for (std::uint64_t i = 0; i < 10'000; ++i) differ += std::popcount(draw(i) ^ draw(i + 1));
    EXPECT_NEAR(differ / 10'000, 16, 1);
}

TEST(Draw, AnotherKeyDrawsOthers) {
    const Draw one(32, 1), other(32, 2);
    int equal = 0;
    for (std::uint64_t i = 0; i < 10'000; ++i) equal += one(i) == other(i) ? 1 : 0;
    EXPECT_LT(equal, 3);
}

}  // namespace
}  // namespace xlatperf::flow
