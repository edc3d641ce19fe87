// MAP-E and MAP-T between CEs: by a border relay, and from one to the other.
#include <gtest/gtest.h>

#include "map_bed.h"

namespace xlatperf::reference {
namespace {

using namespace test;

const char *const other_ce6 = "2001:db8:13:3500:0:c000:213:35", *const other_ce4 = "192.0.2.19",  // ports 1236 ...
                                                                    *const ce_outside = "2001:db8:ffff:0:c0:2:1200:0",
                  *const other_ce_outside = "2001:db8:ffff:0:c0:2:1300:0";

/// What it sends back on the left.
Octets back(MapBed& bed, const Octets& packet) {
    bed.recorder.sent.clear();
    bed.from_left(0x86dd, packet);
    if (bed.recorder.sent.size() != 1 || bed.recorder.sent[0].side != Side::left) return {};
    const Octets& frame = bed.recorder.sent[0].octets;
    return {frame.begin() + 14, frame.end()};
}

TEST(MapE, FromACeToAnotherOne) {  // RFC 7597 §5: hub and spoke
    const Octets packet = v4(ce4, other_ce4, 1232, 1236), wrong_port = v4(ce4, other_ce4, 1232, 1232);
    MapBed bed(map_technology("map-e", "br"));
    EXPECT_EQ(back(bed, tunnelled(ce6, br6, packet)), tunnelled(br6, other_ce6, hop(packet)));
    EXPECT_EQ(bed.gateway.counters(Direction::forward).translated, 1u);
    bed.from_left(0x86dd, tunnelled(other_ce6, br6, packet));
    EXPECT_EQ(bed.refused(Direction::forward, Fate::wrong_source_address), 1u) << "the sender is looked at as ever";
    EXPECT_NE(back(bed, tunnelled(ce6, br6, wrong_port)), Octets{}) << "of another CE, 2001:db8:13:3400::";
    EXPECT_EQ(back(bed, tunnelled(ce6, br6, v4(ce4, other_ce4, 1232, 80))), Octets{});
    EXPECT_EQ(bed.refused(Direction::forward, Fate::wrong_destination_port), 1u);
    Json off = map_technology("map-e", "br");
    off["hairpinning"] = false;
    MapBed without(off);
    without.from_left(0x86dd, tunnelled(ce6, br6, packet));
    EXPECT_EQ(without.refused(Direction::forward, Fate::no_route), 1u);
}

TEST(MapE, CongestionInTheTunnelOfAHairpin) {  // RFC 6040 §4.2
    MapBed bed(map_technology("map-e", "br"));
    EXPECT_EQ(back(bed, tunnelled(ce6, br6, v4(ce4, other_ce4, 1232, 1236), 64, 0x03)), Octets{});
    EXPECT_EQ(bed.refused(Direction::forward, Fate::not_ecn_capable), 1u);
}

TEST(MapT, FromACeToAnotherOne) {  // RFC 7599 §5.1, §8.3, §8.4
    MapBed bed(map_technology("map-t", "br"));
    EXPECT_EQ(back(bed, v6(ce6, other_ce_outside, 1232, 1236)), hop(v6(ce_outside, other_ce6, 1232, 1236)));
    EXPECT_EQ(back(bed, v6(ce6, other_ce_outside, 1232, 80)), Octets{}) << "nobody's port, and not answered";
    EXPECT_EQ(bed.refused(Direction::forward, Fate::wrong_destination_port), 1u);
    Json off = map_technology("map-t", "br");
    off["hairpinning"] = false;
    MapBed without(off);
    without.from_left(0x86dd, v6(ce6, other_ce_outside, 1232, 1236));
    EXPECT_EQ(without.refused(Direction::forward, Fate::no_route), 1u);
}

/// A CE among CEs: the example's own, another domain's.
Json mesh(const char* name) {
    Json json = map_technology(name, "ce");
    json["mesh"] = true;
    json["domains"].push_back(json["domains"][0]);
    Json& second = json["domains"][1];
    second.erase("ea");
    second["ipv6"] = "2001:db8:100::/48";
    second["ipv4"] = "203.0.113.0/24";
    second["ea_bits"] = 8;
    second["psid_offset"] = 4;
    return json;
}
const char *const far_ce6 = "2001:db8:100:900:0:cb00:7109:0", *const far_ce4 = "203.0.113.9";

TEST(MapE, FromACeToAnotherOneDirectly) {  // RFC 7597 §5.3, §8.1
    MapBed bed(mesh("map-e"));
    EXPECT_EQ(bed.through(Side::left, v4(ce4, other_ce4, 1232, 1236)),
              tunnelled(ce6, other_ce6, hop(v4(ce4, other_ce4, 1232, 1236))));
    EXPECT_EQ(bed.through(Side::left, v4(ce4, far_ce4, 1232, 80)), tunnelled(ce6, far_ce6, hop(v4(ce4, far_ce4, 1232, 80))));
    EXPECT_EQ(bed.through(Side::left, v4(ce4, far4, 1232, 80)), tunnelled(ce6, br6, hop(v4(ce4, far4, 1232, 80))));
    EXPECT_EQ(bed.through(Side::right, tunnelled(other_ce6, ce6, v4(other_ce4, ce4, 1236, 1232))),
              hop(v4(other_ce4, ce4, 1236, 1232)));
    EXPECT_EQ(bed.through(Side::right, tunnelled(far_ce6, ce6, v4(far_ce4, ce4, 80, 1232))), hop(v4(far_ce4, ce4, 80, 1232)));
    EXPECT_EQ(bed.through(Side::right, tunnelled(br6, ce6, v4(far4, ce4, 80, 1233))), hop(v4(far4, ce4, 80, 1233)));
    bed.from_right(0x86dd, tunnelled(other_ce6, ce6, v4(other_ce4, ce4, 1232, 1232)));
    EXPECT_EQ(bed.refused(Direction::reverse, Fate::wrong_source_port), 1u);
    bed.from_right(0x86dd, tunnelled(far_ce6, ce6, v4(other_ce4, ce4, 1236, 1232)));
    EXPECT_EQ(bed.refused(Direction::reverse, Fate::wrong_source_address), 1u);
    bed.from_left(0x0800, v4(ce4, other_ce4, 1232, 80));
    EXPECT_EQ(bed.refused(Direction::forward, Fate::wrong_destination_port), 1u) << "nobody's";
}

TEST(MapT, FromACeToAnotherOneDirectly) {  // RFC 7599 §8.1, §8.2
    MapBed bed(mesh("map-t"));
    EXPECT_EQ(bed.through(Side::left, v4(ce4, other_ce4, 1232, 1236)), hop(v6(ce6, other_ce6, 1232, 1236)));
    EXPECT_EQ(bed.through(Side::left, v4(ce4, far_ce4, 1232, 80)), hop(v6(ce6, far_ce6, 1232, 80)));
    EXPECT_EQ(bed.through(Side::left, v4(ce4, far4, 1232, 80)), hop(v6(ce6, far6, 1232, 80)));
    EXPECT_EQ(bed.through(Side::right, v6(other_ce6, ce6, 1236, 1232)), translated(other_ce4, ce4, 1236, 1232));
    bed.from_right(0x86dd, v6(other_ce6, ce6, 1232, 1232));
    EXPECT_EQ(bed.refused(Direction::reverse, Fate::wrong_source_port), 1u);
}

}  // namespace
}  // namespace xlatperf::reference
