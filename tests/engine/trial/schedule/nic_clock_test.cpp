// The arithmetic of pacing and stamping by the NIC: without hardware that's all that can be tested.
#include "trial/schedule/nic_clock.h"

#include <gtest/gtest.h>

#include "port/nic_time.h"

namespace xlatperf {
namespace {

TEST(NicClock, TranslatesBothWays) {
    // A NIC whose clock counts nanoseconds beside a counter of 2.6 GHz.
    const trial::NicClock clock({1'000, 500'000}, {1'000 + 2'600'000, 500'000 + 1'000'000});
    EXPECT_EQ(clock.to_nic(1'000 + 2'600'000), 1'500'000U);
    EXPECT_NEAR(static_cast<double>(clock.to_nic(1'000 + 5'200'000)), 2'500'000.0, 1);
    EXPECT_NEAR(static_cast<double>(clock.to_nic(1'000)), 500'000.0, 1);  // before the second reading too
    EXPECT_NEAR(static_cast<double>(clock.to_ticks(2'500'000)), 5'201'000.0, 3);
}

TEST(NicClock, StaysExactOverADay) {
    // 20 ms between the readings; a day later both directions still agree within a few ticks.
    const trial::NicClock clock({0, 7}, {40'000'000, 20'000'007});
    const std::uint64_t day = 86'400ULL * 2'000'000'000;
    EXPECT_NEAR(static_cast<double>(clock.to_nic(40'000'000 + day) - 20'000'007), 86'400e9, 2);
    const std::uint64_t there_and_back = clock.to_ticks(clock.to_nic(40'000'000 + day));
    EXPECT_LE(there_and_back > 40'000'000 + day ? there_and_back - 40'000'000 - day : 40'000'000 + day - there_and_back, 4U);
}

TEST(NicClock, SurvivesTheWrapOfTheNicsClock) {
    const std::uint64_t last = ~std::uint64_t{0};
    const trial::NicClock clock({1'000'000, last - 100}, {3'000'000, last - 100 + 1'000'000});
    EXPECT_EQ(clock.to_nic(3'000'000), last - 100 + 1'000'000);
}

TEST(QueueRate, IsTheNextWholeMegabit) {
    // RFC 8219 App. A: 20 bytes of preamble and gap. 84 bytes at 1 Mfps are 832 Mbit/s.
    EXPECT_EQ(port::queue_rate_mbps(1e6, 84), 832U);
    EXPECT_EQ(port::queue_rate_mbps(1e6 + 1, 84), 833U);
    EXPECT_EQ(port::queue_rate_mbps(1, 64), 1U);
    EXPECT_EQ(port::queue_rate_mbps(148'809'523, 64), 100'000U);
    EXPECT_FALSE(port::queue_rate_mbps(1e10, 1518));
}

}  // namespace
}  // namespace xlatperf
