// IPv4 UDP without a checksum, in the frames sent (RFC 768, RFC 7915 §4.5).
#include <gtest/gtest.h>

#include "frame/classifier.h"
#include "frame/streams.h"

namespace xlatperf::frame {
namespace {

std::uint16_t checksum_in(const Bytes& frame) { return wire::load16(&frame[udp_offset(frame) + wire::udp::checksum]); }

Bytes with_checksum(Bytes frame, std::uint16_t checksum) {
    wire::store16(&frame[udp_offset(frame) + wire::udp::checksum], checksum);
    return frame;
}

Finding seen_as(const Stream& stream, const Bytes& frame) { return Classifier(stream).classify(frame.data(), frame.size()); }

TEST(NoUdpChecksum, OfIpv4FramesAlone) {
    for (const Kind kind : all_kinds) {
        const Stream stream = make_stream({.kind = kind, .udp_checksum = false});
        const Bytes frame = sent(stream, 7);
        EXPECT_EQ(checksum_in(frame) == 0, is_ipv4(frame)) << name(kind);
        const Bytes right = received(stream, 7);
        EXPECT_EQ(checksum_in(right) == 0, kind == Kind::native_ipv4) << name(kind);
        const Finding finding = seen_as(stream, right);
        EXPECT_EQ(finding.reason, Reason::expected) << finding.text;
        EXPECT_TRUE(finding.text.empty()) << finding.text;
    }
}

TEST(NoUdpChecksum, AllElseIsAsWithOne) {
    for (const Kind kind : all_kinds) {
        const Stream with = make_stream({.kind = kind}), without = make_stream({.kind = kind, .udp_checksum = false});
        for (const std::uint64_t sequence : {0U, 1U, 999U}) {
            EXPECT_EQ(with_checksum(sent(with, sequence), 0), with_checksum(sent(without, sequence), 0)) << name(kind);
            EXPECT_EQ(with_checksum(received(with, sequence), 0), with_checksum(received(without, sequence), 0)) << name(kind);
        }
    }
}

TEST(NoUdpChecksum, WhatADeviceMakesOfIt) {
    const Stream translated = make_stream({.kind = Kind::ipv4_to_ipv6, .udp_checksum = false}),
                 routed = make_stream({.kind = Kind::native_ipv4, .udp_checksum = false}),
                 summed = make_stream({.kind = Kind::native_ipv4});
    for (const std::uint64_t sequence : {0U, 5U, 501U}) {
        // To IPv6 it must be computed: RFC 8200 §8.1 allows no 0.
        EXPECT_EQ(seen_as(translated, with_checksum(received(translated, sequence), 0)).reason, Reason::udp_checksum);
        // A router or a NAT leaves it 0. What it adds is legal if it is right, and told.
        const Bytes right = received(summed, sequence);
        const Finding added = seen_as(routed, right);
        EXPECT_EQ(added.reason, Reason::expected) << added.text;
        EXPECT_TRUE(added.remarks.has(counter::Remark::udp_checksum_added));
        EXPECT_FALSE(added.remarks.has(counter::Remark::udp_checksum_zero));
        EXPECT_EQ(added.text, "a UDP checksum, and it was sent with none");
        const auto wrong = static_cast<std::uint16_t>(checksum_in(right) ^ 1);
        EXPECT_EQ(seen_as(routed, with_checksum(right, wrong)).reason, Reason::udp_checksum);
        // And the other way about.
        const Finding taken = seen_as(summed, with_checksum(right, 0));
        EXPECT_EQ(taken.reason, Reason::expected) << taken.text;
        EXPECT_TRUE(taken.remarks.has(counter::Remark::udp_checksum_zero));
    }
}

TEST(NoUdpChecksum, IsNoneInAlteredFramesEither) {
    const Stream stream = make_stream({.kind = Kind::ipv4_to_ipv6, .udp_checksum = false});
    const Change change{HeaderField::source_port, ~wire::Bits128{0}, 1};
    Bytes frame = sent(stream, 3);
    Alteration({change}, stream.sent_image(Class::foreground)).apply(frame.data(), nullptr);
    EXPECT_NE(frame, sent(stream, 3));
    EXPECT_EQ(checksum_in(frame), 0U);
}

}  // namespace
}  // namespace xlatperf::frame
