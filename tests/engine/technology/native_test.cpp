#include "technology/native.h"

#include <gtest/gtest.h>

namespace xlatperf::technology {
namespace {

flow::Ipv4Hosts v4_hosts(const char* prefix, std::uint32_t networks) {
    return {wire::parse_ipv4_prefix(prefix).value(), networks, 2};
}
flow::Ipv6Hosts v6_hosts(const char* prefix, std::uint32_t networks) {
    return {wire::parse_ipv6_prefix(prefix).value(), networks, 2};
}

TEST(Native, AddressesAreTheSameFromBothSides) {
    const Native native(v6_hosts("2001:2::/64", 3), v6_hosts("2001:2:0:8000::/64", 1));
    EXPECT_EQ(native.family(Side::left), wire::Family::ipv6);
    EXPECT_EQ(native.family(Side::right), wire::Family::ipv6);
    for (const auto side : flow::both_sides) EXPECT_EQ(native.arrives(side), forwarded_ipv6);
    const auto left = native.addresses(Side::left, Side::left);
    EXPECT_EQ(left, native.addresses(Side::left, Side::right));
    ASSERT_EQ(left.size(), 3U);
    EXPECT_EQ(to_text(left[0]), "2001:2::2");
    EXPECT_EQ(to_text(left[2]), "2001:2:0:2::2");
    EXPECT_EQ(to_text(native.addresses(Side::right, Side::left)[0]), "2001:2:0:8000::2");
}

TEST(Native, RoutesAreTheNetworks) {
    const Native native(v4_hosts("198.18.0.0/24", 2), v4_hosts("198.19.0.0/24", 256));
    EXPECT_EQ(native.family(Side::left), wire::Family::ipv4);
    EXPECT_EQ(native.routes(Side::left), (std::vector<std::string>{"198.18.0.0/24", "198.18.1.0/24"}));
    const auto right = native.routes(Side::right);
    ASSERT_EQ(right.size(), 256U);
    EXPECT_EQ(right.back(), "198.19.255.0/24");
}

}  // namespace
}  // namespace xlatperf::technology
