#include "trial/send/held_back.h"

#include <gtest/gtest.h>

namespace xlatperf::trial {
namespace {

constexpr std::uint64_t patience = 500, absence = 50;

// A sender that has a frame every `interval` ticks, tries every 10 ticks and sends a burst of up to `burst` frames at once. The
// other end has room for `room` frames and takes one in `takes` ticks.
struct Simulation {
    std::int64_t interval, takes, burst = 32, room = 100;
    std::int64_t now = 0, sent = 0, given_up = 0, queued_until = 0;
    HeldBack held{patience, absence, 2};
    std::int64_t not_excused = 0;

    std::int64_t lag() const { return now - (sent + given_up) * interval; }
    void attempt() {
        const std::int64_t due = std::min(burst, lag() / interval);
        if (due <= 0) return;
        held.trying(now, lag());
        not_excused = lag() - static_cast<std::int64_t>(held.excused());
        const std::int64_t queued = std::max<std::int64_t>(0, (queued_until - now) / takes);
        const std::int64_t taken = std::min(due, room - queued);
        queued_until = std::max(queued_until, now) + taken * takes;
        sent += taken;
        held.tried(taken < due);
        for (; held.too_long() && lag() > 0; ++given_up) held.gave_up(static_cast<std::uint64_t>(interval));
    }
    void run(std::int64_t ticks) {
        for (const std::int64_t until = now + ticks; now < until; now += 10) attempt();
    }
};

TEST(HeldBack, WhoKeepsUpLosesNothing) {
    Simulation one{.interval = 20, .takes = 19};
    one.run(1'000'000);
    EXPECT_EQ(one.given_up, 0);
    EXPECT_LT(one.lag(), 100);
}

TEST(HeldBack, WhatTheOtherEndCantTakeIsLost) {  // two thirds of the rate
    Simulation one{.interval = 20, .takes = 30};
    one.run(3'000'000);
    EXPECT_NEAR(static_cast<double>(one.sent), 100'000, 300);
    EXPECT_NEAR(static_cast<double>(one.given_up), 50'000, 300);
    EXPECT_LE(one.lag(), static_cast<std::int64_t>(2 * patience));
}

TEST(HeldBack, AnEndThatStandsStillLosesAllButItsRoom) {
    Simulation one{.interval = 20, .takes = 1'000'000'000};
    one.run(1'000'000);
    EXPECT_NEAR(static_cast<double>(one.sent), 100, 1);
    EXPECT_NEAR(static_cast<double>(one.given_up), 49'900, 50);
}

TEST(HeldBack, AShortStandstillIsBorne) {
    Simulation one{.interval = 20, .takes = 10};
    one.run(10'000);
    one.queued_until = one.now + 100 * 10 + 400;  // full, and nothing is taken for 400 ticks
    one.run(100'000);
    EXPECT_EQ(one.given_up, 0);
    EXPECT_LT(one.lag(), 100);
}

TEST(HeldBack, TheTestersOwnAbsenceIsNotTheOtherEnds) {  // it catches up faster than the other end can take
    Simulation one{.interval = 20, .takes = 15};
    one.run(10'000);
    one.now += 20'000;
    one.run(1'000'000);
    EXPECT_EQ(one.given_up, 0);
    EXPECT_LT(one.lag(), 100);
}

// 4 ms late through its own fault, it can't catch up with an end that takes less than is due: but for that, it would have.
TEST(HeldBack, WhatCantBeCaughtUpIsExcused) {
    Simulation one{.interval = 20, .takes = 30};
    one.run(100'000);
    one.now += 4'000;
    one.run(1'000);
    EXPECT_GT(one.not_excused, 1'000) << "not yet";
    one.run(4'000);
    EXPECT_LT(one.not_excused, 100);
    const std::int64_t given_up = one.given_up;
    one.run(60'000);
    EXPECT_LT(one.not_excused, 100);
    EXPECT_GT(one.lag(), 2'000) << "the lag itself stays";
    EXPECT_NEAR(static_cast<double>(one.given_up - given_up), 1'000, 30) << "no more than the other end can't take";
}

TEST(HeldBack, ASenderThatIsTooSlowIsNotHeldBack) {  // 1 frame in 10 ticks is all that it can do, and it's asked for 2
    Simulation one{.interval = 5, .takes = 1, .burst = 1};
    one.run(1'000'000);
    EXPECT_EQ(one.given_up, 0);
    EXPECT_GT(one.lag(), 400'000);
    EXPECT_GT(one.not_excused, 400'000);
}

}  // namespace
}  // namespace xlatperf::trial
