#include "flow/random.h"

#include <gtest/gtest.h>

#include <set>

namespace xlatperf::flow {
namespace {

TEST(Mix, IsSplitMix64) {  // the published sequence of seed 1234567
    const std::uint64_t step = 0x9e3779b97f4a7c15ULL;
    EXPECT_EQ(mix(1234567), 6457827717110365317ULL);
    EXPECT_EQ(mix(1234567 + step), 3203168211198807973ULL);
    EXPECT_EQ(mix(1234567 + 2 * step), 9817491932198370423ULL);
}

TEST(Mix, GivesDifferentNumbersForDifferentOnes) {
    std::set<std::uint64_t> seen;
    for (std::uint64_t i = 0; i < 100000; ++i) seen.insert(mix(i));
    EXPECT_EQ(seen.size(), 100000U);
}

TEST(Spread, CoversTheWholeRange) {
    EXPECT_EQ(spread(0, 256), 0U);
    EXPECT_EQ(spread(0xffffffff, 256), 255U);
    EXPECT_EQ(spread(0xffffffff, 1), 0U);
    EXPECT_EQ(spread(0xffffffff, 0xffffffff), 0xfffffffeU);
    EXPECT_EQ(spread(0x80000000, 10), 5U);
}

}  // namespace
}  // namespace xlatperf::flow
