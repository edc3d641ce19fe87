#include "frame/packet.h"

#include <gtest/gtest.h>

#include "frame/streams.h"

namespace xlatperf::frame {
namespace {

std::optional<Packet> parsed(const Bytes& frame) { return parse_packet(frame.data(), frame.size()); }

TEST(Packet, FieldsOfIpv4) {
    const auto frame = received(make_stream({.kind = Kind::native_ipv4, .ipv6_size = 128}), 3);
    const auto packet = parsed(frame).value();
    EXPECT_EQ(packet.family, wire::Family::ipv4);
    EXPECT_EQ(packet.source, address("198.18.0.2"));
    EXPECT_EQ(packet.destination, address("198.19.0.2"));
    EXPECT_EQ(packet.hop_limit, 9);
    EXPECT_EQ(packet.traffic_class, 0xb8);
    EXPECT_EQ(packet.protocol, wire::protocol::udp);
    EXPECT_EQ(packet.transport, 34U);
    EXPECT_EQ(packet.end, 104U);
    EXPECT_TRUE(packet.first_fragment);
    EXPECT_FALSE(packet.fragment || packet.extension_headers);
}

TEST(Packet, FieldsOfIpv6) {
    auto frame = received(make_stream({.kind = Kind::native_ipv6, .ipv6_size = 128}), 3);
    wire::store32(&frame[14], 0x6b8abcde);
    const auto packet = parsed(frame).value();
    EXPECT_EQ(packet.family, wire::Family::ipv6);
    EXPECT_EQ(packet.source, address("2001:2::2"));
    EXPECT_EQ(packet.traffic_class, 0xb8);
    EXPECT_EQ(packet.flow_label, 0xabcdeU);
    EXPECT_EQ(packet.transport, 54U);
    EXPECT_EQ(packet.end, 124U);
}

TEST(Packet, PaddingIsBehindTheEnd) {
    auto frame = received(make_stream({.kind = Kind::native_ipv4}), 3);
    const auto size = frame.size();
    frame.resize(size + 10);
    EXPECT_EQ(parsed(frame)->end, size);
}

TEST(Packet, Ipv4OptionsMoveTheTransportHeader) {
    auto frame = received(make_stream({.kind = Kind::native_ipv4, .ipv6_size = 128}), 3);
    frame[14] = 0x46;
    EXPECT_EQ(parsed(frame)->transport, 38U);
    EXPECT_TRUE(parsed(frame)->extension_headers);
}

TEST(Packet, Ipv6ExtensionHeadersAreSkipped) {  // RFC 8200 §4
    auto frame = received(make_stream({.kind = Kind::native_ipv6}), 3);
    insert_extension_header(frame, wire::protocol::destination_options, {1, 4, 0, 0, 0, 0});
    insert_extension_header(frame, wire::protocol::routing, {});
    insert_extension_header(frame, wire::protocol::hop_by_hop, {1, 4, 0, 0, 0, 0});
    const auto packet = parsed(frame).value();
    EXPECT_EQ(packet.protocol, wire::protocol::udp);
    EXPECT_EQ(packet.transport, 54U + 24U);
    EXPECT_TRUE(packet.extension_headers);
    EXPECT_FALSE(packet.fragment);
}

TEST(Packet, FragmentsOfEitherFamily) {
    struct Case {
        std::uint16_t ipv4_field, ipv6_field;
        bool fragment, first;
    };
    for (const auto& [ipv4_field, ipv6_field, fragment, first] :
         {Case{0x0000, 0x0000, false, true}, Case{0x4000, 0x0006, false, true}, Case{0x2000, 0x0001, true, true},
          Case{0x2001, 0x0009, true, false}, Case{0x0001, 0x0008, true, false}, Case{0x1fff, 0xfff8, true, false}}) {
        auto four = received(make_stream({.kind = Kind::native_ipv4}), 3);
        wire::store16(&four[14 + wire::ipv4::flags_offset], ipv4_field);
        EXPECT_EQ(parsed(four)->fragment, fragment) << ipv4_field;
        EXPECT_EQ(parsed(four)->first_fragment, first) << ipv4_field;
        auto six = received(make_stream({.kind = Kind::native_ipv6}), 3);
        insert_extension_header(six, wire::protocol::fragment,
                                {static_cast<std::uint8_t>(ipv6_field >> 8), static_cast<std::uint8_t>(ipv6_field), 0, 0, 0, 1});
        EXPECT_EQ(parsed(six)->fragment, fragment) << ipv6_field << ": atomic fragments are none (RFC 6946)";
        EXPECT_EQ(parsed(six)->first_fragment, first) << ipv6_field;
        EXPECT_TRUE(parsed(six)->extension_headers);
        EXPECT_EQ(parsed(six)->protocol, wire::protocol::udp);
    }
}

TEST(Packet, LengthsThatDontFit) {
    const auto four = received(make_stream({.kind = Kind::native_ipv4}), 3),
               six = received(make_stream({.kind = Kind::native_ipv6}), 3);
    for (std::size_t size = 0; size < four.size(); ++size)
        EXPECT_FALSE(parsed({four.begin(), four.begin() + static_cast<std::ptrdiff_t>(size)}));
    for (std::size_t size = 0; size < six.size(); ++size)
        EXPECT_FALSE(parsed({six.begin(), six.begin() + static_cast<std::ptrdiff_t>(size)}));
    const auto spoilt = [](Bytes frame, std::size_t at, std::uint8_t value) {
        frame[at] = value;
        return parsed(frame).has_value();
    };
    EXPECT_FALSE(spoilt(four, 14, 0x44)) << "IHL below 5";
    EXPECT_FALSE(spoilt(four, 14, 0x65)) << "version 6 under EtherType 0800";
    EXPECT_FALSE(spoilt(four, 17, 19)) << "total length below the header's";
    EXPECT_FALSE(spoilt(four, 16, 0xff)) << "total length beyond the frame";
    EXPECT_FALSE(spoilt(six, 14, 0x45)) << "version 4 under EtherType 86dd";
    EXPECT_FALSE(spoilt(six, 18, 0xff)) << "payload length beyond the frame";
    auto cut = six;
    insert_extension_header(cut, wire::protocol::hop_by_hop, {});
    EXPECT_TRUE(parsed(cut));
    EXPECT_FALSE(spoilt(cut, 55, 200)) << "an extension header beyond the packet";
    auto endless = six;
    std::fill(endless.begin() + 54, endless.end(), std::uint8_t{0});  // hop-by-hop headers to the end
    endless[20] = 0;
    EXPECT_FALSE(parsed(endless));
}

TEST(Packet, OtherEtherTypes) {
    auto frame = received(make_stream({}), 3);
    for (const int type : {0x0000, 0x0806, 0x8100, 0x88cc, 0xffff}) {
        wire::store16(&frame[12], static_cast<std::uint16_t>(type));
        EXPECT_FALSE(parsed(frame)) << type;
    }
}

}  // namespace
}  // namespace xlatperf::frame
