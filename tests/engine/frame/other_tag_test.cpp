// Frames with another VLAN tag than their link's.
#include "frame/other_tag.h"

#include "frame/classified.h"

namespace xlatperf::frame {
namespace {

Bytes with_tag(const Bytes& frame, std::uint16_t control) {
    Bytes tagged(frame);
    const std::uint8_t tag[] = {0x81, 0x00, static_cast<std::uint8_t>(control >> 8), static_cast<std::uint8_t>(control & 0xff)};
    tagged.insert(tagged.begin() + 12, std::begin(tag), std::end(tag));
    return tagged;
}

Finding other(const Stream& stream, const Bytes& frame, const std::optional<wire::VlanRequired>& required) {
    const auto tag = take_other_tag(frame.data(), frame.size(), required);
    return with_other_tag(classified(stream, tag.inside), tag);
}

const wire::VlanRequired hundred{100, {}};

TEST(OtherTag, OfATestFrame) {
    const Stream stream = make_stream({.kind = Kind::ipv6_to_ipv4});
    const Bytes right = received(stream, 7);
    ASSERT_EQ(verdict(stream, right), "expected");
    const auto none = other(stream, right, hundred);
    EXPECT_EQ(verdict(none), "vlan_tag");
    EXPECT_EQ(none.sequence, 7U) << "it isn't lost";
    EXPECT_TRUE(none.other_tag);
    EXPECT_EQ(none.text, "no VLAN tag, expected VLAN 100");
    EXPECT_EQ(other(stream, with_tag(right, 0xa0c8), hundred).text, "VLAN 200, priority 5, expected VLAN 100");
    EXPECT_EQ(other(stream, with_tag(right, 0x0064), wire::VlanRequired{100, std::uint8_t{3}}).text,
              "VLAN 100, priority 0, expected VLAN 100, priority 3");
    EXPECT_EQ(other(stream, with_tag(right, 0x0064), {}).text, "VLAN 100, priority 0, expected none");
    const auto twice = other(stream, with_tag(with_tag(right, 1), 2), {});
    EXPECT_EQ(verdict(twice), "vlan_tag");
    EXPECT_EQ(twice.text, "VLAN 2, priority 0 and 1 more tags, expected none");
}

TEST(OtherTag, WhateverElseIsWrong) {
    const Stream stream = make_stream({.kind = Kind::ipv6_to_ipv4});
    Bytes wrong = received(stream, 7);
    increment(last_octet_of_source(wrong));
    repair_ip_checksum(wrong);
    const auto finding = other(stream, with_tag(wrong, 5), hundred);
    EXPECT_EQ(verdict(finding), "vlan_tag");
    EXPECT_TRUE(finding.text.starts_with("VLAN 5, priority 0, expected VLAN 100: ")) << finding.text;
    hops(wrong) = 77;
    EXPECT_FALSE(other(stream, with_tag(wrong, 5), hundred).hop_limits) << "what isn't known to be the link's says nothing";
}

TEST(OtherTag, OfSomebodyElse) {
    const Stream stream = make_stream({.kind = Kind::ipv6_to_ipv4});
    Bytes arp(60);
    wire::store16(&arp[12], 0x0806);
    EXPECT_EQ(verdict(stream, arp), "arp_nd");
    for (const auto& frame : {arp, with_tag(arp, 7)}) {
        const auto finding = other(stream, frame, hundred);
        EXPECT_EQ(verdict(finding), "foreign") << "the Tester is in no other VLAN";
        EXPECT_TRUE(finding.text.ends_with(", expected VLAN 100: ARP")) << finding.text;
    }
    Bytes spanning_tree(60);
    EXPECT_EQ(verdict(other(stream, spanning_tree, hundred)), "foreign");
    EXPECT_EQ(verdict(other(stream, with_tag(Bytes(14), 7), hundred)), "foreign");
    EXPECT_EQ(verdict(other(stream, Bytes(5), hundred)), "malformed");
    EXPECT_EQ(verdict(other(stream, {}, hundred)), "malformed");
}

TEST(OtherTag, OfTheSameVlan) {
    const Stream stream = make_stream({.kind = Kind::ipv6_to_ipv4});
    const wire::VlanRequired five{100, std::uint8_t{5}};
    Bytes arp(60);
    wire::store16(&arp[12], 0x0806);
    EXPECT_EQ(verdict(other(stream, with_tag(arp, 0x0064), five)), "arp_nd") << "of whatever priority";
    EXPECT_EQ(verdict(other(stream, with_tag(received(stream, 7), 0x0064), five)), "vlan_tag");
    EXPECT_EQ(verdict(other(stream, with_tag(with_tag(arp, 3), 0xa064), five)), "foreign") << "there is another one inside";
}

TEST(OtherTag, TheDirectionOfATestFrame) {
    const auto direction = [](const Stream& stream, const Bytes& frame, std::uint32_t session) {
        return sent_direction(frame.data(), frame.size(), stream.mark.session + session);
    };
    for (const auto kind : {Kind::ipv6_to_ipv4, Kind::ipv4_to_ipv6}) {
        const Stream stream = make_stream({.kind = kind});
        const Bytes right = received(stream, 7);
        for (const auto& frame : {right, with_tag(right, 7), with_tag(with_tag(right, 1), 2)}) {
            EXPECT_EQ(direction(stream, frame, 0), stream.direction);
            EXPECT_FALSE(direction(stream, frame, 1)) << "another Tester's";
            for (std::size_t size = 0; size < frame.size(); ++size)
                EXPECT_FALSE(direction(stream, Bytes(frame.begin(), frame.begin() + static_cast<std::ptrdiff_t>(size)), 0));
        }
        Bytes broken = right;
        increment(broken.back());
        EXPECT_FALSE(direction(stream, broken, 0)) << "the last of the probe's bytes, in the smallest frame";
    }
    const Stream stream = make_stream({.kind = Kind::ipv6_to_ipv4});
    Bytes arp(60);
    wire::store16(&arp[12], 0x0806);
    EXPECT_FALSE(direction(stream, arp, 0));
    EXPECT_FALSE(direction(stream, {}, 0));
}

TEST(OtherTag, MoreTagsThanAnybodyHas) {
    const Stream stream = make_stream({.kind = Kind::ipv6_to_ipv4});
    Bytes frame(9000);
    for (std::size_t at = 12; at + 2 < frame.size(); at += 4) wire::store16(&frame[at], 0x8100);
    EXPECT_EQ(verdict(other(stream, frame, {})), "foreign");
}

}  // namespace
}  // namespace xlatperf::frame
