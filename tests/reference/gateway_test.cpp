// The gateway as a whole, on frames.
#include "gateway/gateway.h"

#include <gtest/gtest.h>

#include "bed.h"
#include "technology_of.h"

namespace xlatperf::reference {
namespace {

using namespace test;

GatewaySettings gateway_settings(bool siit) {
    GatewaySettings s;
    s.sides[0].ipv6 = wire::parse_ipv6_prefix("2001:2:0:7fff::1/64");
    s.sides[0].ipv4 = wire::parse_ipv4_prefix("198.18.254.1/30");
    s.sides[0].ipv6_routes = {{*wire::parse_ipv6_prefix("2001:2::/64"), *wire::parse_ipv6("2001:2:0:7fff::2")}};
    s.sides[1].ipv4 = wire::parse_ipv4_prefix("198.18.255.1/30");
    s.sides[1].ipv6 = wire::parse_ipv6_prefix("2001:2:0:ffff::1/64");
    s.sides[1].ipv4_routes = {{*wire::parse_ipv4_prefix("198.19.0.0/24"), *wire::parse_ipv4("198.18.255.2")}};
    s.sides[1].ipv6_routes = {{*wire::parse_ipv6_prefix("2001:2:0:8000::/64"), *wire::parse_ipv6("2001:2:0:ffff::2")},
                              {*wire::parse_ipv6_prefix("2001:2:0:1000::/64"), *wire::parse_ipv6("2001:2:0:ffff::2")}};
    if (siit)
        s.technology = technology_of(nlohmann::json::parse(R"({"name": "siit", "ipv6_side": "left",
            "eam": [{"ipv4": "198.18.0.0/24", "ipv6": "2001:2::/120"}, {"ipv4": "198.19.0.0/24", "ipv6": "2001:2:0:1000::/120"}]})"));
    return s;
}

TEST(Gateway, AnswersArpAndNeighborDiscovery) {
    Bed bed(gateway_settings(true));
    bed.introduce();
    ASSERT_EQ(bed.recorder.sent.size(), 3u);
    const auto reply = parse_arp(bed.recorder.sent[0].octets);
    ASSERT_TRUE(reply);
    EXPECT_FALSE(reply->is_request);
    EXPECT_EQ(reply->sender_mac, mac(right_mac));
    EXPECT_EQ(Octets(bed.recorder.sent[0].octets.begin(), bed.recorder.sent[0].octets.begin() + 6), tester_right);
    const auto advertisement = parse_neighbor_message(bed.recorder.sent[1].octets);
    ASSERT_TRUE(advertisement);
    EXPECT_EQ(advertisement->mac, mac(left_mac));
    EXPECT_EQ(to_text(advertisement->target), "2001:2:0:7fff::1");
    EXPECT_EQ(bed.pool.live(), 0u);
}

TEST(Gateway, TranslatesBothWays) {
    Bed bed(gateway_settings(true));
    bed.introduce();
    bed.recorder.sent.clear();
    bed.from_left(0x86dd, udp6(18));
    bed.from_right(0x0800, with_checksum(ipv4("198.19.0.2", "198.18.0.2", 17, udp(18)), 17, 6));
    ASSERT_EQ(bed.recorder.sent.size(), 2u);
    const auto& four = bed.recorder.sent[0];
    EXPECT_EQ(four.side, Side::right);
    EXPECT_EQ(Octets(four.octets.begin(), four.octets.begin() + 12), hex("141414141414 040404040404"));
    EXPECT_EQ(get16(four.octets, 12), 0x0800);
    EXPECT_EQ(four.octets.size(), 60u);
    const auto& six = bed.recorder.sent[1];
    EXPECT_EQ(six.side, Side::left);
    EXPECT_EQ(get16(six.octets, 12), 0x86dd);
    EXPECT_EQ(six.octets.size(), 80u);
    EXPECT_EQ(bed.gateway.counters(Direction::forward).translated, 1u);
    EXPECT_EQ(bed.gateway.counters(Direction::reverse).translated, 1u);
    EXPECT_EQ(bed.pool.live(), 0u);
}

TEST(Gateway, BackgroundIpv6IsRoutedNatively) {
    Bed bed(gateway_settings(true));
    bed.introduce();
    bed.recorder.sent.clear();
    const Octets packet = with_checksum(ipv6("2001:2:0:0:1::2", "2001:2:0:8000::2", 17, udp(18)), 17, 6);
    bed.from_left(0x86dd, packet);
    ASSERT_EQ(bed.recorder.sent.size(), 1u);
    Octets expected = packet;
    expected[7] = 9;
    EXPECT_EQ(Octets(bed.recorder.sent[0].octets.begin() + 14, bed.recorder.sent[0].octets.end()), expected);
    EXPECT_EQ(bed.gateway.counters(Direction::forward).native, 1u);
}

TEST(Gateway, ResolvesNextHopsAndKeepsAFewPackets) {
    Bed bed(gateway_settings(true));
    for (int i = 0; i < 20; ++i) bed.from_left(0x86dd, udp6(18));
    ASSERT_EQ(bed.recorder.sent.size(), 1u);
    const auto request = parse_arp(bed.recorder.sent[0].octets);
    ASSERT_TRUE(request && request->is_request);
    EXPECT_EQ(to_text(request->target), "198.18.255.2");
    EXPECT_EQ(bed.refused(Direction::forward, Fate::no_neighbor), 4u);
    EXPECT_EQ(bed.gateway.impairments(Direction::forward).counters().test_packets, 0u);
    bed.introduce();
    EXPECT_EQ(bed.gateway.impairments(Direction::forward).counters().test_packets, 16u);
    EXPECT_EQ(bed.pool.live(), 0u);
}

TEST(Gateway, GivesUpNeighborsThatDoNotAnswer) {
    Bed bed(gateway_settings(true));
    bed.from_left(0x86dd, udp6(18));
    for (int i = 0; i < 10; ++i) bed.gateway.poll(bed.now += Neighbors::retransmit_ns);
    EXPECT_EQ(bed.recorder.sent.size(), Neighbors::attempts);
    EXPECT_EQ(bed.refused(Direction::forward, Fate::no_neighbor), 1u);
    EXPECT_EQ(bed.pool.live(), 0u);
}

TEST(Gateway, ErrorsGoBack) {
    Bed bed(gateway_settings(true));
    bed.introduce();
    bed.recorder.sent.clear();
    bed.from_left(0x86dd, ipv6("2001:2::2", "2001:2:0:1000::2", 17, udp(18), 1));
    bed.from_left(0x86dd, ipv6("2001:2::2", "2001:db8::2", 17, udp(18)));
    bed.from_right(0x0800, udp4(1472, 0x4000));
    ASSERT_EQ(bed.recorder.sent.size(), 3u);
    EXPECT_EQ(bed.recorder.sent[0].octets[54], 3);  // time exceeded
    EXPECT_EQ(bed.recorder.sent[1].octets[54], 1);  // unreachable, no route
    EXPECT_EQ(bed.recorder.sent[2].octets[34], 3);  // fragmentation needed
    EXPECT_EQ(bed.recorder.sent[2].octets[35], 4);
    EXPECT_EQ(get16(bed.recorder.sent[2].octets, 40), 1480);
    for (const auto& sent : bed.recorder.sent) {
        const Octets ip(sent.octets.begin() + 14, sent.octets.end());
        EXPECT_EQ(ip[0] >> 4 == 6 ? transport_sum(ip, 58) : ones_sum(ip, 20, ip.size()), 0xffff);
    }
}

TEST(Gateway, ErrorsAreLimited) {
    GatewaySettings s = gateway_settings(true);
    s.icmp_errors_per_second = 3;
    Bed bed(s);
    for (int i = 0; i < 10; ++i) bed.from_left(0x86dd, ipv6("2001:2::2", "2001:db8::2", 17, udp(18)));
    EXPECT_EQ(bed.recorder.sent.size(), 3u);
}

TEST(Gateway, R7915_4_1_FragmentsAreSent) {
    Bed bed(gateway_settings(true));
    bed.introduce();
    bed.recorder.sent.clear();
    bed.from_right(0x0800, with_checksum(ipv4("198.19.0.2", "198.18.0.2", 17, udp(1452)), 17, 6));
    ASSERT_EQ(bed.recorder.sent.size(), 2u);
    EXPECT_LE(bed.recorder.sent[0].octets.size(), 1294u);
    EXPECT_EQ(bed.recorder.sent[0].octets[20], 44);
    EXPECT_EQ(bed.gateway.counters(Direction::reverse).fragmented, 1u);
    EXPECT_EQ(bed.pool.live(), 0u);
}

TEST(Gateway, AnswersEcho) {
    Bed bed(gateway_settings(false));
    Octets message = hex("80 00 0000 0001 0002 61");
    bed.from_left(0x86dd, with_checksum(ipv6("2001:2:0:7fff::2", "2001:2:0:7fff::1", 58, message), 58, 2));
    message[0] = 8;
    bed.from_right(0x0800, with_checksum(ipv4("198.18.255.2", "198.18.255.1", 1, message), 1, 2, false));
    ASSERT_EQ(bed.recorder.sent.size(), 2u);
    const Octets six(bed.recorder.sent[0].octets.begin() + 14, bed.recorder.sent[0].octets.end());
    EXPECT_EQ(six[40], 129);
    EXPECT_EQ(transport_sum(six, 58), 0xffff);
    const Octets four(bed.recorder.sent[1].octets.begin() + 14, bed.recorder.sent[1].octets.end());
    EXPECT_EQ(four[20], 0);
    EXPECT_EQ(ones_sum(four, 20, four.size()), 0xffff);
    EXPECT_EQ(ones_sum(four, 0, 20), 0xffff);
}

TEST(Gateway, ForwardRoutesBothFamilies) {
    Bed bed(gateway_settings(false));
    bed.introduce();
    bed.recorder.sent.clear();
    bed.from_left(0x0800, udp4(18));
    bed.from_left(0x86dd, udp6(18));
    EXPECT_EQ(bed.gateway.counters(Direction::forward).native, 2u);
    EXPECT_EQ(bed.recorder.sent.size(), 2u);
}

TEST(Gateway, UntranslatedIsThePacketAsItArrived) {
    GatewaySettings s = gateway_settings(true);
    s.plans[0].untranslated = {2, {}};
    Bed bed(s);
    bed.introduce();
    bed.recorder.sent.clear();
    for (int i = 0; i < 4; ++i) bed.from_left(0x86dd, udp6(18));
    ASSERT_EQ(bed.recorder.sent.size(), 4u);
    EXPECT_EQ(bed.recorder.sent[1].octets, ethernet(0x86dd, udp6(18), tester_right, right_mac));
    EXPECT_EQ(bed.recorder.sent[1].side, Side::right);
    EXPECT_EQ(bed.gateway.impairments(Direction::forward).counters().untranslated, 2u);
    EXPECT_EQ(bed.pool.live(), 0u);
}

TEST(Gateway, NotForUs) {
    Bed bed(gateway_settings(true));
    bed.gateway.receive(Side::left, bed.pool.with(ethernet(0x86dd, udp6(18), tester_right, tester_left)), 1);
    bed.gateway.receive(Side::left, bed.pool.with(Octets(5)), 1);
    bed.from_left(0x88cc, Octets(60));
    EXPECT_EQ(bed.refused(Direction::forward, Fate::not_for_us), 1u);
    EXPECT_EQ(bed.refused(Direction::forward, Fate::malformed), 1u);
    EXPECT_EQ(bed.refused(Direction::forward, Fate::other_ethertype), 1u);
    EXPECT_EQ(bed.pool.live(), 0u);
}

TEST(Routes, LongestPrefixOfBothSides) {
    Ipv4Routes routes;
    const auto add = [&](const char* prefix, Side side) { routes.add(*wire::parse_ipv4_prefix(prefix), {side, {}}); };
    add("0.0.0.0/0", Side::left);
    add("198.18.0.0/15", Side::right);
    add("198.18.5.0/24", Side::left);
    add("198.18.5.7/32", Side::right);
    EXPECT_EQ(routes.find(*wire::parse_ipv4("9.9.9.9"))->side, Side::left);
    EXPECT_EQ(routes.find(*wire::parse_ipv4("198.19.9.9"))->side, Side::right);
    EXPECT_EQ(routes.find(*wire::parse_ipv4("198.18.5.8"))->side, Side::left);
    EXPECT_EQ(routes.find(*wire::parse_ipv4("198.18.5.7"))->side, Side::right);
    EXPECT_EQ(Ipv6Routes().find({}), nullptr);
}

}  // namespace
}  // namespace xlatperf::reference
