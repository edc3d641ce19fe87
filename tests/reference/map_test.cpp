// MAP-E and MAP-T in both roles: headers, and each check switched on and off.
#include <gtest/gtest.h>

#include "map_bed.h"

namespace xlatperf::reference {
namespace {

using namespace test;

TEST(MapE, BorderRelay) {  // RFC 7597 §8.1
    MapBed bed(map_technology("map-e", "br"));
    EXPECT_EQ(bed.through(Side::left, tunnelled(ce6, br6, v4(ce4, far4, 1232, 80))), hop(v4(ce4, far4, 1232, 80)));
    EXPECT_EQ(bed.through(Side::right, v4(far4, ce4, 80, 64723)), tunnelled(br6, ce6, hop(v4(far4, ce4, 80, 64723))));
    EXPECT_EQ(bed.gateway.counters(Direction::forward).translated, 1u);
    EXPECT_EQ(bed.gateway.counters(Direction::reverse).translated, 1u);
    EXPECT_EQ(bed.gateway.impairments(Direction::reverse).counters().test_packets, 1u);
}

TEST(MapE, Ce) {
    MapBed bed(map_technology("map-e", "ce"));
    EXPECT_EQ(bed.through(Side::left, v4(ce4, far4, 1232, 80)), tunnelled(ce6, br6, hop(v4(ce4, far4, 1232, 80))));
    EXPECT_EQ(bed.through(Side::right, tunnelled(br6, ce6, v4(far4, ce4, 80, 1233))), hop(v4(far4, ce4, 80, 1233)));
}

TEST(MapT, BorderRelay) {  // RFC 7599 §8.3, §8.4
    MapBed bed(map_technology("map-t", "br"));
    EXPECT_EQ(bed.through(Side::left, v6(ce6, far6, 1232, 80)), translated(ce4, far4, 1232, 80));
    EXPECT_EQ(bed.through(Side::right, v4(far4, ce4, 80, 64723)), hop(v6(far6, ce6, 80, 64723)));
}

TEST(MapT, Ce) {
    MapBed bed(map_technology("map-t", "ce"));
    EXPECT_EQ(bed.through(Side::left, v4(ce4, far4, 1232, 80)), hop(v6(ce6, far6, 1232, 80)));
    EXPECT_EQ(bed.through(Side::right, v6(far6, ce6, 80, 1233)), translated(far4, ce4, 80, 1233));
}

TEST(MapE, OuterHeaderAsConfigured) {  // RFC 2473 §6.3, §6.4
    Json json = map_technology("map-e", "br");
    json["hop_limit"] = 7;
    json["traffic_class"] = 0x20;
    MapBed bed(json);
    EXPECT_EQ(bed.through(Side::right, v4(far4, ce4, 80, 1232)), tunnelled(br6, ce6, hop(v4(far4, ce4, 80, 1232)), 7, 0x20));
}

TEST(MapE, HopsToOrder) {  // RFC 2473 §3.1, §3.3
    Json json = map_technology("map-e", "br");
    json["entry_hops"] = 0;
    json["exit_hops"] = 2;
    MapBed bed(json);
    EXPECT_EQ(bed.through(Side::right, v4(far4, ce4, 80, 1232)), tunnelled(br6, ce6, v4(far4, ce4, 80, 1232)));
    EXPECT_EQ(bed.through(Side::left, tunnelled(ce6, br6, v4(ce4, far4, 1232, 80))), hop(hop(v4(ce4, far4, 1232, 80))));
}

TEST(MapE, TunnelEncapsulationLimitToOrder) {  // RFC 2473 §4.1.1, §5.1
    Json json = map_technology("map-e", "br");
    json["encapsulation_limit"] = 4;
    MapBed bed(json);
    Octets options = hex("04 00 04 01 04 01 01 00");
    const Octets carried = hop(v4(far4, ce4, 80, 1232));
    options.insert(options.end(), carried.begin(), carried.end());
    EXPECT_EQ(bed.through(Side::right, v4(far4, ce4, 80, 1232)), ipv6(br6, ce6, 60, options, 64));
}

TEST(MapE, TunnelEncapsulationLimitIsPassedOver) {  // RFC 2473 §4.1.1, §5.1
    MapBed bed(map_technology("map-e", "br"));
    Octets options = hex("04 00 04 01 04 01 01 00");
    const Octets inner = v4(ce4, far4, 1232, 80);
    options.insert(options.end(), inner.begin(), inner.end());
    EXPECT_EQ(bed.through(Side::left, ipv6(ce6, br6, 60, options)), hop(v4(ce4, far4, 1232, 80)));
}

TEST(MapE, R2473_7_2_LongPacketsAreRefusedOrFragmented) {
    MapBed bed(map_technology("map-e", "br"));
    EXPECT_EQ(bed.through(Side::right, v4(far4, ce4, 80, 1232, 1432)).size(), 1500u);
    bed.recorder.sent.clear();
    bed.from_right(0x0800, v4(far4, ce4, 80, 1232, 1433, 0x4000));
    ASSERT_EQ(bed.recorder.sent.size(), 1u);
    const Octets& error = bed.recorder.sent[0].octets;
    EXPECT_EQ(bed.recorder.sent[0].side, Side::right);
    EXPECT_EQ(get16(error, 14 + 20), 0x0304);     // Fragmentation Needed
    EXPECT_EQ(get16(error, 14 + 20 + 6), 1460u);  // MTU of the tunnel
    bed.recorder.sent.clear();
    bed.from_right(0x0800, v4(far4, ce4, 80, 1232, 1433));
    ASSERT_EQ(bed.recorder.sent.size(), 2u);
    EXPECT_EQ(bed.recorder.sent[0].octets[14 + 6], 44);  // a Fragment header
}

TEST(MapE, FragmentsAreSomebodysWhereAddressesArentShared) {  // RFC 7597 §8.3.3
    Octets fragment = v4(far4, ce4, 80, 1232, 18, 0x2000);
    MapBed shared(map_technology("map-e", "br"));
    EXPECT_TRUE(shared.through(Side::right, fragment).empty());
    EXPECT_EQ(shared.refused(Direction::reverse, Fate::fragment), 1u);
    Json whole = map_technology("map-e", "br");
    whole["domains"][0]["ea_bits"] = 8;
    MapBed unshared(whole);
    EXPECT_EQ(unshared.through(Side::right, fragment), tunnelled(br6, "2001:db8:12:0:0:c000:212:0", hop(fragment)));
}

TEST(MapE, WhatIsInTheTunnelIsAnsweredByNobody) {
    MapBed bed(map_technology("map-e", "br"));
    bed.recorder.sent.clear();
    Octets expiring = v4(ce4, far4, 1232, 80);
    while (expiring[8] > 1) expiring = hop(expiring);
    bed.from_left(0x86dd, tunnelled(ce6, br6, expiring));
    EXPECT_TRUE(bed.recorder.sent.empty());
    EXPECT_EQ(bed.refused(Direction::forward, Fate::hop_limit), 1u);
}

TEST(MapT, IcmpEchoIsKnownByItsIdentifier) {  // RFC 7599 §9
    MapBed bed(map_technology("map-t", "br"));
    const Octets six = bed.through(Side::left, with_checksum(ipv6(ce6, far6, 58, hex("80 00 0000 04d0 0001")), 58, 2));
    ASSERT_GE(six.size(), 28u);
    EXPECT_EQ(six[20], 8);
    EXPECT_EQ(ones_sum(six, 20, six.size()), 0xffff);
    bed.from_left(0x86dd, with_checksum(ipv6(ce6, far6, 58, hex("80 00 0000 04d4 0001")), 58, 2));
    EXPECT_EQ(bed.refused(Direction::forward, Fate::wrong_source_port), 1u);
}

/// An ICMP error from the CE about what came to it.
Octets error_of_the_ce() {
    Octets message = hex("03 03 0000 00000000");
    const Octets about = v4(far4, ce4, 80, 1232);
    message.insert(message.end(), about.begin(), about.end());
    return with_checksum(ipv4(ce4, far4, 1, message), 1, 2, false);
}

TEST(MapE, AnErrorIsKnownByThePacketThatItIsAbout) {  // RFC 7597 §8.2
    MapBed bed(map_technology("map-e", "br"));
    EXPECT_EQ(bed.through(Side::left, tunnelled(ce6, br6, error_of_the_ce())), hop(error_of_the_ce()));
    Octets about = error_of_the_ce();
    about[50] ^= 4;  // its port: another CE's
    bed.from_left(0x86dd, tunnelled(ce6, br6, about));
    EXPECT_EQ(bed.refused(Direction::forward, Fate::wrong_source_port), 1u);
}

TEST(MapT, AnErrorIsTranslatedWithThePacketThatItIsAbout) {  // RFC 7599 §9
    MapBed bed(map_technology("map-t", "ce"));
    const Octets six = bed.through(Side::left, error_of_the_ce());
    ASSERT_GE(six.size(), 88u);
    EXPECT_EQ(Octets(six.begin() + 40, six.begin() + 42), hex("01 04"));
    EXPECT_EQ(transport_sum(six, 58), 0xffff);
    const Octets both = ipv6(far6, ce6, 17, {});
    EXPECT_EQ(Octets(six.begin() + 56, six.begin() + 88), Octets(both.begin() + 8, both.begin() + 40));
}

TEST(MapE, R6040_4_2_CongestionInTheTunnel) {
    MapBed bed(map_technology("map-e", "br"));
    Octets capable = v4(ce4, far4, 1232, 80);
    capable[1] |= 2;
    put16(capable, 10, 0);
    put16(capable, 10, static_cast<std::uint16_t>(~ones_sum(capable, 0, 20)));
    const Octets out = bed.through(Side::left, tunnelled(ce6, br6, capable, 64, 0xbb));
    EXPECT_EQ(out[1] & 3, 3);
    EXPECT_EQ(ones_sum(out, 0, 20), 0xffff);
    bed.from_left(0x86dd, tunnelled(ce6, br6, v4(ce4, far4, 1232, 80), 64, 0xbb));
    EXPECT_EQ(bed.refused(Direction::forward, Fate::not_ecn_capable), 1u);
}

/// A packet that one check alone is against.
struct Wrong {
    const char *name, *role, *check;
    Side side;
    Octets packet;
    Fate fate;
};

std::vector<Wrong> wrong_packets() {
    const Octets up = v4(ce4, far4, 1232, 80), down = v4(far4, ce4, 80, 1232);
    const Side left = Side::left, right = Side::right;
    return {
        {"map-e", "br", "source_port", left, tunnelled(ce6, br6, v4(ce4, far4, 1236, 80)), Fate::wrong_source_port},
        {"map-e", "br", "source_port", left, tunnelled(ce6, br6, v4(ce4, far4, 208, 80)), Fate::wrong_source_port},
        {"map-e", "br", "source_address", left, tunnelled(ce6, br6, v4("192.0.2.19", far4, 1232, 80)),
         Fate::wrong_source_address},
        {"map-e", "br", "source_address", left, tunnelled(ce6, br6, v4("203.0.113.1", far4, 1232, 80)),
         Fate::wrong_source_address},
        {"map-e", "br", "ea_bits", left, tunnelled("2001:db8:13:3400:0:c000:212:34", br6, up), Fate::wrong_ea_bits},
        {"map-e", "br", "ea_bits", left, tunnelled("2001:db8:12:3500:0:c000:212:34", br6, up), Fate::wrong_ea_bits},
        {"map-e", "br", "interface_identifier", left, tunnelled("2001:db8:12:3400:0:c000:212:35", br6, up),
         Fate::wrong_interface_identifier},
        {"map-e", "br", "interface_identifier", left, tunnelled("2001:db8:12:3400:8000:c000:212:34", br6, up),
         Fate::wrong_interface_identifier},
        {"map-e", "br", "border_relay", left, tunnelled(ce6, "2001:db8:ffff::2", up), Fate::no_route},
        {"map-e", "br", "destination_port", right, v4(far4, ce4, 80, 208), Fate::wrong_destination_port},
        {"map-e", "ce", "source_port", left, v4(ce4, far4, 1236, 80), Fate::wrong_source_port},
        {"map-e", "ce", "source_address", left, v4("192.0.2.19", far4, 1232, 80), Fate::wrong_source_address},
        {"map-e", "ce", "interface_identifier", right, tunnelled(br6, "2001:db8:12:3400:0:c000:212:35", down),
         Fate::wrong_interface_identifier},
        {"map-e", "ce", "border_relay", right, tunnelled("2001:db8:ffff::2", ce6, down), Fate::wrong_tunnel_end},
        {"map-e", "ce", "destination_address", right, tunnelled(br6, ce6, v4(far4, "192.0.2.19", 80, 1232)),
         Fate::wrong_destination_address},
        {"map-e", "ce", "destination_port", right, tunnelled(br6, ce6, v4(far4, ce4, 80, 1236)), Fate::wrong_destination_port},
        {"map-t", "br", "source_port", left, v6(ce6, far6, 1236, 80), Fate::wrong_source_port},
        {"map-t", "br", "ea_bits", left, v6("2001:db8:13:3400:0:c000:212:34", far6, 1232, 80), Fate::wrong_ea_bits},
        {"map-t", "br", "interface_identifier", left, v6("2001:db8:12:3400:8000:c000:212:34", far6, 1232, 80),
         Fate::wrong_interface_identifier},
        {"map-t", "br", "destination_port", right, v4(far4, ce4, 80, 208), Fate::wrong_destination_port},
        {"map-t", "ce", "source_port", left, v4(ce4, far4, 1236, 80), Fate::wrong_source_port},
        {"map-t", "ce", "source_address", left, v4("192.0.2.19", far4, 1232, 80), Fate::wrong_source_address},
        {"map-t", "ce", "interface_identifier", right, v6(far6, "2001:db8:12:3400:0:c000:212:35", 80, 1232),
         Fate::wrong_interface_identifier},
        {"map-t", "ce", "destination_port", right, v6(far6, ce6, 80, 1236), Fate::wrong_destination_port},
    };
}

TEST(MapChecks, EachDropsWhatItIsForAndNothingElseDoes) {  // RFC 7597 §8.1, RFC 7599 §8.2, §8.3
    for (const Wrong& wrong : wrong_packets()) {
        const std::string what = std::string(wrong.name) + " " + wrong.role + " " + wrong.check;
        MapBed strict(map_technology(wrong.name, wrong.role));
        const Direction direction = direction_from(wrong.side);
        strict.recorder.sent.clear();
        wrong.side == Side::left ? strict.from_left(wrong.packet[0] >> 4 == 4 ? 0x0800 : 0x86dd, wrong.packet)
                                 : strict.from_right(wrong.packet[0] >> 4 == 4 ? 0x0800 : 0x86dd, wrong.packet);
        EXPECT_EQ(strict.refused(direction, wrong.fate), 1u) << what;
        EXPECT_EQ(strict.gateway.counters(direction).translated, 0u) << what;
        for (const auto& sent : strict.recorder.sent) EXPECT_EQ(sent.side, wrong.side) << what;  // ICMP
        MapBed lax(without(map_technology(wrong.name, wrong.role), wrong.check));
        EXPECT_FALSE(lax.through(wrong.side, wrong.packet).empty()) << what;
        EXPECT_EQ(lax.gateway.counters(direction).translated, 1u) << what;
    }
}

TEST(MapChecks, R7599_8_3_TheSenderIsTold) {
    const Octets wrong = v6(ce6, far6, 1236, 80);
    MapBed bed(map_technology("map-t", "br"));
    bed.from_left(0x86dd, wrong);
    ASSERT_EQ(bed.recorder.sent.size(), 1u);
    const Octets& error = bed.recorder.sent[0].octets;
    EXPECT_EQ(bed.recorder.sent[0].side, Side::left);
    EXPECT_EQ(get16(error, 14 + 40), 0x0105);  // ingress or egress policy
    Json quiet = map_technology("map-t", "br");
    quiet["answers"] = false;
    MapBed silent(quiet);
    silent.from_left(0x86dd, wrong);
    EXPECT_TRUE(silent.recorder.sent.empty());
}

TEST(MapConfig, DomainsAndErrors) {
    const auto error_of = [](Json json, const char* pointer, const Json& value) -> std::string {
        json[Json::json_pointer(pointer)] = value;
        try {
            config_from_json(map_configuration(json));
        } catch (const message::MessageError& error) {
            return error.what();
        }
        return "";
    };
    const Json br = map_technology("map-e", "br"), ce = map_technology("map-e", "ce"), t = map_technology("map-t", "br");
    EXPECT_EQ(error_of(br, "/role", "bridge"), "technology.role: \"bridge\" is not allowed: \"br\", \"ce\"");
    EXPECT_EQ(error_of(br, "/domains", Json::array()), "technology.domains: a list of 0 is not allowed: 1 to 4096 domains");
    EXPECT_EQ(error_of(br, "/domains/0/ces", 1000), "");  // that's the Tester's
    EXPECT_EQ(error_of(ce, "/domains/0/ea", 65536), "technology.domains[0].ea: 65536 is not allowed: whole numbers, 0 to 65535");
    EXPECT_EQ(error_of(br, "/domains/0/psid", 3), "technology.domains[0].psid_length: missing: whole numbers, 1 to 16");
    EXPECT_EQ(error_of(br, "/domains/0/psid_offset", 9),
              "technology.domains[0].ea_bits: 16 is not allowed: with the PSID's offset at most 16 bits of a port (RFC 7597 "
              "section 5.1)");
    EXPECT_EQ(error_of(t, "/domains/0/dmr", "2001:db8::/65"),
              "technology.domains[0].dmr: 2001:db8::/65 is not allowed: a length of 32, 40, 48, 56, 64 or 96 (RFC 6052 "
              "section 2.2)");
    EXPECT_EQ(error_of(ce, "/checks", {{"ea_bits", false}}),
              "technology.checks.ea_bits: unknown key; known: border_relay, destination_address, destination_port, "
              "interface_identifier, source_address, source_port");
    EXPECT_EQ(error_of(br, "/checks", {{"ea_bits", 1}}), "technology.checks.ea_bits: 1 is not allowed: true or false");
    EXPECT_EQ(error_of(br, "/checks", true).rfind("technology.checks: true is not allowed: an object", 0), 0u);
}

TEST(MapE, DomainsSideBySide) {
    Json json = map_technology("map-e", "br");
    json["domains"].push_back(Json::parse(R"({"ipv6": "2001:db8:100::/40", "ipv4": "203.0.113.0/24", "ea_bits": 8,
                                              "br": "2001:db8:ffff::9"})"));
    MapBed bed(json);
    bed.from_right(0x0800, v4(far4, "203.0.113.7", 80, 5));  // no route to the second one's CEs in this bed
    EXPECT_EQ(bed.refused(Direction::reverse, Fate::no_route), 1u);
    const char* const second = "2001:db8:107:0:0:cb00:7107:0";
    EXPECT_EQ(bed.through(Side::left, tunnelled(second, "2001:db8:ffff::9", v4("203.0.113.7", far4, 5, 80))),
              hop(v4("203.0.113.7", far4, 5, 80)));
    EXPECT_TRUE(bed.through(Side::left, tunnelled(second, br6, v4("203.0.113.7", far4, 5, 80))).empty());
    EXPECT_EQ(bed.refused(Direction::forward, Fate::wrong_tunnel_end), 1u);
}

}  // namespace
}  // namespace xlatperf::reference
