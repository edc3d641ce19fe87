#include "trial/tagging.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace xlatperf::trial {
namespace {

TEST(Tagging, ExactlyAsManyAsAskedFor) {  // RFC 8219 §7.2
    std::mt19937_64 random(72);
    for (int round = 0; round < 200; ++round) {
        const std::uint64_t from = random() % 1000, frames = 1 + random() % 5000, count = 1 + random() % frames;
        const Tagging tagging(from, from + frames, count, random());
        std::uint64_t tagged = 0, last = 0, smallest = frames, largest = 0;
        for (std::uint64_t i = 0; i < from + frames; ++i) {
            ASSERT_EQ(tagging.below(i), tagged);
            if (!tagging(i)) continue;
            ASSERT_GE(i, from);
            if (tagged > 0) {
                smallest = std::min(smallest, i - last);
                largest = std::max(largest, i - last);
            }
            last = i;
            ++tagged;
        }
        ASSERT_EQ(tagged, count) << "of " << frames;
        if (count > 1) {
            ASSERT_GE(smallest, frames / count) << "spread uniformly";
            ASSERT_LE(largest, (frames + count - 1) / count);
        }
    }
}

TEST(Tagging, PhaseFollowsTheRandomNumber) {
    const auto first = [](std::uint64_t random) {
        const Tagging tagging(0, 1'000'000, 1000, random);
        std::uint64_t i = 0;
        while (!tagging(i)) ++i;
        return i;
    };
    EXPECT_EQ(first(0), 0U);
    EXPECT_NE(first(0x123456789abcdef0), first(0xfedcba9876543210));
    EXPECT_LT(first(~std::uint64_t{0} / 2), 1000U);
}

TEST(Tagging, FewerFramesThanTags) {
    const Tagging tagging(5, 10, 100, 42);
    for (std::uint64_t i = 0; i < 10; ++i) EXPECT_EQ(tagging(i), i >= 5);
    EXPECT_EQ(tagging.below(10), 5U);
}

TEST(Tagging, NoneWithoutFrames) {
    EXPECT_EQ(Tagging(10, 10, 5, 1).below(10), 0U);
    const Tagging beyond(20, 10, 5, 1);
    EXPECT_EQ(beyond.below(10), 0U);
    EXPECT_FALSE(beyond(9));
    const Tagging none;
    EXPECT_FALSE(none(0));
    EXPECT_EQ(none.below(1'000'000), 0U);
}

TEST(Tagging, LargeNumbers) {
    const std::uint64_t frames = std::uint64_t{1} << 47;
    const Tagging tagging(0, frames, 10'000'000, 7);
    EXPECT_EQ(tagging.below(frames), 10'000'000U);
    EXPECT_NEAR(static_cast<double>(tagging.below(frames / 2)), 5'000'000, 1);
}

}  // namespace
}  // namespace xlatperf::trial
