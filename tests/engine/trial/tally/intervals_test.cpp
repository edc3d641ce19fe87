#include "trial/tally/intervals.h"

#include <gtest/gtest.h>

#include <random>
#include <thread>

#include "trial/grace_period.h"

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

// What the thread that waits for the workers does, when each has polled again in between.
void look(SettledIntervals& intervals) {
    if (intervals.close()) intervals.settle();
}

TEST(SettledIntervals, DelaysAreSummarisedByInterval) {
    SettledIntervals intervals(Division(1000, 100));
    ArrivalIntervals& receiver = intervals.of(0);
    for (std::uint64_t i = 0; i < 1000; ++i) {
        receiver.count(i, counter::Reason::expected);
        receiver.add_delay(i, i);
        look(intervals);
    }
    receiver.count(250, counter::Reason::duplicate);
    intervals.finish();
    for (std::uint64_t i = 0; i < 10; ++i) {
        const auto& one = intervals.each()[i];
        EXPECT_EQ(one.by_reason[counter::Reason::expected], 100U);
        EXPECT_EQ(one.by_reason[counter::Reason::duplicate], i == 2 ? 1U : 0U);
        EXPECT_EQ(one.delay.count, 100U);
        EXPECT_EQ(one.delay.minimum, i * 100);
        EXPECT_EQ(one.delay.p1, i * 100);
        EXPECT_EQ(one.delay.median, static_cast<double>(i) * 100 + 49.5);
        EXPECT_EQ(one.delay.mean, static_cast<double>(i) * 100 + 49.5);
        EXPECT_EQ(one.delay.p99, i * 100 + 98);
        EXPECT_EQ(one.delay.maximum, i * 100 + 99);
    }
}

// The same frames at one receiver, and at three of which the last gets little.
TEST(SettledIntervals, SeveralReceiversCountAsOne) {
    std::mt19937_64 random(3);
    const Division division(5000, 250);
    SettledIntervals one(division), three(division, 3);
    ArrivalIntervals& only = one.of(0);
    for (std::uint64_t i = 0; i < 5000; ++i) {
        const std::uint64_t sequence = i > 100 ? i - random() % 100 : i, delay_ns = random() % 100'000;
        ArrivalIntervals& receiver = three.of(random() % 100 == 0 ? 2 : random() % 2);
        const auto reason = random() % 50 == 0 ? counter::Reason::mapping_changed : counter::Reason::expected;
        for (ArrivalIntervals* at : {&only, &receiver}) {
            at->count(sequence, reason);
            at->add_delay(sequence, delay_ns);
        }
        if (i % 7 == 0) {
            look(one);
            look(three);
        }
    }
    one.finish();
    three.finish();
    for (std::uint64_t i = 0; i < division.count(); ++i) {
        EXPECT_EQ(one.each()[i].by_reason, three.each()[i].by_reason);
        const auto &a = one.each()[i].delay, &b = three.each()[i].delay;
        EXPECT_GT(a.count, 200U);
        EXPECT_EQ(a.count, b.count);
        EXPECT_EQ(a.minimum, b.minimum);
        EXPECT_EQ(a.median, b.median);
        EXPECT_EQ(a.mean, b.mean);
        EXPECT_EQ(a.p99, b.p99);
        EXPECT_EQ(a.maximum, b.maximum);
    }
}

TEST(SettledIntervals, FramesMayArriveInDisorderAndAnIntervalLate) {
    SettledIntervals intervals(Division(100, 10));
    ArrivalIntervals& receiver = intervals.of(0);
    receiver.add_delay(15, 1);  // before any frame of the interval before
    look(intervals);
    receiver.add_delay(5, 2);
    look(intervals);
    receiver.add_delay(25, 3);
    look(intervals);
    receiver.add_delay(16, 4);
    receiver.add_delay(6, 5);  // two intervals late
    intervals.finish();
    EXPECT_EQ(intervals.each()[0].delay.count, 1U);
    EXPECT_EQ(intervals.each()[1].delay.count, 2U);
    EXPECT_EQ(intervals.each()[2].delay.count, 1U);
}

TEST(SettledIntervals, NothingMayArriveForLong) {
    SettledIntervals intervals(Division(1000, 10));
    ArrivalIntervals& receiver = intervals.of(0);
    for (const std::uint64_t sequence : {3U, 995U, 4U}) {
        receiver.add_delay(sequence, sequence);
        look(intervals);
    }
    intervals.finish();
    for (std::uint64_t i = 0; i < 100; ++i) EXPECT_EQ(intervals.each()[i].delay.count, i == 0 || i == 99 ? 1U : 0U) << i;
}

TEST(SettledIntervals, WithoutAnyoneToSummariseDelaysAreMissedAndNotMixed) {
    SettledIntervals intervals(Division(100, 10));
    ArrivalIntervals& receiver = intervals.of(0);
    for (std::uint64_t i = 0; i < 100; ++i) receiver.add_delay(i, i / 10);
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
    EXPECT_EQ(kept, 60U) << "as many as there is room for";
}

// Two threads receive, a third one settles as a trial does.
TEST(SettledIntervals, SettledByAnotherThread) {
    constexpr std::uint64_t frames = 2'000'000;
    SettledIntervals intervals(Division(frames, 200'000), 2);
    GracePeriod grace(2);
    std::atomic<unsigned> running = 2;
    std::vector<std::thread> workers;
    for (unsigned w = 0; w < 2; ++w) {
        workers.emplace_back([&, w, &receiver = intervals.of(w)] {
            for (std::uint64_t i = w; i < frames; i += 2) {
                if (i % 100 == w) grace.polled(w);
                if (i % 200'000 == w) std::this_thread::sleep_for(std::chrono::milliseconds(20));
                receiver.count(i, counter::Reason::expected);
                receiver.add_delay(i, i / 200'000);
            }
            grace.left(w);
            --running;
        });
    }
    while (running > 0) {
        if (grace.over()) intervals.settle();
        if (!grace.begun() && intervals.close()) grace.begin();
    }
    for (auto& worker : workers) worker.join();
    intervals.finish();
    for (std::uint64_t i = 0; i < 10; ++i) {
        const auto& one = intervals.each()[i];
        EXPECT_EQ(one.by_reason[counter::Reason::expected], 200'000U);
        EXPECT_EQ(one.delay.minimum, i);
        EXPECT_EQ(one.delay.maximum, i);
        EXPECT_GT(one.delay.count, 0U);
        EXPECT_LE(one.delay.count, 200'000U);
    }
}

}  // namespace
}  // namespace xlatperf::trial
