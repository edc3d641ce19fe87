// When a DUT that is silent is asked for its MAC address again.
#include "trial/inquiry.h"

#include <gtest/gtest.h>

namespace xlatperf::trial {
namespace {

constexpr double hz = 1e9;
constexpr std::uint64_t ms = 1'000'000;

TEST(Inquiry, NotWhileFramesArrive) {
    Inquiry inquiry(10'000, hz);
    for (std::uint64_t now = ms; now < 1000 * ms; now += ms) ASSERT_FALSE(inquiry.due(now, now - 9 * ms));
}

TEST(Inquiry, SilenceIsLongerThanFramesAreApart) {
    Inquiry slow(10, hz);  // each 100 ms
    EXPECT_FALSE(slow.due(399 * ms, 0));
    EXPECT_TRUE(slow.due(400 * ms, 0));
}

TEST(Inquiry, NoMoreThanAHundredthOfTheSilenceIsAdded) {
    Inquiry inquiry(10'000, hz);
    std::uint64_t last = 0;
    unsigned questions = 0;
    for (std::uint64_t now = 0; now < 60'000 * ms; now += ms / 10) {
        if (!inquiry.due(now, 0)) continue;
        EXPECT_LE(now - last, std::max(10 * ms, last / 100) + ms / 10) << now;
        last = now;
        ++questions;
    }
    EXPECT_GT(last, 59'000 * ms);
    EXPECT_LT(questions, 1000U) << "an hour's reset isn't a storm of questions";
}

TEST(Inquiry, ANewSilenceIsAskedInAnew) {
    Inquiry inquiry(10'000, hz);
    EXPECT_TRUE(inquiry.due(1000 * ms, 0));
    EXPECT_FALSE(inquiry.due(1005 * ms, 1000 * ms));
    EXPECT_TRUE(inquiry.due(1010 * ms, 1000 * ms));
}

}  // namespace
}  // namespace xlatperf::trial
