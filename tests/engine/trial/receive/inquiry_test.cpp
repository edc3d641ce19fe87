// When a DUT that is silent is asked for its MAC address again.
#include "trial/receive/inquiry.h"

#include <gtest/gtest.h>

namespace xlatperf::trial {
namespace {

constexpr double nanoseconds_per_second = 1e9;
constexpr std::uint64_t inquiry_ms = 1'000'000;

TEST(Inquiry, NotWhileFramesArrive) {
    Inquiry inquiry(10'000, nanoseconds_per_second);
    for (std::uint64_t now = inquiry_ms; now < 1000 * inquiry_ms; now += inquiry_ms)
        ASSERT_FALSE(inquiry.due(now, now - 9 * inquiry_ms));
}

TEST(Inquiry, SilenceIsLongerThanFramesAreApart) {
    Inquiry slow(10, nanoseconds_per_second);  // each 100 ms
    EXPECT_FALSE(slow.due(399 * inquiry_ms, 0));
    EXPECT_TRUE(slow.due(400 * inquiry_ms, 0));
}

TEST(Inquiry, NoMoreThanAHundredthOfTheSilenceIsAdded) {
    Inquiry inquiry(10'000, nanoseconds_per_second);
    std::uint64_t last = 0;
    unsigned questions = 0;
    for (std::uint64_t now = 0; now < 60'000 * inquiry_ms; now += inquiry_ms / 10) {
        if (!inquiry.due(now, 0)) continue;
        EXPECT_LE(now - last, std::max(10 * inquiry_ms, last / 100) + inquiry_ms / 10) << now;
        last = now;
        ++questions;
    }
    EXPECT_GT(last, 59'000 * inquiry_ms);
    EXPECT_LT(questions, 1000U) << "an hour's reset isn't a storm of questions";
}

TEST(Inquiry, ANewSilenceIsAskedInAnew) {
    Inquiry inquiry(10'000, nanoseconds_per_second);
    EXPECT_TRUE(inquiry.due(1000 * inquiry_ms, 0));
    EXPECT_FALSE(inquiry.due(1005 * inquiry_ms, 1000 * inquiry_ms));
    EXPECT_TRUE(inquiry.due(1010 * inquiry_ms, 1000 * inquiry_ms));
}

}  // namespace
}  // namespace xlatperf::trial
