#include "frame/classified.h"

namespace xlatperf::frame {
namespace {

TEST(Classifier, AnotherTrialIsStaleAndAnotherDirectionReturned) {
    for (const auto kind : all_kinds) {
        const Stream stream = make_stream({.kind = kind});
        const Finding stale = classified(stream, received(make_stream({.kind = kind, .trial_number = 4}), 3));
        EXPECT_EQ(stale.stray, Stray::stale);
        EXPECT_NE(stale.text.find("trial 4"), std::string::npos) << stale.text;
        const Stream reverse = make_stream({.kind = kind, .direction = flow::Direction::reverse});
        EXPECT_EQ(classified(stream, sent(reverse, 3)).stray, Stray::returned);
        EXPECT_EQ(
            classified(stream, received(make_stream({.kind = kind, .trial_number = 4, .direction = flow::Direction::reverse}), 3))
                .stray,
            Stray::stale)
            << "older than returned";
    }
}

TEST(Classifier, AnotherTestersFramesAreForeign) {
    for (const auto kind : all_kinds) {
        const Stream stream = make_stream({.kind = kind});
        for (const std::uint32_t trial : {4U, 5U}) {
            const auto frame = received(make_stream({.kind = kind, .trial_number = trial, .session = 9}), 3);
            const Finding finding = classified(stream, frame);
            EXPECT_EQ(finding.stray, Stray::foreign);
            EXPECT_NE(finding.text.find(", of another Tester, or of an earlier run"), std::string::npos) << finding.text;
            EXPECT_EQ(verdict(classify_stray(frame.data(), frame.size(), stream.mark)), "foreign");
        }
    }
}

TEST(Classifier, FramesOfOthersAreForeign) {
    const Stream stream = make_stream({.kind = Kind::ipv6_to_ipv4});
    const auto four = address("192.0.2.1"), other = address("192.0.2.2");
    const auto six = address("2001:db8::1"), other_six = address("2001:db8::2");
    const Bytes datagram = {0x10, 0x00, 0x00, 0x35, 0x00, 0x09, 0x00, 0x00, 0x41};
    EXPECT_EQ(verdict(stream, ip_frame(four, other, 17, datagram)), "foreign");
    EXPECT_EQ(verdict(stream, ip_frame(six, other_six, 17, datagram)), "foreign");
    EXPECT_EQ(verdict(stream, ip_frame(four, address("198.19.0.2"), 6, Bytes(20))), "foreign") << "TCP to a simulated host";
    EXPECT_EQ(verdict(stream, ip_frame(four, address("198.19.0.2"), 17, datagram)), "foreign") << "UDP to a simulated host";
    EXPECT_EQ(verdict(stream, ip_frame(address("198.18.0.2"), address("198.19.0.2"), 17, datagram)), "payload")
        << "from another one, without number";
    EXPECT_EQ(verdict(stream, ip_frame(six, other_six, 59, {})), "foreign") << "no next header";
    for (const int type : {0x8100, 0x88cc, 0x0000, 0x8864}) {
        Bytes frame(60);
        wire::store16(&frame[12], static_cast<std::uint16_t>(type));
        EXPECT_EQ(verdict(stream, frame), "foreign");
    }
    auto later = ip_frame(four, other, 17, Bytes(64));
    ip(later)[wire::ipv4::flags_offset + 1] = 4;
    repair_ip_checksum(later);
    EXPECT_EQ(verdict(stream, later), "foreign") << "a later fragment to somebody else";
}

TEST(Classifier, Malformed) {
    const Stream stream = make_stream({.kind = Kind::ipv6_to_ipv4});
    for (std::size_t size = 0; size < 14; ++size) EXPECT_EQ(verdict(stream, Bytes(size)), "malformed");
    auto frame = received(stream, 3);
    frame.pop_back();
    EXPECT_EQ(verdict(stream, frame), "malformed") << "shorter than its total length";
    frame = received(stream, 3);
    frame[14] = 0x55;
    EXPECT_EQ(verdict(stream, frame), "malformed") << "version 5";
    frame = sent(stream, 3);
    frame[14] = 0x45;
    EXPECT_EQ(verdict(stream, frame), "malformed") << "version 4 under EtherType 86dd";
}

TEST(Classifier, ArpAndNeighborDiscovery) {
    const Stream stream = make_stream({.kind = Kind::ipv6_to_ipv4});
    Bytes arp(60);
    wire::store16(&arp[12], wire::ethernet::arp);
    EXPECT_EQ(verdict(stream, arp), "arp_nd");
    arp.resize(14);
    EXPECT_EQ(verdict(stream, arp), "arp_nd");
    const auto link_local = address("fe80::1"), all_nodes = address("ff02::1");
    for (unsigned type = 0; type < 256; ++type) {
        const auto frame =
            ip_frame(link_local, all_nodes, wire::protocol::icmpv6, {static_cast<std::uint8_t>(type), 0, 0, 0, 0, 0, 0, 0});
        // RFC 4861: 133 to 137; RFC 2710: 130 to 132; RFC 3810: 143; RFC 4443 §2.1: errors are below 128.
        const bool discovery = (type >= 130 && type <= 137) || type == 143;
        EXPECT_EQ(verdict(stream, frame), discovery ? "arp_nd" : type < 128 ? "icmp_error" : "foreign") << type;
    }
    // A multicast listener report comes with a hop-by-hop header (RFC 3810 §5).
    auto report = ip_frame(link_local, all_nodes, wire::protocol::icmpv6, {143, 0, 0, 0, 0, 0, 0, 0});
    insert_extension_header(report, wire::protocol::hop_by_hop, {5, 2, 0, 0, 1, 0});
    EXPECT_EQ(verdict(stream, report), "arp_nd");
}

TEST(Classifier, IcmpErrorsByTypeAndCode) {
    const Stream stream = make_stream({.kind = Kind::ipv4_to_ipv6});
    const auto router = address("198.18.255.1"), host = address("198.18.0.2");
    for (unsigned type = 0; type < 256; ++type) {
        const auto frame = ip_frame(router, host, wire::protocol::icmpv4, {static_cast<std::uint8_t>(type), 4, 0, 0, 0, 0, 0, 0});
        const bool error = type == 3 || type == 4 || type == 5 || type == 11 || type == 12;  // RFC 1122 §3.2.2
        const Finding finding = classified(stream, frame);
        ASSERT_EQ(verdict(finding), error ? "icmp_error" : "foreign") << type;
        ASSERT_EQ(finding.icmp_error.has_value(), error);
        if (!error) continue;
        EXPECT_EQ(finding.icmp_error->family, wire::Family::ipv4);
        EXPECT_EQ(finding.icmp_error->type, type);
        EXPECT_EQ(finding.icmp_error->code, 4);
        EXPECT_EQ(finding.icmp_error->from, router);
    }
    EXPECT_EQ(verdict(stream, ip_frame(router, host, wire::protocol::icmpv4, Bytes(7, 3))), "foreign") << "no whole ICMP header";
    auto fragment = ip_frame(router, host, wire::protocol::icmpv4, Bytes(16, 3));
    ip(fragment)[wire::ipv4::flags_offset] = 0x20;
    repair_ip_checksum(fragment);
    EXPECT_EQ(verdict(stream, fragment), "foreign");
    EXPECT_EQ(verdict(stream, ip_frame(router, host, wire::protocol::icmpv6, {1, 0, 0, 0, 0, 0, 0, 0})), "foreign")
        << "ICMPv6 in IPv4";
}

TEST(Classifier, StraysWhereNoStreamArrives) {
    const Stream stream = make_stream({.kind = Kind::native_ipv6});
    const auto frame = received(stream, 3);
    EXPECT_EQ(verdict(classify_stray(frame.data(), frame.size())), "foreign");
    EXPECT_EQ(verdict(classify_stray(frame.data(), frame.size(), stream.mark)), "returned");
    EXPECT_EQ(verdict(classify_stray(frame.data(), frame.size(), probe::Mark{0, stream.mark.trial + 1})), "stale");
    EXPECT_EQ(verdict(classify_stray(frame.data(), 13)), "malformed");
    const auto error = ip_frame(address("2001:db8::1"), address("2001:2::2"), wire::protocol::icmpv6, {1, 3, 0, 0, 0, 0, 0, 0});
    EXPECT_EQ(verdict(classify_stray(error.data(), error.size())), "icmp_error");
}

}  // namespace
}  // namespace xlatperf::frame
