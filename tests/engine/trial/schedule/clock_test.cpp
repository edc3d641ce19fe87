#include "trial/schedule/clock.h"

#include <gtest/gtest.h>
#include <time.h>

namespace xlatperf::trial {
namespace {

TEST(Clock, GoesForward) {
    std::uint64_t last = Clock::now();
    for (int i = 0; i < 1000; ++i) {
        const auto now = Clock::now();
        ASSERT_GE(now, last);
        last = now;
    }
}

TEST(Clock, IsMeasuredAgainstTheRawClock) {
    const Clock clock;
    clock.settle(50, 100);
    const auto one = clock.measure(), two = clock.measure();
    EXPECT_GT(one.hz, 1e8);
    EXPECT_LT(one.hz, 1e10);
    EXPECT_GE(one.uncertainty_ppm, 0);
    const double bound = (one.uncertainty_ppm + two.uncertainty_ppm + 1) * 1e-6 * one.hz;
    EXPECT_NEAR(one.hz, two.hz, bound) << "two measurements differ by no more than they say";
}

TEST(Clock, BecomesMoreCertain) {
    const Clock clock;
    clock.settle(1e6, 1);
    timespec pause{0, 2'000'000};
    nanosleep(&pause, nullptr);
    const double early = clock.measure().uncertainty_ppm;
    pause.tv_nsec = 60'000'000;
    nanosleep(&pause, nullptr);
    EXPECT_LT(clock.measure().uncertainty_ppm, early * 1.5) << "the longer ago, the more certain";
}

TEST(TickScale, ConvertsWithin2To31) {
    for (const double hz : {1e9, 1.9999990001e9, 2.4e9, 2.9999e9, 5e9}) {
        const TickScale scale(hz);
        for (const std::uint64_t ticks : {0ULL, 1ULL, 1000ULL, 1'000'000ULL, 1'000'000'000'000ULL, 1ULL << 47}) {
            const double wanted = static_cast<double>(ticks) * 1e9 / hz;
            EXPECT_NEAR(static_cast<double>(scale.ns(ticks)), wanted, wanted / 2147483648.0 + 1) << ticks << " at " << hz;
        }
    }
}

}  // namespace
}  // namespace xlatperf::trial
