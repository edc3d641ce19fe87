#include "trial/schedule.h"

#include <gtest/gtest.h>

#include <random>

namespace xlatperf::trial {
namespace {

// frame * hz / rate with whole numbers, exactly (all arguments are whole).
std::uint64_t exact(std::uint64_t start, std::uint64_t hz, std::uint64_t rate, std::uint64_t frame) {
    return start + static_cast<std::uint64_t>(Ticks128{frame} * hz / rate);
}

TEST(Schedule, AnHourAt150MfpsNeitherDriftsNorOverflows) {
    constexpr std::uint64_t rate = 150'000'000, hour = 3600;
    for (const std::uint64_t hz : {1'000'000'000ULL, 1'999'999'003ULL, 2'400'000'000ULL, 4'999'999'999ULL}) {
        const auto interval = frame_interval(static_cast<double>(hz), static_cast<double>(rate));
        for (const std::uint64_t start : {std::uint64_t{0}, std::uint64_t{1} << 60}) {
            for (const std::uint64_t frame : {std::uint64_t{0}, std::uint64_t{1}, rate, rate * 60 + 1, rate * hour / 2 + 7, rate * hour - 1, rate * hour}) {
                const auto due = due_ticks(start, interval, frame), wanted = exact(start, hz, rate, frame);
                ASSERT_LE(due > wanted ? due - wanted : wanted - due, 1U) << "frame " << frame << " at " << hz << " Hz";
            }
        }
    }
}

TEST(Schedule, ADayAtAnyRate) {
    std::mt19937_64 random(25);
    for (int i = 0; i < 2000; ++i) {
        const std::uint64_t hz = 1'000'000'000 + random() % 4'000'000'000, rate = 1 + (random() >> 34) % 1'000'000'000;
        const auto interval = frame_interval(static_cast<double>(hz), static_cast<double>(rate));
        const std::uint64_t frame = random() % (rate * 86400);
        const auto due = due_ticks(0, interval, frame), wanted = exact(0, hz, rate, frame);
        ASSERT_LE(due > wanted ? due - wanted : wanted - due, 1U) << "frame " << frame << " at rate " << rate << " and " << hz << " Hz";
    }
}

TEST(Schedule, WalkingEqualsOneStep) {
    for (const double rate : {1.0, 3.0, 14'880'952.0, 148'809'524.0, 1e9, 0.001, 999'983.0}) {
        const auto interval = frame_interval(2'399'999'871.3, rate);
        DueTime due(123'456'789, interval);
        std::uint64_t last = 0;
        for (std::uint64_t frame = 0; frame < 100'000; ++frame) {
            ASSERT_EQ(due.ticks(), due_ticks(123'456'789, interval, frame)) << frame;
            ASSERT_GE(due.ticks(), last) << "monotone";
            last = due.ticks();
            due.next();
        }
    }
}

TEST(Schedule, ExactlyTheRateInASecond) {
    constexpr std::uint64_t hz = 2'000'000'003;
    for (const std::uint64_t rate : {7ULL, 1000ULL, 333'333ULL, 1'488'095ULL, 14'880'952ULL}) {
        const auto interval = frame_interval(static_cast<double>(hz), static_cast<double>(rate));
        EXPECT_LT(due_ticks(0, interval, rate - 1), hz);
        EXPECT_GE(due_ticks(0, interval, rate) + 1, hz);
        std::uint64_t due = 0;
        for (DueTime walk(0, interval); walk.ticks() < hz - 1; walk.next()) ++due;
        EXPECT_EQ(due, rate);
    }
}

TEST(Schedule, FasterThanTheClock) {
    const auto interval = frame_interval(1e9, 4e9);
    EXPECT_EQ(due_ticks(10, interval, 3), 10U);
    EXPECT_EQ(due_ticks(10, interval, 4), 11U);
}

}  // namespace
}  // namespace xlatperf::trial
