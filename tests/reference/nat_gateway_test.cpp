// Stateful translation by the gateway as a whole: headers, checksums, routes, and what isn't translated.
#include <gtest/gtest.h>

#include "nat_bed.h"

namespace xlatperf::reference {
namespace {

using namespace test;

TEST(NatGateway, Nat44Headers) {
    NatBed bed(nat44);
    EXPECT_EQ(bed.through(Side::left, v4("10.0.0.2", "198.19.0.2", 5000, 7, 19)),
              hop(v4("198.19.200.1", "198.19.0.2", 2000, 7, 19)));
    EXPECT_EQ(bed.through(Side::left, v4("10.0.0.3", "198.19.0.2", 2500, 8)), hop(v4("198.19.200.1", "198.19.0.2", 2500, 8)));
    EXPECT_EQ(bed.through(Side::right, v4("198.19.0.2", "198.19.200.1", 7, 2000)), hop(v4("198.19.0.2", "10.0.0.2", 7, 5000)));
    EXPECT_EQ(bed.through(Side::right, v4("198.19.0.2", "198.19.200.1", 8, 2500, 18, 0x4000)),
              hop(v4("198.19.0.2", "10.0.0.3", 8, 2500, 18, 0x4000)));
    EXPECT_EQ(bed.state()["entries"], 2);
    EXPECT_EQ(bed.gateway.counters(Direction::forward).translated, 2u);
    EXPECT_EQ(bed.gateway.counters(Direction::reverse).translated, 2u);
    EXPECT_EQ(bed.gateway.impairments(Direction::forward).counters().test_packets, 2u);
}

TEST(NatGateway, AnotherTableWithRoomForOthers) {
    NatBed bed(nat44);
    const auto opens = [&](unsigned first, unsigned count) {
        unsigned through = 0;
        for (unsigned port = first; port < first + count; ++port) {
            const auto packet = v4("10.0.0.2", "198.19.0.2", static_cast<std::uint16_t>(port), 7);
            through += bed.through(Side::left, packet).empty() ? 0u : 1u;
        }
        return through;
    };
    ASSERT_GE(opens(5000, 3), 3u);
    EXPECT_EQ(bed.ask({{"request", "clear"}, {"entries", 2}})["deleted"], 3);
    EXPECT_EQ(bed.gateway.nat()->table().capacity(), 2u);
    EXPECT_EQ(opens(6000, 4), 2u);  // the others are refused
    EXPECT_EQ(bed.gateway.nat()->counters().refused, 2u);
    EXPECT_EQ(bed.ask({{"request", "clear"}})["deleted"], 2);
    EXPECT_EQ(bed.gateway.nat()->table().capacity(), 2u);
    EXPECT_TRUE(bed.ask({{"request", "clear"}, {"entries", 0}}).contains("error"));
    EXPECT_TRUE(bed.ask({{"request", "clear"}, {"entries", most_entries + 1}}).contains("error"));
    EXPECT_EQ(bed.ask({{"request", "clear"}, {"entries", 100}})["deleted"], 0);
    EXPECT_EQ(opens(6000, 4), 4u);
}

TEST(NatGateway, Nat66Headers) {
    NatBed bed(nat66);
    EXPECT_EQ(bed.through(Side::left, v6("2001:2::2", "2001:2:0:8000::2", 5000, 7)),
              hop(v6("2001:2:0:c000::1", "2001:2:0:8000::2", 2000, 7)));
    EXPECT_EQ(bed.through(Side::right, v6("2001:2:0:8000::2", "2001:2:0:c000::1", 7, 2000)),
              hop(v6("2001:2:0:8000::2", "2001:2::2", 7, 5000)));
}

TEST(NatGateway, Nat64Headers) {
    NatBed bed(nat64);
    const Octets four = bed.through(Side::left, v6("2001:2::2", "2001:db8:6464::c613:2", 5000, 7));
    Octets expected = hop(v4("198.19.200.1", "198.19.0.2", 2000, 7));
    put16(expected, 4, 0);  // the identification is the translator's
    put16(expected, 10, 0);
    put16(expected, 10, static_cast<std::uint16_t>(~ones_sum(expected, 0, 20)));
    EXPECT_EQ(four, expected);
    EXPECT_EQ(bed.through(Side::right, v4("198.19.0.2", "198.19.200.1", 7, 2000)),
              hop(v6("2001:db8:6464::c613:2", "2001:2::2", 7, 5000)));
    // RFC 7915 §5.1: DF above 1260 bytes.
    EXPECT_EQ(get16(bed.through(Side::left, v6("2001:2::2", "2001:db8:6464::c613:2", 5000, 7, 1300)), 6), 0x4000);
}

TEST(NatGateway, EveryChecksumIsRight) {
    // All source ports, so that each value of the checksum comes about; zero is sent as ones (RFC 768).
    for (const Json& technology : {nat44, nat64, nat66}) {
        Json wide = technology;
        wide["pool"]["first_port"] = 1;
        wide["pool"]["last_port"] = 65535;
        NatBed bed(wide);
        const bool six = technology["name"] != "nat44", nat64_used = technology["name"] == "nat64";
        unsigned ones = 0;
        for (unsigned port = 1; port < 65536; port += 1) {
            const auto p = static_cast<std::uint16_t>(port);
            const Octets out =
                bed.through(Side::left, six ? v6("2001:2::2", nat64_used ? "2001:db8:6464::c613:2" : "2001:2:0:8000::2", p, 7, 2)
                                            : v4("10.0.0.2", "198.19.0.2", p, 7, 2));
            ASSERT_FALSE(out.empty()) << port;
            ASSERT_EQ(transport_sum(out, 17), 0xffff) << port;
            if (out[0] >> 4 == 4) {
                ASSERT_EQ(ones_sum(out, 0, 20), 0xffff) << port;
            }
            const std::uint16_t field = get16(out, (out[0] >> 4 == 4 ? 20u : 40u) + 6);
            ASSERT_NE(field, 0);
            if (field == 0xffff) ++ones;
        }
        EXPECT_GT(ones, 0u);
        EXPECT_EQ(bed.state()["entries"], 65535);
    }
}

TEST(NatGateway, R768_NoUdpChecksumStaysNone) {
    NatBed bed(nat44);
    Octets packet = v4("10.0.0.2", "198.19.0.2", 5000, 7);
    put16(packet, 26, 0);
    EXPECT_EQ(get16(bed.through(Side::left, packet), 26), 0);
    NatBed nat64_bed(nat64);
    nat64_bed.through(Side::left, v6("2001:2::2", "2001:db8:6464::c613:2", 2500, 7));
    Octets back = v4("198.19.0.2", "198.19.200.1", 7, 2500);
    put16(back, 26, 0);
    EXPECT_TRUE(nat64_bed.through(Side::right, back).empty());
    EXPECT_EQ(nat64_bed.refused(Fate::udp_checksum_zero), 1u);
}

TEST(NatGateway, DamagedStaysDamaged) {
    NatBed bed(nat44);
    Octets packet = v4("10.0.0.2", "198.19.0.2", 5000, 7);
    packet.back() ^= 1;
    EXPECT_NE(transport_sum(bed.through(Side::left, packet), 17), 0xffff);
    packet[10] ^= 1;
    EXPECT_TRUE(bed.through(Side::left, packet).empty());
    EXPECT_EQ(bed.refused(Fate::ipv4_checksum, Direction::forward), 1u);
}

TEST(NatGateway, WhatIsNotTranslated) {
    NatBed bed(nat44);
    bed.through(Side::left, v4("10.0.0.2", "198.19.0.2", 2500, 7));
    EXPECT_TRUE(bed.through(Side::right, v4("198.19.0.2", "198.19.200.1", 7, 2501)).empty());
    EXPECT_TRUE(bed.through(Side::right, v4("198.19.0.2", "198.19.200.1", 7, 80)).empty());  // not a port of the pool
    EXPECT_EQ(bed.refused(Fate::no_mapping), 2u);
    EXPECT_TRUE(bed.through(Side::right, v4("198.19.0.2", "10.0.0.2", 7, 2500)).empty());
    EXPECT_EQ(bed.refused(Fate::inside_address), 1u);
    EXPECT_TRUE(bed.through(Side::left, v4("10.0.0.3", "198.19.200.1", 9, 2500)).empty());  // hairpinning
    EXPECT_EQ(bed.refused(Fate::no_mapping, Direction::forward), 1u);
    EXPECT_TRUE(bed.through(Side::left, ipv4("10.0.0.2", "198.19.0.2", 6, Octets(20))).empty());
    EXPECT_TRUE(bed.through(Side::right, ipv4("198.19.0.2", "198.19.200.1", 1, hex("03 03 fcfc 00000000"))).empty());
    EXPECT_EQ(bed.refused(Fate::not_udp, Direction::forward), 1u);
    EXPECT_EQ(bed.refused(Fate::not_udp), 1u);
    EXPECT_TRUE(bed.through(Side::left, ipv4("10.0.0.2", "198.19.0.2", 17, Octets(16), 0x2000)).empty());
    EXPECT_TRUE(bed.through(Side::left, ipv4("10.0.0.2", "198.19.0.2", 17, Octets(16), 2)).empty());
    EXPECT_EQ(bed.refused(Fate::fragment, Direction::forward), 2u);
    EXPECT_TRUE(bed.through(Side::left, ipv4("10.0.0.2", "198.19.0.2", 17, Octets(7))).empty());
    EXPECT_EQ(bed.refused(Fate::malformed, Direction::forward), 1u);
    bed.from_left(0x0800, v4("10.0.0.2", "203.0.113.1", 2600, 7));
    EXPECT_EQ(bed.refused(Fate::no_route, Direction::forward), 1u);
    EXPECT_EQ(bed.state()["entries"], 1);
}

TEST(NatGateway, TtlEndsHere) {
    for (const Json& technology : {nat44, nat64, nat66}) {
        NatBed bed(technology);
        const bool six = technology["name"] != "nat44";
        Octets packet = technology["name"] == "nat64" ? v6("2001:2::2", "2001:db8:6464::c613:2", 2500, 7)
                        : six                         ? v6("2001:2::2", "2001:2:0:8000::2", 2500, 7)
                                                      : v4("10.0.0.2", "198.19.0.2", 2500, 7);
        packet[six ? 7 : 8] = 2;
        packet = hop(packet);
        bed.recorder.sent.clear();
        bed.from_left(six ? 0x86dd : 0x0800, packet);
        EXPECT_EQ(bed.refused(Fate::hop_limit, Direction::forward), 1u);
        ASSERT_EQ(bed.recorder.sent.size(), 1u);
        EXPECT_EQ(bed.recorder.sent[0].side, Side::left);
        EXPECT_EQ(bed.recorder.sent[0].octets[six ? 54 : 34], six ? 3 : 11);
        EXPECT_EQ(bed.state()["entries"], 0);
    }
}

TEST(NatGateway, ThePoolMayBeTheGatewaysOwnAddress) {
    Json own = nat44;
    own["pool"]["first"] = "198.19.255.1";
    NatBed bed(own);
    EXPECT_EQ(bed.through(Side::left, v4("10.0.0.2", "198.19.0.2", 2500, 7)), hop(v4("198.19.255.1", "198.19.0.2", 2500, 7)));
    EXPECT_EQ(bed.through(Side::right, v4("198.19.0.2", "198.19.255.1", 7, 2500)), hop(v4("198.19.0.2", "10.0.0.2", 7, 2500)));
    bed.from_right(0x0800, with_checksum(ipv4("198.19.255.2", "198.19.255.1", 1, hex("08 00 0000 0001 0002 61")), 1, 2, false));
    EXPECT_EQ(bed.gateway.counters(Side::right).echo_replies, 1u);
}

TEST(NatGateway, OtherFamiliesAndPrefixesAreRouted) {
    NatBed bed(nat44);
    const Octets six = v6("2001:2::2", "2001:2:0:8000::2", 5000, 7);
    EXPECT_EQ(bed.through(Side::left, six), hop(six));
    NatBed nat64_bed(nat64);
    EXPECT_EQ(nat64_bed.through(Side::left, six), hop(six));
    const Octets back = v6("2001:2:0:8000::2", "2001:2::2", 7, 5000);
    EXPECT_EQ(nat64_bed.through(Side::right, back), hop(back));
    EXPECT_EQ(nat64_bed.gateway.counters(Direction::forward).native, 1u);
    EXPECT_EQ(nat64_bed.state()["entries"], 0);
}

TEST(NatGateway, LongPacketsAreFragmentedOrRefused) {
    NatBed bed(nat64);
    bed.through(Side::left, v6("2001:2::2", "2001:db8:6464::c613:2", 2500, 7));
    bed.recorder.sent.clear();
    bed.from_right(0x0800, v4("198.19.0.2", "198.19.200.1", 7, 2500, 1452));
    EXPECT_EQ(bed.recorder.sent.size(), 2u);
    bed.recorder.sent.clear();
    bed.from_right(0x0800, v4("198.19.0.2", "198.19.200.1", 7, 2500, 1472, 0x4000));
    EXPECT_EQ(bed.refused(Fate::too_big), 1u);
}

TEST(NatGateway, TableFullPoolExhaustedAndClear) {
    Json small = nat44;
    small["state"] = {{"entries", 10}, {"mapping", "address_and_port_dependent"}};
    NatBed bed(small);
    for (std::uint16_t i = 0; i < 15; ++i)
        bed.through(Side::left, v4("10.0.0.2", "198.19.0.2", 2000, static_cast<std::uint16_t>(100 + i)));
    EXPECT_EQ(bed.refused(Fate::table_full, Direction::forward), 5u);
    Json state = bed.state();
    EXPECT_EQ(state, Json({{"entries", 10},
                           {"capacity", 10},
                           {"created", 10},
                           {"expired", 0},
                           {"replaced", 0},
                           {"cleared", 0},
                           {"refused", 5},
                           {"exhausted", 0},
                           {"limited", 0}}));
    EXPECT_EQ(bed.ask({{"request", "clear"}, {"id", 3}}), Json({{"response", "clear"}, {"deleted", 10}, {"id", 3}}));
    EXPECT_EQ(bed.state()["entries"], 0);
    EXPECT_TRUE(bed.through(Side::right, v4("198.19.0.2", "198.19.200.1", 100, 2000)).empty());
    EXPECT_FALSE(bed.through(Side::left, v4("10.0.0.2", "198.19.0.2", 2000, 100)).empty());
    bed.ask({{"request", "reset"}});
    state = bed.state();
    EXPECT_EQ(state["entries"], 1);
    EXPECT_EQ(state["created"], 0);
    EXPECT_EQ(state["cleared"], 0);
}

TEST(NatGateway, TimeGoesOn) {
    Json brief = nat44;
    brief["state"] = {{"timeout_s", 2.5}};
    NatBed bed(brief);
    bed.now = 1'000'000'000;
    bed.through(Side::left, v4("10.0.0.2", "198.19.0.2", 2500, 7));
    bed.gateway.poll(bed.now = 3'499'999'999);
    EXPECT_EQ(bed.state()["entries"], 1);
    bed.gateway.poll(bed.now = 3'500'000'000);
    EXPECT_EQ(bed.state()["expired"], 1);
}

TEST(NatGateway, FaultsAreOrderedAndCounted) {
    NatBed bed(nat44);
    EXPECT_EQ(bed.ask({{"request", "impair"},
                       {"forward",
                        {{"change_mapping", {{"positions", {14}}}},
                         {"share_mapping", {{"positions", {4, 12}}}},
                         {"outside_pool", {{"every", 10}}},
                         {"drop", {{"positions", {1}}}}}}}),
              Json({{"response", "impair"}}));
    std::vector<Octets> sent;
    for (std::uint16_t i = 0; i < 20; ++i)
        sent.push_back(bed.through(Side::left, v4("10.0.0.2", "198.19.0.2", static_cast<std::uint16_t>(2100 + i % 10), 7)));
    EXPECT_TRUE(sent[0].empty());  // dropped behind the translation
    const auto expect = [&](std::size_t i, const char* source, std::uint16_t port) {
        EXPECT_EQ(sent[i], hop(v4(source, "198.19.0.2", port, 7))) << i;
    };
    expect(2, "198.19.200.1", 2102);
    expect(3, "198.19.200.1", 2102);   // shares
    expect(9, "198.19.200.0", 2109);   // outside
    expect(11, "198.19.200.1", 2101);  // a known connection can't begin to share
    expect(13, "198.19.200.1", 2000);  // has its own mapping now
    expect(19, "198.19.200.0", 2109);
    const Json forward = bed.ask({{"request", "counters"}})["forward"];
    const Json& counted = forward["impairments"];
    EXPECT_EQ(forward["test_packets"], 20);
    EXPECT_EQ(counted["changed_mapping"], 1);
    EXPECT_EQ(counted["changed_packets"], 1);
    EXPECT_EQ(counted["shared_mapping"], 1);
    EXPECT_EQ(counted["outside_pool"], 2);
    EXPECT_EQ(counted["not_applicable"], 1);
    EXPECT_EQ(counted["dropped"], 1);
    bed.ask({{"request", "reset"}});  // positions begin again
    bed.through(Side::left, v4("10.0.0.2", "198.19.0.2", 2100, 7));
    EXPECT_EQ(bed.ask({{"request", "counters"}})["forward"]["impairments"]["dropped"], 1);
    EXPECT_EQ(bed.ask({{"request", "counters"}})["forward"]["impairments"]["outside_pool"], 0);
}

TEST(NatGateway, UntranslatedLeavesAsItArrived) {
    for (const Json& technology : {nat44, nat64}) {
        NatBed bed(technology);
        bed.ask({{"request", "impair"}, {"forward", {{"untranslated", {{"every", 2}}}}}});
        const Octets packet =
            technology == nat44 ? v4("10.0.0.2", "198.19.0.2", 2500, 7) : v6("2001:2::2", "2001:db8:6464::c613:2", 2500, 7);
        EXPECT_NE(bed.through(Side::left, packet), packet);
        EXPECT_EQ(bed.through(Side::left, packet), packet);
        EXPECT_EQ(bed.gateway.impairments(Direction::forward).counters().untranslated, 1u);
    }
}

}  // namespace
}  // namespace xlatperf::reference
