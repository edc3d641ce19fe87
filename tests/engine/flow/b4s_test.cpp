#include "flow/b4s.h"

#include <gtest/gtest.h>

namespace xlatperf::flow {
namespace {

wire::Ipv6Address address(const char* text) { return *wire::parse_ipv6(text); }

TEST(B4s, OneIsInEachNetwork) {
    const B4s b4s{address("2001:2:0:4000::2"), 0x1234, 64};
    EXPECT_EQ(wire::to_text(b4s.address(0)), "2001:2:0:4000::2");
    EXPECT_EQ(wire::to_text(b4s.address(0x1233)), "2001:2:0:5233::2");
    EXPECT_TRUE(b4s.holds(address("2001:2:0:4000::2")));
    EXPECT_TRUE(b4s.holds(address("2001:2:0:5233::2")));
    EXPECT_FALSE(b4s.holds(address("2001:2:0:5234::2"))) << "one more";
    EXPECT_FALSE(b4s.holds(address("2001:2:0:3fff::2"))) << "one less";
    EXPECT_FALSE(b4s.holds(address("2001:2:0:4000::3"))) << "another one in its network";
    EXPECT_FALSE(b4s.wraps());
}

TEST(B4s, ConsecutiveAddresses) {
    const B4s b4s{address("2001:2::ffff"), 2, 128};
    EXPECT_EQ(wire::to_text(b4s.address(1)), "2001:2::1:0");
    EXPECT_TRUE(b4s.holds(address("2001:2::1:0")));
    EXPECT_FALSE(b4s.holds(address("2001:2::1:1")));
}

TEST(B4s, TheAddressSpaceEnds) {
    EXPECT_TRUE((B4s{address("ffff:ffff:ffff:fff0::1"), 17, 64}).wraps());
    EXPECT_FALSE((B4s{address("ffff:ffff:ffff:fff0::1"), 16, 64}).wraps());
}

}  // namespace
}  // namespace xlatperf::flow
