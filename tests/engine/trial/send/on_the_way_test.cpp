#include "trial/send/on_the_way.h"

#include <gtest/gtest.h>

namespace xlatperf::trial {
namespace {

constexpr std::uint64_t takes_no_more = 1000, first_due = 10'000, between = 10;

Schedule evenly() {
    Schedule all({{1000, Ticks128{between} << 64}});
    all.start_at(first_due);
    return all;
}

std::uint64_t due(std::uint64_t number) { return first_due + number * between; }

TEST(OnTheWay, WhatLeavesAtOnceNeverWaits) {
    OnTheWay one({500, 7}, 0, takes_no_more);
    for (std::uint64_t next = 0; next <= 1000; next += 100) one.saw(due(next), next, 0, {500 + next, 7}, evenly());
    EXPECT_FALSE(one.leaving(due(1000)));
    EXPECT_EQ(one.longest_ticks(), 0);
}

TEST(OnTheWay, TheOldestOfThoseThatWaitCounts) {
    OnTheWay one({500, 0}, 0, takes_no_more);
    one.saw(due(400), 400, 0, {500 + 100, 0}, evenly());
    one.saw(due(800), 800, 0, {500 + 300, 0}, evenly());
    EXPECT_TRUE(one.leaving(due(800)));
    EXPECT_EQ(one.longest_ticks(), due(800) - due(300));
    one.saw(due(1200), 1000, 0, {500 + 1000, 0}, evenly());
    EXPECT_FALSE(one.leaving(due(1200))) << "all have left";
    EXPECT_EQ(one.longest_ticks(), due(800) - due(300));
}

TEST(OnTheWay, FramesOfEarlierTrialsLeaveFirst) {
    OnTheWay one({0, 0}, 50, takes_no_more);
    one.saw(due(100), 100, 0, {100, 0}, evenly());
    EXPECT_TRUE(one.leaving(due(100)));
    EXPECT_EQ(one.longest_ticks(), due(100) - due(50));
}

TEST(OnTheWay, WhatWasGivenUpDoesNotWait) {
    OnTheWay one({0, 0}, 0, takes_no_more);
    one.saw(due(100), 100, 40, {60, 0}, evenly());
    EXPECT_FALSE(one.leaving(due(100)));
    EXPECT_EQ(one.longest_ticks(), 0);
}

TEST(OnTheWay, AQuestionToANeighbourThatLeavesIsNoTestFrame) {
    OnTheWay one({0, 0, 5}, 0, takes_no_more);
    one.saw(due(100), 100, 0, {100, 0, 6}, evenly());
    EXPECT_TRUE(one.leaving(due(100))) << "one of the 101 waits";
    one.saw(due(100), 100, 0, {101, 0, 6}, evenly());
    EXPECT_FALSE(one.leaving(due(100)));
}

TEST(OnTheWay, WhoTakesNoMoreIsNotWaitedFor) {
    OnTheWay one({0, 0}, 0, takes_no_more);
    one.saw(due(100), 100, 0, {20, 0}, evenly());
    one.saw(due(100) + takes_no_more - 1, 100, 0, {20, 0}, evenly());
    EXPECT_TRUE(one.leaving(due(100) + takes_no_more - 1));
    EXPECT_FALSE(one.leaving(due(100) + takes_no_more));
    one.saw(due(100) + takes_no_more, 100, 0, {21, 0}, evenly());
    EXPECT_TRUE(one.leaving(due(100) + takes_no_more)) << "one more was taken";
}

// A socket tries again what was dropped, and each time it's counted; another driver loses it. In the end it shows.
TEST(OnTheWay, DroppedFramesDoNotWaitUnlessTheyLeaveLater) {
    OnTheWay again({0, 0}, 0, takes_no_more), dropped({0, 0}, 0, takes_no_more);
    for (OnTheWay* one : {&again, &dropped}) one->saw(due(100), 100, 0, {10, 60}, evenly());
    again.saw(due(200), 100, 0, {100, 90}, evenly());
    EXPECT_EQ(again.longest_ticks(), due(100) - due(10));
    dropped.saw(due(100), 100, 0, {40, 60}, evenly());
    EXPECT_EQ(dropped.longest_ticks(), due(100) - due(70)) << "at least";
}

}  // namespace
}  // namespace xlatperf::trial
