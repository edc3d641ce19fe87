#include "trial/receive/overflow.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>

namespace xlatperf::trial {
namespace {

constexpr std::uint64_t ring = 100, begin_ticks = 10'000;

LostNumbers lost_of(const std::vector<LostNumbers::Range>& ranges) {
    LostNumbers lost;
    for (const auto& [first, last] : ranges) {
        for (auto number = first; number <= last; ++number) lost.lose(number, 1);
    }
    return lost;
}

Overflow begun() {
    Overflow overflow(ring, 1e6, 1e9);  // a frame each 1,000 ticks
    overflow.begin(begin_ticks);
    return overflow;
}

TEST(Overflow, WhoPollsInTimeLosesNothing) {
    auto overflow = begun();
    EXPECT_FALSE(overflow.polled(0, 0, true)) << "long before the first frame is due";
    for (std::uint64_t now = begin_ticks; now < begin_ticks + 10'000'000; now += 99'000)
        EXPECT_FALSE(overflow.polled(now, 99, true));
    EXPECT_EQ(overflow.at_most(lost_of({{0, 9'999}})), 0U);
}

TEST(Overflow, AwayForLongerThanTheRingLasts) {
    auto overflow = begun();
    EXPECT_FALSE(overflow.polled(begin_ticks, 0, true));
    EXPECT_TRUE(overflow.polled(begin_ticks + 150'000, 32, false));
    overflow.missed(0, 150);
    EXPECT_EQ(overflow.longest_ticks(), 150'000U);
    EXPECT_EQ(overflow.ring(), ring);
    EXPECT_EQ(overflow.at_most(lost_of({{100, 149}})), 50U);
    EXPECT_EQ(overflow.at_most(lost_of({{100, 119}})), 20U) << "not more than are lost";
    EXPECT_EQ(overflow.at_most(lost_of({{0, 149}})), 50U) << "nor more than can have come";
    EXPECT_EQ(overflow.at_most(lost_of({{150, 400}})), 0U) << "they left later";
}

TEST(Overflow, WhatHadNotLeftCannotHaveCome) {
    auto overflow = begun();
    overflow.polled(begin_ticks, 0, true);
    EXPECT_TRUE(overflow.polled(begin_ticks + 10'000'000, 5, true));
    overflow.missed(40, 40 + ring);  // sender and receiver were away together
    EXPECT_EQ(overflow.at_most(lost_of({{0, 1000}})), 0U);
    EXPECT_EQ(overflow.longest_ticks(), 0U);
}

TEST(Overflow, ARingThatIsNotEmptyLastsShorter) {
    auto overflow = begun();
    overflow.polled(begin_ticks, 0, true);
    EXPECT_FALSE(overflow.polled(begin_ticks + 90'000, 32, false)) << "58 are left";
    EXPECT_FALSE(overflow.polled(begin_ticks + 120'000, 32, false)) << "42 had room";
    EXPECT_TRUE(overflow.polled(begin_ticks + 190'000, 32, false)) << "44 had";
}

TEST(Overflow, FromWhenTheFirstFrameIsDue) {
    auto overflow = begun();
    EXPECT_TRUE(overflow.polled(begin_ticks + 150'000, 32, false)) << "a worker that began late";
}

TEST(Overflow, ManyTimesAway) {
    auto overflow = begun();
    for (std::uint64_t i = 0; i < 2 * Overflow::most_windows; ++i) {
        overflow.polled(begin_ticks + 1'000'000 * i, 0, true);
        if (i > 0) overflow.missed(1000 * i, 1000 * i + 150);
    }
    EXPECT_EQ(overflow.at_most(lost_of({{0, 10'000'000}})), 50 * (2 * Overflow::most_windows - 1));
    EXPECT_EQ(overflow.at_most(lost_of({{0, 9}})), 10U) << "never more than are lost";
}

/// Frames come one by one at the rate, a receiver polls at random: what the ring had no room for is never more than said.
TEST(Overflow, IsAnUpperBound) {
    std::mt19937_64 random(8219);
    std::uint64_t dropped_in_all = 0;
    for (int run = 0; run < 200; ++run) {
        auto overflow = begun();
        std::deque<std::uint64_t> waiting;
        LostNumbers lost;
        std::uint64_t now = begin_ticks, came = 0, seen = 0;
        for (int poll = 0; poll < 300; ++poll) {
            now += random() % (random() % 20 == 0 ? 400'000 : 30'000);
            for (; came < (now - begin_ticks) / 1000; ++came) {
                if (waiting.size() < ring) {
                    waiting.push_back(came);
                } else {
                    lost.lose(came, 1);
                }
            }
            const auto taken = std::min<std::size_t>(32, waiting.size());
            if (overflow.polled(now, static_cast<unsigned>(taken), waiting.size() < 32)) overflow.missed(seen, came);
            if (taken > 0) seen = waiting[taken - 1] + 1;
            waiting.erase(waiting.begin(), waiting.begin() + static_cast<long>(taken));
        }
        EXPECT_GE(overflow.at_most(lost), lost.count());
        dropped_in_all += lost.count();
    }
    EXPECT_GT(dropped_in_all, 10'000U);
}

}  // namespace
}  // namespace xlatperf::trial
