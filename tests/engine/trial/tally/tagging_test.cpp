#include "trial/tally/tagging.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>
#include <vector>

namespace xlatperf::trial {
namespace {

TEST(Tagging, OneInEachInterval) {  // RFC 8219 §7.2
    std::mt19937_64 random(72);
    for (int round = 0; round < 200; ++round) {
        const std::uint64_t from = random() % 1000, frames = 1 + random() % 5000, count = 1 + random() % frames;
        Tagging tagging(from, from + frames, count, random());
        std::uint64_t tagged = 0;
        for (std::uint64_t i = 0; i < from + frames; ++i) {
            ASSERT_EQ(tagging.below(i), tagged);
            if (!tagging(i)) continue;
            ASSERT_GE(i, from);
            const double place = static_cast<double>(i - from) * static_cast<double>(count) / static_cast<double>(frames);
            ASSERT_LT(place, static_cast<double>(tagged + 1) + 1e-6) << "not behind its interval";
            ASSERT_GT(place, static_cast<double>(tagged) - 1e-6) << "nor before";
            ++tagged;
        }
        ASSERT_EQ(tagged, count) << "of " << frames;
    }
}

TEST(Tagging, WhateverTheOrder) {
    Tagging forwards(10, 5010, 100, 7), backwards = forwards;
    std::vector<std::uint64_t> found, again;
    for (std::uint64_t i = 0; i < 5010; ++i) {
        if (forwards(i)) found.push_back(i);
        if (backwards(5009 - i)) again.insert(again.begin(), 5009 - i);
    }
    EXPECT_EQ(found, again);
    EXPECT_EQ(found.size(), 100U);
}

// Every 4th frame takes long in a DUT: 1,000 tags on 120 s of 2,000 frames/s find a quarter of such, in each repetition.
// Runs of frames are looked at one by one only where one may be tagged: never none where one is, and seldom for nothing.
TEST(Tagging, OfRuns) {
    std::mt19937_64 random(8219);
    for (const auto& [from, end, count] : {std::tuple(10U, 50'010U, 100U),
                                           {0U, 50'000U, 500U},
                                           {0U, 50'000U, 50'000U},
                                           {40'000U, 50'000U, 1U},
                                           {60'000U, 70'000U, 9U}}) {
        Tagging tagging(from, end, count, 7), each = tagging;
        unsigned for_nothing = 0;
        for (std::uint64_t next = 0; next < 50'000;) {
            const std::uint64_t numbers = std::min<std::uint64_t>(1 + random() % 64, 50'000 - next);
            unsigned tagged = 0;
            for (std::uint64_t i = next; i < next + numbers; ++i) tagged += each(i) ? 1U : 0U;
            if (tagging.may_have(next, numbers)) {
                for_nothing += tagged == 0 ? 1U : 0U;
                for (std::uint64_t i = next; i < next + numbers; ++i) tagging(i);
            } else {
                ASSERT_EQ(tagged, 0U) << next;
            }
            next += numbers;
        }
        EXPECT_LE(for_nothing, count + 1) << "once where an interval begins";
    }
    EXPECT_FALSE(Tagging().may_have(0, 64));
}

TEST(Tagging, DoNotBeatWithTheDut) {
    for (const unsigned period : {2U, 3U, 4U, 5U, 8U, 60U, 120U}) {
        for (std::uint64_t number = 0; number < 20; ++number) {
            Tagging tagging(120'000, 240'000, 1000, flow::mix(number));
            std::uint64_t slow = 0;
            for (std::uint64_t i = 120'000; i < 240'000; ++i) slow += tagging(i) && i % period == 0 ? 1U : 0U;
            const double p = 1.0 / static_cast<double>(period), sigma = std::sqrt(1000 * p * (1 - p));
            EXPECT_NEAR(static_cast<double>(slow), 1000 * p, 5 * sigma) << period << ", " << number;
        }
    }
}

TEST(Tagging, EachRepetitionHasItsOwn) {
    std::set<std::uint64_t> first;
    for (std::uint64_t number = 0; number < 100; ++number) {
        Tagging tagging(0, 1'000'000, 1000, flow::mix(number));
        std::uint64_t i = 0;
        while (!tagging(i)) ++i;
        EXPECT_LT(i, 1000U);
        first.insert(i);
    }
    EXPECT_GT(first.size(), 80U);
}

TEST(Tagging, FewerFramesThanTags) {
    Tagging tagging(5, 10, 100, 42);
    for (std::uint64_t i = 0; i < 10; ++i) EXPECT_EQ(tagging(i), i >= 5);
    EXPECT_EQ(tagging.below(10), 5U);
}

TEST(Tagging, NoneWithoutFrames) {
    EXPECT_EQ(Tagging(10, 10, 5, 1).below(10), 0U);
    Tagging beyond(20, 10, 5, 1);
    EXPECT_EQ(beyond.below(10), 0U);
    EXPECT_FALSE(beyond(9));
    Tagging none;
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
