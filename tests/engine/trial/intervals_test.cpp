#include "trial/intervals.h"

#include <gtest/gtest.h>

#include <random>
#include <thread>

namespace xlatperf::trial {
namespace {

TEST(Division, EachNumberIsInTheIntervalInWhichItIsDue) {
    for (const double each : {1.0, 1.5, 7.0, 1000.03, 0.9999999 * 64, 60'030.0}) {
        const Division division(10'007, each);
        std::uint64_t next = 0;
        for (std::uint64_t i = 0; i < division.count(); ++i) {
            ASSERT_EQ(division.begin(i), next) << each << " without gap or overlap";
            for (; next < division.begin(i + 1); ++next) {
                ASSERT_EQ(division.of(next), i);
                ASSERT_LE(static_cast<double>(i) * each, static_cast<double>(next) + 1e-5);
                ASSERT_LT(static_cast<double>(next), static_cast<double>(i + 1) * each);
            }
        }
        ASSERT_EQ(next, 10'007U);
    }
}

TEST(Division, AWholeNumberOfIntervalsHasNoRest) {
    EXPECT_EQ(Division(1000, 100).count(), 10U);
    EXPECT_EQ(Division(1001, 100).count(), 11U);
    EXPECT_EQ(Division(3, 0.1 * 30).count(), 1U) << "3.0000000000000004 frames";
    EXPECT_EQ(Division(5, 1e9).count(), 1U);
    EXPECT_EQ(Division(5, 1e9).begin(1), 5U);
}

TEST(Division, DaysAtHundredGigabit) {
    const double rate = 148'809'523.0;
    const Division day(static_cast<std::uint64_t>(rate * 86400), rate * 60);
    EXPECT_EQ(day.count(), 1440U);
    for (std::uint64_t i = 0; i < 1440; ++i) {
        ASSERT_EQ(day.begin(i), i * 8'928'571'380U);
        ASSERT_EQ(day.of(day.begin(i)), i);
        if (i > 0) {
            ASSERT_EQ(day.of(day.begin(i) - 1), i - 1);
        }
    }
}

TEST(Division, RangesAreSplit) {
    const Division division(100, 10);
    EXPECT_EQ(division.within(0, 5, 24), 5U);
    EXPECT_EQ(division.within(1, 5, 24), 10U);
    EXPECT_EQ(division.within(2, 5, 24), 5U);
    EXPECT_EQ(division.within(3, 5, 24), 0U);
    EXPECT_EQ(division.within(9, 0, 99), 10U);
}

TEST(IntervalFinder, GoesBackAndForth) {
    const Division division(10'000, 33.3);
    IntervalFinder find(division);
    std::mt19937_64 random(1);
    for (int i = 0; i < 10'000; ++i) {
        const std::uint64_t sequence = random() % 10'000;
        ASSERT_EQ(find(sequence), division.of(sequence));
    }
}

TEST(ArrivalIntervals, DelaysAreSummarisedByInterval) {
    ArrivalIntervals intervals(Division(1000, 100));
    for (std::uint64_t i = 0; i < 1000; ++i) {
        intervals.count(i, frame::Reason::expected);
        intervals.add_delay(i, i);
        intervals.look();
    }
    intervals.count(250, frame::Reason::duplicate);
    intervals.finish();
    for (std::uint64_t i = 0; i < 10; ++i) {
        const auto& one = intervals.each()[i];
        EXPECT_EQ(one.by_reason[frame::index(frame::Reason::expected)], 100U);
        EXPECT_EQ(one.by_reason[frame::index(frame::Reason::duplicate)], i == 2 ? 1U : 0U);
        EXPECT_EQ(one.delay.count, 100U);
        EXPECT_EQ(one.delay.minimum, i * 100);
        EXPECT_EQ(one.delay.p1, i * 100);
        EXPECT_EQ(one.delay.median, static_cast<double>(i) * 100 + 49.5);
        EXPECT_EQ(one.delay.mean, static_cast<double>(i) * 100 + 49.5);
        EXPECT_EQ(one.delay.p99, i * 100 + 98);
        EXPECT_EQ(one.delay.maximum, i * 100 + 99);
    }
}

TEST(ArrivalIntervals, FramesMayArriveInDisorderAndAnIntervalLate) {
    ArrivalIntervals intervals(Division(100, 10));
    intervals.add_delay(15, 1);  // before any frame of the interval before
    intervals.look();
    intervals.add_delay(5, 2);
    intervals.look();
    intervals.add_delay(25, 3);
    intervals.look();
    intervals.add_delay(16, 4);
    intervals.add_delay(6, 5);  // two intervals late
    intervals.finish();
    EXPECT_EQ(intervals.each()[0].delay.count, 1U);
    EXPECT_EQ(intervals.each()[1].delay.count, 2U);
    EXPECT_EQ(intervals.each()[2].delay.count, 1U);
}

TEST(ArrivalIntervals, NothingMayArriveForLong) {
    ArrivalIntervals intervals(Division(1000, 10));
    for (const std::uint64_t sequence : {3U, 995U, 4U}) {
        intervals.add_delay(sequence, sequence);
        intervals.look();
    }
    intervals.finish();
    for (std::uint64_t i = 0; i < 100; ++i) EXPECT_EQ(intervals.each()[i].delay.count, i == 0 || i == 99 ? 1U : 0U) << i;
}

TEST(ArrivalIntervals, WithoutAnyoneToSummariseDelaysAreMissedAndNotMixed) {
    ArrivalIntervals intervals(Division(100, 10));
    for (std::uint64_t i = 0; i < 100; ++i) intervals.add_delay(i, i / 10);
    intervals.finish();
    std::uint64_t kept = 0;
    for (std::uint64_t i = 0; i < 10; ++i) {
        const auto& delay = intervals.each()[i].delay;
        kept += delay.count;
        if (delay.count > 0) {
            EXPECT_EQ(delay.minimum, i);
            EXPECT_EQ(delay.maximum, i);
        }
    }
    EXPECT_EQ(kept, 40U) << "as many as there is room for";
}

TEST(ArrivalIntervals, SummarisedByAnotherThread) {
    constexpr std::uint64_t frames = 2'000'000;
    ArrivalIntervals intervals(Division(frames, 200'000));
    std::atomic<bool> done = false;
    std::thread other([&] {
        while (!done) intervals.look();
    });
    for (std::uint64_t i = 0; i < frames; ++i) {
        if (i % 200'000 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
        intervals.add_delay(i, i / 200'000);
    }
    done = true;
    other.join();
    intervals.finish();
    for (std::uint64_t i = 0; i < 10; ++i) {
        const auto& delay = intervals.each()[i].delay;
        EXPECT_EQ(delay.minimum, i);
        EXPECT_EQ(delay.maximum, i);
        EXPECT_GT(delay.count, 0U);
    }
}

}  // namespace
}  // namespace xlatperf::trial
