#include "translate/forward.h"

#include <gtest/gtest.h>

#include "packets.h"
#include "translate/siit.h"

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

TEST(Forward, R7915_V_HeadersAsTwoTranslatorsLeaveThem) {
    Siit siit;
    siit.map = AddressMap(wire::parse_ipv6_prefix("2001:2:0:6464::/96"), {});
    siit.ipv6_mtu = siit.ipv4_mtu = siit.lowest_ipv6_mtu = 9000;
    std::set<std::uint16_t> flags;
    for (const std::size_t data : {18UL, 1231UL, 1232UL, 1233UL, 1400UL}) {  // IPv4 packets of 1259, 1260 and 1261 bytes
        for (const std::uint16_t df : {std::uint16_t{0}, std::uint16_t{0x4000}}) {
            Octets packet = udp4(data, df), between(packet.size() + translation_room), after(between.size() + translation_room);
            put16(packet, 4, 0xbeef);
            put16(packet, 10, 0);
            put16(packet, 10, 0xffffU ^ ones_sum(packet, 0, 20));
            between.resize(translate_v4_to_v6(siit, packet, between).size);
            after.resize(translate_v6_to_v4(siit, between, after, 0x1234).size);
            ASSERT_EQ(forward_ipv4(packet, 9000).fate, Fate::forwarded);
            ASSERT_EQ(forward_ipv4(packet, 9000).fate, Fate::forwarded) << "each translator decrements the TTL";
            remake_ipv4_header(packet, 0x1234);
            EXPECT_EQ(packet, after) << data;
            flags.insert(get16(packet, 6));
        }
    }
    EXPECT_EQ(flags, (std::set<std::uint16_t>{0, 0x4000}));
    Octets fragment = udp4(100, 0x2000), same = fragment;
    remake_ipv4_header(fragment, 0x1234);
    EXPECT_EQ(fragment, same);
}

TEST(Forward, R7915_4_5_TwoTranslatorsComputeAUdpChecksumOrDrop) {
    Siit siit;
    siit.map = AddressMap(wire::parse_ipv6_prefix("2001:2:0:6464::/96"), {});
    siit.ipv6_mtu = siit.ipv4_mtu = siit.lowest_ipv6_mtu = 9000;
    siit.compute_udp_checksum_zero = true;
    const Octets with = udp4(19);
    Octets without = with, first = with, between(with.size() + translation_room), after(between.size() + translation_room);
    put16(without, 26, 0);
    put16(first, 26, 0);
    between.resize(translate_v4_to_v6(siit, without, between).size);
    after.resize(translate_v6_to_v4(siit, between, after, 7).size);
    TranslatedTwice drops, computes{true, 7};
    Octets dropped = without, computed = without, kept = with;
    EXPECT_EQ(forward(dropped, wire::Family::ipv4, 1500, &drops).fate, Fate::udp_checksum_zero);
    EXPECT_EQ(forward(computed, wire::Family::ipv4, 1500, &computes).fate, Fate::forwarded);
    EXPECT_EQ(get16(computed, 26), get16(after, 26));
    EXPECT_EQ(forward(kept, wire::Family::ipv4, 1500, &drops).fate, Fate::forwarded);
    EXPECT_EQ(get16(kept, 26), get16(with, 26));
    EXPECT_EQ(forward(without, wire::Family::ipv4, 1500, nullptr).fate, Fate::forwarded);
    EXPECT_EQ(get16(without, 26), 0u);
    put16(first, 6, 0x2000);  // a first fragment doesn't show all that the checksum covers
    put16(first, 10, 0);
    put16(first, 10, 0xffffU ^ ones_sum(first, 0, 20));
    EXPECT_EQ(forward(first, wire::Family::ipv4, 1500, &computes).fate, Fate::udp_checksum_zero);
}

TEST(Forward, PaddingIsNotPartOfThePacket) {
    Octets packet = udp4(2);
    packet.resize(46);
    EXPECT_EQ(forward_ipv4(packet, 1500).size, 30u);
}

}  // namespace
}  // namespace xlatperf::reference
