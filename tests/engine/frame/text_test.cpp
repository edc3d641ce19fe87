#include "frame/text.h"

#include <gtest/gtest.h>

#include "frame/streams.h"

namespace xlatperf::frame {
namespace {

TEST(Text, Numbers) {
    EXPECT_EQ(hex_number(0xb8, 4), "0x00b8");
    EXPECT_EQ(hex_number(0, 2), "0x00");
    EXPECT_EQ(hex_number(0x12345, 2), "0x12345");
    const Bytes bytes = {0x00, 0x0f, 0xa5};
    EXPECT_EQ(hex_bytes(bytes.data(), bytes.size()), "000fa5");
    EXPECT_EQ(hex_bytes(bytes.data(), 0), "");
}

TEST(Text, FramesAsAPersonWouldWriteThem) {
    ImageFields fields;
    fields.sources = technology::Addresses{address("2001:2::2")};
    fields.destinations = technology::Addresses{address("2001:db8:6464::c613:2")};
    const auto six = written(Image(fields), {0, 0, 49184, 7}, 0);
    EXPECT_EQ(describe_frame(six.data(), six.size()),
              "IPv6 2001:2::2 > 2001:db8:6464::c613:2, hop limit 10, traffic class 0x00, UDP 49184 > 7, 84 bytes");
    fields.sources = technology::Addresses{address("198.18.0.2")};
    fields.destinations = technology::Addresses{address("198.19.0.2")};
    fields.frame_size = 64;
    fields.hop_limit = 9;
    auto four = written(Image(fields), {0, 0, 49184, 7}, 0);
    EXPECT_EQ(describe_frame(four.data(), four.size()), "IPv4 198.18.0.2 > 198.19.0.2, TTL 9, TOS 0x00, UDP 49184 > 7, 64 bytes");
    four[14 + wire::ipv4::flags_offset + 1] = 1;
    EXPECT_EQ(describe_frame(four.data(), four.size()), "IPv4 198.18.0.2 > 198.19.0.2, TTL 9, TOS 0x00, fragment, UDP, 64 bytes");
    four[14 + wire::ipv4::protocol] = 6;
    EXPECT_NE(describe_frame(four.data(), four.size()).find("protocol 6"), std::string::npos);
    EXPECT_EQ(describe_frame(four.data(), 10), "14 bytes");
}

// RFC 7597 Appendix A, example 1.
TEST(Text, OfSubscribers) {
    const auto text = [](const flow::SubscriberRule& rule) {
        const flow::Subscribers all({{rule, 1, 0x1234}}, 1);
        return describe(all, all(0));
    };
    flow::SubscriberRule rule;
    rule.number_bits = 16;
    rule.psid_bits = rule.psid_length = 8;
    rule.psid_offset = 6;
    EXPECT_EQ(text(rule), "EA bits 0x1234 (16 bits), PSID 52 (8 bits), ports 1232-1235 2256-2259 ... 64720-64723");
    rule.psid_offset = 0;
    EXPECT_EQ(text(rule), "EA bits 0x1234 (16 bits), PSID 52 (8 bits), ports 13312-13567");
    rule.psid_length = rule.psid_bits = 0;
    EXPECT_EQ(text(rule), "EA bits 0x1234 (16 bits), all ports");
}

}  // namespace
}  // namespace xlatperf::frame
