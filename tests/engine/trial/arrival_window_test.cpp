#include "trial/arrival_window.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace xlatperf::trial {
namespace {

using Mark = ArrivalWindow::Mark;
using Range = ArrivalWindow::Range;

TEST(ArrivalWindow, FirstAndDuplicate) {
    ArrivalWindow window(1000);
    EXPECT_EQ(window.mark(5), Mark::first);
    EXPECT_EQ(window.mark(5), Mark::duplicate);
    EXPECT_EQ(window.mark(4), Mark::first);
    EXPECT_EQ(window.mark(4), Mark::duplicate);
    window.finish(6);
    EXPECT_EQ(window.lost(), 4U);
    EXPECT_EQ(window.ranges(), (std::vector<Range>{{0, 3}}));
}

TEST(ArrivalWindow, NothingArrived) {
    for (const std::uint64_t sent : {0U, 1U, 63U, 64U, 65U, 127U, 128U, 1000U, 1'000'000U}) {
        ArrivalWindow window(100);
        window.finish(sent);
        EXPECT_EQ(window.lost(), sent);
        EXPECT_EQ(window.ranges().size(), sent == 0 ? 0U : 1U);
        if (sent > 0) {
            EXPECT_EQ(window.ranges()[0], (Range{0, sent - 1}));
        }
        EXPECT_TRUE(window.ranges_complete());
    }
}

TEST(ArrivalWindow, EverythingArrived) {
    for (const std::uint64_t sent : {1U, 64U, 100U, 128U, 129U, 100'000U}) {
        ArrivalWindow window(64);
        for (std::uint64_t i = 0; i < sent; ++i) ASSERT_EQ(window.mark(i), Mark::first);
        window.finish(sent);
        EXPECT_EQ(window.lost(), 0U) << sent;
        EXPECT_TRUE(window.ranges().empty());
    }
}

TEST(ArrivalWindow, TooLateIsBeyond) {
    ArrivalWindow window(64);  // 128 or 256 numbers, in whole words
    EXPECT_EQ(window.mark(100'000), Mark::first);
    EXPECT_EQ(window.mark(5), Mark::beyond);
    EXPECT_EQ(window.mark(100'000 - 63), Mark::first) << "what it promises to remember";
    EXPECT_EQ(window.mark(100'000 - 5000), Mark::beyond);
    window.finish(100'001);
    EXPECT_EQ(window.lost(), 100'001U - 2);
}

TEST(ArrivalWindow, LostOfIntervals) {
    std::mt19937_64 random(60);
    for (const double each : {1.0, 63.0, 64.5, 1000.0}) {
        constexpr std::uint64_t frames = 5000;
        const Division division(frames, each);
        ArrivalWindow window(64);
        window.divide(division);
        std::vector<std::uint64_t> lost(division.count());
        for (std::uint64_t i = 0; i < frames; ++i) {
            if (random() % 3 == 0 || (i > 2000 && i < 2500) || i > 4900) {
                ++lost[division.of(i)];
            } else {
                window.mark(i);
            }
        }
        window.finish(frames);
        EXPECT_EQ(window.lost_of_intervals(), lost) << each;
    }
}

TEST(ArrivalWindow, RangesAcrossWordsAreOne) {
    ArrivalWindow window(1 << 12);
    window.mark(10);
    window.mark(500);
    window.finish(600);
    EXPECT_EQ(window.ranges(), (std::vector<Range>{{0, 9}, {11, 499}, {501, 599}}));
    EXPECT_EQ(window.lost(), 598U);
}

TEST(ArrivalWindow, RangesAreBoundedButTheCountIsExact) {
    ArrivalWindow window(64);
    constexpr std::uint64_t sent = 10'000;
    for (std::uint64_t i = 0; i < sent; i += 2) window.mark(i);
    window.finish(sent);
    EXPECT_EQ(window.lost(), sent / 2);
    EXPECT_EQ(window.ranges().size(), ArrivalWindow::most_ranges);
    EXPECT_FALSE(window.ranges_complete());
    EXPECT_EQ(window.ranges().front(), (Range{1, 1}));
    EXPECT_EQ(window.ranges().back(), (Range{511, 511}));
}

TEST(ArrivalWindow, ExactlyAsManyRangesAsFit) {
    ArrivalWindow window(64);
    constexpr std::uint64_t sent = 2 * ArrivalWindow::most_ranges;
    for (std::uint64_t i = 0; i < sent; i += 2) window.mark(i);
    window.finish(sent);
    EXPECT_EQ(window.ranges().size(), ArrivalWindow::most_ranges);
    EXPECT_TRUE(window.ranges_complete());
}

// Against the obvious: a set of all numbers that have arrived. Jumps, gaps, disorder, duplicates and what comes too late.
TEST(ArrivalWindow, AgreesWithASet) {
    std::mt19937_64 random(64);
    for (int round = 0; round < 300; ++round) {
        const std::uint64_t remembered = 1 + random() % 500;
        ArrivalWindow window(remembered);
        std::set<std::uint64_t> arrived;
        std::uint64_t at = 0, highest = 0, beyond = 0;
        const auto disorder = 1 + random() % (2 * remembered);
        const auto gap = 1 + random() % (round % 3 == 0 ? 2000 : 4);
        for (int i = 0; i < 2000; ++i) {
            at += random() % gap;
            const std::uint64_t back = random() % 4 == 0 ? random() % disorder : 0;
            const std::uint64_t number = at > back ? at - back : 0;
            const auto mark = window.mark(number);
            if (mark == Mark::beyond) {
                ++beyond;
                ASSERT_GE(highest, number + remembered) << "the last " << remembered << " numbers are remembered";
            } else {
                ASSERT_EQ(mark == Mark::first, arrived.insert(number).second) << number;
            }
            highest = std::max(highest, number);
        }
        const std::uint64_t sent = highest + 1 + random() % 300;
        window.finish(sent);
        ASSERT_EQ(window.lost(), sent - arrived.size());
        std::vector<Range> missing;
        bool complete = true;
        std::uint64_t next = 0, last = 0;
        const auto lose = [&](std::uint64_t first, std::uint64_t end) {
            if (first == end) return;
            last = end - 1;
            if (missing.size() < ArrivalWindow::most_ranges) {
                missing.emplace_back(first, end - 1);
            } else {
                complete = false;
            }
        };
        for (const auto number : arrived) {
            lose(next, number);
            next = number + 1;
        }
        lose(next, sent);
        ASSERT_EQ(window.ranges_complete(), complete);
        ASSERT_EQ(window.ranges(), missing);
        if (window.lost() > 0) {
            ASSERT_EQ(window.last_lost(), last) << "also when the list is cut off";
        }
    }
}

TEST(ArrivalWindow, RunsAreMarkedAsIfOneByOne) {
    std::mt19937_64 random(21);
    for (int round = 0; round < 300; ++round) {
        ArrivalWindow one_by_one(500), in_runs(500);
        std::uint64_t at = 0;
        for (int i = 0; i < 200; ++i) {
            at += random() % 100;
            const std::uint64_t back = random() % 4 == 0 ? random() % 1500 : 0, first = at > back ? at - back : 0;
            const auto n = static_cast<unsigned>(1 + random() % 64);
            ArrivalWindow trial = one_by_one;
            bool all_first = true;
            for (unsigned k = 0; k < n; ++k) all_first &= trial.mark(first + k) == Mark::first;
            // Where a run isn't all new, none of it is marked, so that it can be marked one by one.
            const bool marked = in_runs.mark_run(first, n);
            ASSERT_EQ(marked, all_first) << first << " + " << n;
            if (marked) at = std::max(at, first + n);
            for (unsigned k = 0; k < n; ++k) {
                const auto expected = one_by_one.mark(first + k);
                if (!marked) {
                    ASSERT_EQ(in_runs.mark(first + k), expected);
                }
            }
        }
        one_by_one.finish(at + 100);
        in_runs.finish(at + 100);
        ASSERT_EQ(in_runs.lost(), one_by_one.lost());
        ASSERT_EQ(in_runs.ranges(), one_by_one.ranges());
    }
}

}  // namespace
}  // namespace xlatperf::trial
