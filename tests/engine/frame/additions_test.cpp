// What is in a frame of a wrong length that shouldn't be there has its name (RFC 8200 §4, RFC 791 §3.1).
#include "frame/additions.h"

#include "frame/classified.h"

namespace xlatperf::frame {
namespace {

std::string text(Kind kind, const std::function<void(Bytes&)>& spoil) {
    const Stream stream = make_stream({.kind = kind, .ipv6_size = 84});
    Bytes frame = received(stream, 9);
    spoil(frame);
    return classified(stream, frame).text;
}

TEST(Additions, ExtensionHeaders) {
    const std::vector<std::pair<std::uint8_t, std::string>> headers = {
        {wire::protocol::hop_by_hop, "a hop-by-hop options header"},
        {wire::protocol::routing, "a routing header"},
        {wire::protocol::fragment, "the fragment header of a whole packet (RFC 6946)"},
        {wire::protocol::destination_options, "a destination options header"},
    };
    for (const auto& [type, name] : headers) {
        const auto insert = [type = type](Bytes& frame) { insert_extension_header(frame, type, {}); };
        EXPECT_EQ(text(Kind::ipv4_to_ipv6, insert), "frame of 92 bytes, IP packet of 74, UDP length 26, with " + name +
                                                        ", expected 84 bytes, IP packet of 66, UDP length 26 (RFC 7915 §4.1)");
    }
}

TEST(Additions, SeveralInTheirOrder) {
    const auto spoil = [](Bytes& frame) {
        insert_extension_header(frame, wire::protocol::fragment, {});
        insert_extension_header(frame, wire::protocol::hop_by_hop, {1, 4});
        frame.resize(frame.size() + 3);
    };
    EXPECT_NE(text(Kind::native_ipv6, spoil)
                  .find(", with a hop-by-hop options header and the fragment header of a whole packet (RFC 6946) and 3 bytes of "
                        "padding behind the packet, expected"),
              std::string::npos);
}

TEST(Additions, Ipv4Options) {
    const auto insert = [](Bytes& frame) {
        frame.insert(frame.begin() + 34, {1, 1, 1, 1});
        frame[14] = 0x46;
        wire::store16(ip(frame) + wire::ipv4::total_length, static_cast<std::uint16_t>(frame.size() - 14));
    };
    EXPECT_NE(text(Kind::ipv6_to_ipv4, insert).find(", with IPv4 options, expected"), std::string::npos);
}

TEST(Additions, Padding) {
    const auto pad = [](Bytes& frame) { frame.resize(frame.size() + 4); };
    EXPECT_EQ(text(Kind::ipv6_to_ipv4, pad),
              "frame of 68 bytes, IP packet of 46, UDP length 26, with 4 bytes of padding behind "
              "the packet, expected 64 bytes, IP packet of 46, UDP length 26 (RFC 7915 §5.1)");
}

TEST(Additions, AnotherLengthIsNone) {
    const auto shorten = [](Bytes& frame) { --udp(frame)[wire::udp::length + 1]; };
    EXPECT_EQ(text(Kind::ipv6_to_ipv4, shorten).find("with"), std::string::npos);
}

}  // namespace
}  // namespace xlatperf::frame
