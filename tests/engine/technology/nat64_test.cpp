#include "technology/nat64.h"

#include <gtest/gtest.h>

#include "technology/texts.h"

namespace xlatperf::technology {
namespace {

Nat64 nat64(const char* prefix) {  // R9693-3.1: the addresses of Figure 2
    return {{wire::parse_ipv6("2001:2::2").value(), 2, 65536},
            {wire::parse_ipv4("198.19.0.2").value(), 2},
            Pool{wire::parse_ipv4("198.19.0.1").value()},
            wire::parse_ipv6_prefix(prefix).value()};
}

TEST(Nat64, ServersAreInThePrefixOnTheLeft) {
    const auto nat = nat64("2001:db8:6464::/96");
    EXPECT_EQ(texts(nat.addresses(Side::right, Side::left)), (Texts{"2001:db8:6464::c613:2", "2001:db8:6464::c613:3"}));
    EXPECT_EQ(texts(nat.addresses(Side::right, Side::right)), (Texts{"198.19.0.2", "198.19.0.3"}));
    // R6052-2.2: bits 64 to 71 stay zero.
    EXPECT_EQ(texts(nat64("2001:db8::/32").addresses(Side::right, Side::left))[0], "2001:db8:c613:2::");
    EXPECT_EQ(texts(nat64("2001:db8:122:344::/64").addresses(Side::right, Side::left))[0], "2001:db8:122:344:c6:1300:200:0");
}

TEST(Nat64, ClientsAreThePoolOnTheRight) {
    const auto nat = nat64("2001:db8:6464::/96");
    EXPECT_EQ(texts(nat.addresses(Side::left, Side::left)), (Texts{"2001:2::2", "2001:2::1:2"}));
    EXPECT_EQ(texts(nat.addresses(Side::left, Side::right)), Texts{"198.19.0.1"});
}

TEST(Nat64, FamiliesAndRoutes) {
    const auto nat = nat64("2001:db8:6464::/96");
    EXPECT_TRUE(nat.stateful());
    EXPECT_EQ(nat.arrives(Side::left), ipv6_from_ipv4);
    EXPECT_EQ(nat.arrives(Side::right), ipv4_from_ipv6);
    EXPECT_EQ(nat.family(Side::left), wire::Family::ipv6);
    EXPECT_EQ(nat.family(Side::right), wire::Family::ipv4);
    EXPECT_EQ(nat.pool()->family(), wire::Family::ipv4);
    EXPECT_EQ(nat.routes(Side::left), Texts{"2001:2::/111"});
    EXPECT_EQ(nat.routes(Side::right), Texts{"198.19.0.2/31"});
}

}  // namespace
}  // namespace xlatperf::technology
