#include "translate/forward.h"

#include <gtest/gtest.h>

#include "packets.h"

namespace xlatperf::reference {
namespace {

using namespace test;

TEST(Forward, Rfc1812_5_3_1_Ipv4HopDecrementsTtlAndKeepsTheChecksumRight) {
    for (unsigned ttl = 2; ttl < 256; ++ttl) {
        Octets packet = ipv4("198.18.0.2", "198.19.0.2", 17, udp(18), 0, static_cast<std::uint8_t>(ttl));
        ASSERT_EQ(forward_ipv4(packet, 1500).fate, Fate::forwarded);
        EXPECT_EQ(packet[8], ttl - 1);
        EXPECT_EQ(ones_sum(packet, 0, 20), 0xffff);
    }
}

TEST(Forward, Ipv6HopChangesTheHopLimitOnly) {
    Octets packet = udp6(18), expected = packet;
    expected[7] = 9;
    ASSERT_EQ(forward_ipv6(packet, 1500).fate, Fate::forwarded);
    EXPECT_EQ(packet, expected);
}

TEST(Forward, Limits) {
    Octets four = ipv4("198.18.0.2", "198.19.0.2", 17, udp(18), 0, 1);
    EXPECT_EQ(forward_ipv4(four, 1500).fate, Fate::hop_limit);
    Octets six = ipv6("2001:2::2", "2001:2:0:1000::2", 17, udp(18), 1);
    EXPECT_EQ(forward_ipv6(six, 1500).fate, Fate::hop_limit);
    six = udp6(1400);
    EXPECT_EQ(forward_ipv6(six, 1280).detail, 1280u);
    EXPECT_EQ(forward_ipv6(six, 1280).fate, Fate::too_big);
    four = udp4(1400, 0x4000);
    EXPECT_EQ(forward_ipv4(four, 1280).fate, Fate::too_big);
    four = udp4(1400);
    EXPECT_EQ(forward_ipv4(four, 1280).fragment_at, 1280u);
    four = udp4(18);
    four[10] ^= 1;
    EXPECT_EQ(forward_ipv4(four, 1500).fate, Fate::ipv4_checksum);
}

TEST(Forward, PaddingIsNotPartOfThePacket) {
    Octets packet = udp4(2);
    packet.resize(46);
    EXPECT_EQ(forward_ipv4(packet, 1500).size, 30u);
}

}  // namespace
}  // namespace xlatperf::reference
