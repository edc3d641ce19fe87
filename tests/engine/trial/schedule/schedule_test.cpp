#include "trial/schedule/schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace xlatperf::trial {
namespace {

// frame * hz / rate with whole numbers, exactly (all arguments are whole).
std::uint64_t exact(std::uint64_t start, std::uint64_t hz, std::uint64_t rate, std::uint64_t frame) {
    return start + static_cast<std::uint64_t>(Ticks128{frame} * hz / rate);
}

Schedule constant(double hz, double rate, std::uint64_t frames, std::uint64_t start = 0) {
    Schedule schedule({{frames, frame_interval(hz, rate)}});
    schedule.start_at(start);
    return schedule;
}

std::uint64_t distance(std::uint64_t a, std::uint64_t b) { return a > b ? a - b : b - a; }

TEST(Schedule, AnHourAt150MfpsNeitherDriftsNorOverflows) {  // R1242-3.4
    constexpr std::uint64_t rate = 150'000'000, hour = 3600;
    for (const std::uint64_t hz : {1'000'000'000ULL, 1'999'999'003ULL, 2'400'000'000ULL, 4'999'999'999ULL}) {
        for (const std::uint64_t start : {std::uint64_t{0}, std::uint64_t{1} << 60}) {
            const auto schedule = constant(static_cast<double>(hz), static_cast<double>(rate), rate * hour, start);
            for (const std::uint64_t frame :
                 {std::uint64_t{0}, std::uint64_t{1}, rate, rate * 60 + 1, rate * hour / 2 + 7, rate * hour - 1, rate * hour}) {
                ASSERT_LE(distance(schedule.due_ticks(frame), exact(start, hz, rate, frame)), 1U)
                    << "frame " << frame << " at " << hz << " Hz";
            }
        }
    }
}

TEST(Schedule, ADayAtAnyRate) {
    std::mt19937_64 random(25);
    for (int i = 0; i < 2000; ++i) {
        const std::uint64_t hz = 1'000'000'000 + random() % 4'000'000'000, rate = 1 + (random() >> 34) % 1'000'000'000;
        const auto schedule = constant(static_cast<double>(hz), static_cast<double>(rate), rate * 86400);
        const std::uint64_t frame = random() % (rate * 86400);
        ASSERT_LE(distance(schedule.due_ticks(frame), exact(0, hz, rate, frame)), 1U)
            << "frame " << frame << " at rate " << rate << " and " << hz << " Hz";
    }
}

TEST(Schedule, WalkingEqualsOneStep) {
    for (const double rate : {1.0, 3.0, 14'880'952.0, 148'809'524.0, 1e9, 0.001, 999'983.0}) {
        const auto schedule = constant(2'399'999'871.3, rate, 200'000, 123'456'789);
        DueTime due(schedule);
        std::uint64_t last = 0;
        for (std::uint64_t frame = 0; frame < 100'000; ++frame) {
            ASSERT_EQ(due.sequence(), frame);
            ASSERT_EQ(due.ticks(), schedule.due_ticks(frame)) << frame;
            ASSERT_GE(due.ticks(), last) << "monotone";
            last = due.ticks();
            due.next();
        }
    }
}

TEST(Schedule, ExactlyTheRateInASecond) {  // R1242-3.4
    constexpr std::uint64_t hz = 2'000'000'003;
    for (const std::uint64_t rate : {7ULL, 1000ULL, 333'333ULL, 1'488'095ULL, 14'880'952ULL}) {
        const auto schedule = constant(static_cast<double>(hz), static_cast<double>(rate), 2 * rate);
        EXPECT_LT(schedule.due_ticks(rate - 1), hz);
        EXPECT_GE(schedule.due_ticks(rate) + 1, hz);
        std::uint64_t due = 0;
        for (DueTime walk(schedule); walk.ticks() < hz - 1; walk.next()) ++due;
        EXPECT_EQ(due, rate);
    }
}

TEST(Schedule, FasterThanTheClock) {
    const auto schedule = constant(1e9, 4e9, 100, 10);
    EXPECT_EQ(schedule.due_ticks(3), 10U);
    EXPECT_EQ(schedule.due_ticks(4), 11U);
}

// RFC 2544 §26.5 needs a second rate without a pause: a step begins where the last interval of the step before has passed.
TEST(Schedule, StepsFollowWithoutAPause) {
    Schedule schedule({{10, frame_interval(1e9, 1e7)}, {13, frame_interval(1e9, 1e8)}, {14, frame_interval(1e9, 1e6)}});
    schedule.start_at(5000);
    EXPECT_EQ(schedule.frames(), 14U);
    const std::uint64_t wanted[] = {5000, 5100, 5200, 5300, 5400, 5500, 5600, 5700, 5800, 5900, 6000, 6010, 6020, 6030};
    DueTime due(schedule);
    for (std::uint64_t frame = 0; frame < 14; ++frame) {
        EXPECT_EQ(schedule.due_ticks(frame), wanted[frame]) << frame;
        EXPECT_EQ(due.ticks(), wanted[frame]) << frame;
        if (frame + 1 < 14) due.next();
    }
    EXPECT_EQ(schedule.due_ticks(14), 7030U) << "when a frame behind the last would be due";
}

Schedule random_steps(std::mt19937_64& random) {
    std::vector<RateStep> steps;
    std::uint64_t end = 0;
    for (auto count = 1 + random() % 15; count > 0; --count) {
        end += 1 + random() % 500;
        steps.push_back({end, frame_interval(2.1e9, static_cast<double>(1 + random() % 100'000'000))});
    }
    Schedule schedule(steps);
    schedule.start_at(random() >> 4);
    return schedule;
}

TEST(Schedule, RandomStepsWalkedAndInOneStep) {
    std::mt19937_64 random(265);
    for (int round = 0; round < 50; ++round) {
        const Schedule schedule = random_steps(random);
        std::uint64_t frame = 0;
        for (DueTime due(schedule); frame < schedule.frames(); due.next()) ASSERT_EQ(due.ticks(), schedule.due_ticks(frame++));
    }
}

TEST(Schedule, SkippingIsWalking) {
    std::mt19937_64 random(26);
    for (int round = 0; round < 50; ++round) {
        const Schedule schedule = random_steps(random);
        for (DueTime due(schedule); due.sequence() < schedule.frames();) {
            const std::uint64_t frames = std::min<std::uint64_t>(1 + random() % 64, due.evenly());
            ASSERT_GE(due.evenly(), 1U);
            ASSERT_EQ(due.ticks_in(frames - 1), schedule.due_ticks(due.sequence() + frames - 1));
            due.skip(frames);
            ASSERT_EQ(due.ticks(), schedule.due_ticks(due.sequence()));
        }
    }
}

// The senders of a direction together send each frame once, each at the time at which a single one would.
TEST(Schedule, SharesAreTheWhole) {
    std::mt19937_64 random(7);
    for (int round = 0; round < 50; ++round) {
        const Schedule schedule = random_steps(random);
        const auto senders = 1 + static_cast<unsigned>(random() % 6);
        std::vector<unsigned> sent(schedule.frames());
        for (unsigned i = 0; i < senders; ++i) {
            std::uint64_t last = 0;
            const Share share{i, senders};
            for (DueTime due(schedule, share); !due.over();) {
                const std::uint64_t frames = std::min<std::uint64_t>(1 + random() % 64, due.evenly());
                ASSERT_GE(frames, 1U);
                for (std::uint64_t k = 0; k < frames; ++k) {
                    last = due.sequence() + k;
                    ASSERT_LT(last, schedule.frames());
                    ASSERT_EQ(last / Share::block % senders, i);
                    ASSERT_EQ(due.ticks_in(k), schedule.due_ticks(last));
                    ++sent[last];
                }
                due.skip(frames);
                if (due.over()) {
                    ASSERT_EQ(share.last_below(schedule.frames()), last);
                }
            }
        }
        ASSERT_EQ(std::count(sent.begin(), sent.end(), 1U), static_cast<std::ptrdiff_t>(schedule.frames()));
    }
}

TEST(Schedule, HowManyOfTheNextAreDue) {
    std::mt19937_64 random(9);
    for (int round = 0; round < 50; ++round) {
        const Schedule schedule = random_steps(random);
        const auto senders = 1 + static_cast<unsigned>(random() % 3);
        for (DueTime due(schedule, Share{0, senders}); !due.over();) {
            const auto most = 1 + static_cast<unsigned>(random() % 64);
            const std::uint64_t now = due.ticks() - 1 + random() % 3 * (due.ticks_in(1) - due.ticks());
            unsigned walked = 0;
            while (walked < std::min<std::uint64_t>(most, due.evenly()) && schedule.due_ticks(due.sequence() + walked) <= now)
                ++walked;
            ASSERT_EQ(due.due_by(now, most), walked);
            due.skip(std::max(1U, walked));
        }
    }
}

TEST(Schedule, HowManyAreDue) {
    std::mt19937_64 random(8);
    for (int round = 0; round < 50; ++round) {
        const Schedule schedule = random_steps(random);
        for (int i = 0; i < 50; ++i) {
            const std::uint64_t frame = random() % schedule.frames(), due = schedule.due_before(schedule.due_ticks(frame) + 1);
            ASSERT_GT(due, frame);
            ASSERT_TRUE(due == schedule.frames() || schedule.due_ticks(due) > schedule.due_ticks(frame));
        }
        EXPECT_EQ(schedule.due_before(schedule.due_ticks(0)), 0U);
    }
}

}  // namespace
}  // namespace xlatperf::trial
