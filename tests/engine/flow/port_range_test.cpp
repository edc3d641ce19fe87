#include "flow/port_range.h"

#include <gtest/gtest.h>

#include <vector>

namespace xlatperf::flow {
namespace {

TEST(PortRange, Fixed) {
    const PortRange range(Order::fixed, 7, 9);
    for (std::uint64_t i = 0; i < 10; ++i) EXPECT_EQ(range.port(i, static_cast<std::uint32_t>(i * 0x12345678)), 7);
}

TEST(PortRange, IncreasingWrapsAndIncludesBothEnds) {
    const PortRange range(Order::increasing, 10, 12);
    const std::vector<std::uint16_t> wanted = {10, 11, 12, 10, 11, 12, 10};
    for (std::uint64_t i = 0; i < wanted.size(); ++i) EXPECT_EQ(range.port(i, 0), wanted[i]) << i;
    EXPECT_EQ(range.first(), 10);
    EXPECT_EQ(range.last(), 12);
}

TEST(PortRange, DecreasingIsTheMirror) {
    for (const auto& [first, last] :
         {std::pair<std::uint16_t, std::uint16_t>{10, 12}, {0, 65535}, {1, 49151}, {1024, 65535}, {5, 5}}) {
        const PortRange up(Order::increasing, first, last), down(Order::decreasing, first, last);
        for (std::uint64_t i = 0; i < 200000; i += 7) ASSERT_EQ(up.port(i, 0) + down.port(i, 0), first + last) << i;
    }
}

TEST(PortRange, TheWholeRangeOfPorts) {
    const PortRange range(Order::increasing, 0, 65535);
    EXPECT_EQ(range.last(), 65535);
    EXPECT_EQ(range.port(0, 0), 0);
    EXPECT_EQ(range.port(65535, 0), 65535);
    EXPECT_EQ(range.port(65536, 0), 0);
    const PortRange random(Order::pseudorandom, 0, 65535);
    EXPECT_EQ(random.port(0, 0), 0);
    EXPECT_EQ(random.port(0, 0xffffffff), 65535);
}

// R4814-4.5: source ports 1024 to 65535, destination ports 1 to 49151, uniform (R4814-3.2).
TEST(PortRange, PseudorandomIsUniformOverTheRangesOfRfc4814) {
    for (const auto& [first, last] : {std::pair<std::uint16_t, std::uint16_t>{1024, 65535}, {1, 49151}}) {
        const PortRange range(Order::pseudorandom, first, last);
        const std::uint32_t ports = last - first + 1U;
        constexpr std::uint32_t per_port = 20;
        std::vector<std::uint32_t> counts(ports);
        for (std::uint64_t i = 0; i < std::uint64_t{ports} * per_port; ++i) {
            const auto port = range.port(i, static_cast<std::uint32_t>(mix(i)));
            ASSERT_GE(port, first);
            ASSERT_LE(port, last);
            ++counts[static_cast<std::uint32_t>(port - first)];
        }
        double chi_square = 0;
        for (const auto count : counts) {
            const double off = static_cast<double>(count) - per_port;
            chi_square += off * off / per_port;
        }
        // Mean ports - 1, standard deviation sqrt(2 * (ports - 1)) = 360 at most: this is more than 5 of them either way.
        EXPECT_NEAR(chi_square, ports - 1, 2000);
        EXPECT_GT(counts.front(), 0U);
        EXPECT_GT(counts.back(), 0U);
    }
}

TEST(PortRange, DefaultIsPortZero) { EXPECT_EQ(PortRange().port(5, 0xffffffff), 0); }

}  // namespace
}  // namespace xlatperf::flow
