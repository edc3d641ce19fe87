#include "trial/send/stalls.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace xlatperf::trial {
namespace {

using Ranges = std::vector<Stalls::Range>;
constexpr std::uint64_t shortest = 100;

TEST(Stalls, WhatIsSentInTimeIsNotAfterAStall) {
    Stalls stalls(shortest);
    for (std::uint64_t i = 0; i < 100; ++i) stalls.left(i, 1, shortest - 1, false);
    stalls.left(100, 1, 10 * shortest, false);  // one frame, late by itself: no burst
    stalls.finish(100);
    EXPECT_EQ(stalls.count(), 0U);
    EXPECT_TRUE(stalls.ranges().empty());
}

TEST(Stalls, UntilCaughtUpAndAsMuchAgain) {
    Stalls stalls(shortest);
    stalls.left(0, 1, 0, false);
    stalls.left(1, 32, shortest, true);
    stalls.left(33, 32, 10, true);
    stalls.left(65, 6, 10, false);  // 1 to 70: caught up
    stalls.left(71, 1, 0, false);
    stalls.left(200, 2, shortest, false);
    EXPECT_EQ(stalls.count(), 2U);
    EXPECT_EQ(stalls.ranges(), (Ranges{{1, 140}, {200, 203}}));
}

TEST(Stalls, OneAfterTheOther) {
    Stalls stalls(shortest);
    stalls.left(10, 10, shortest, false);  // 10 to 29
    stalls.left(25, 10, shortest, false);  // 25 to 44
    stalls.left(45, 2, shortest, false);   // 45 to 48: no gap between
    stalls.left(60, 4, shortest, true);
    stalls.left(64, 4, shortest, true);
    stalls.finish(67);  // still behind at the end
    EXPECT_EQ(stalls.count(), 5U);
    EXPECT_EQ(stalls.ranges(), (Ranges{{10, 48}, {60, 75}}));
}

TEST(Stalls, TheListIsBounded) {
    Stalls stalls(shortest);
    for (std::uint64_t i = 0; i < Stalls::most_ranges + 10; ++i) stalls.left(100 * i, 2, shortest, false);
    EXPECT_EQ(stalls.count(), Stalls::most_ranges + 10);
    EXPECT_EQ(stalls.ranges().size(), Stalls::most_ranges);
}

TEST(Stalls, LostWithin) {
    std::mt19937_64 random(2544);
    for (int round = 0; round < 200; ++round) {
        std::vector<Stalls> senders(1 + random() % 3, Stalls(shortest));
        std::vector<const Stalls*> all;
        std::set<std::uint64_t> after, lost;
        for (auto& stalls : senders) {  // with several, ranges overlap
            for (std::uint64_t at = random() % 20; at < 1000; at += 1 + random() % 60) {
                const unsigned frames = 2 + static_cast<unsigned>(random() % 9);
                stalls.left(at, frames, shortest, false);
                for (std::uint64_t i = at; i < at + 2 * frames; ++i) after.insert(i);
            }
            all.push_back(&stalls);
        }
        Ranges ranges;
        for (std::uint64_t at = random() % 30; at < 1100; at += 2 + random() % 40) {
            const std::uint64_t last = at + random() % 12;
            ranges.emplace_back(at, last);
            for (; at <= last; ++at) lost.insert(at);
        }
        std::uint64_t both = 0;
        for (const auto number : lost) both += after.count(number);
        EXPECT_EQ(lost_after_stall(ranges, all), both);
    }
}

}  // namespace
}  // namespace xlatperf::trial
