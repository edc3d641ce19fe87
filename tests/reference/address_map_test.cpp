// standards.md §4.1 and §4.2: RFC 6052 and RFC 7757.
#include "translate/address_map.h"

#include <gtest/gtest.h>

#include "packets.h"

namespace xlatperf::reference {
namespace {

using wire::parse_ipv4;
using wire::parse_ipv4_prefix;
using wire::parse_ipv6;
using wire::parse_ipv6_prefix;

struct Vector {
    const char* prefix;
    const char* address;
};

TEST(AddressMap, Rfc6052_2_4_Tables) {
    for (const Vector& v : {Vector{"2001:db8::/32", "2001:db8:c000:221::"},
                            {"2001:db8:100::/40", "2001:db8:1c0:2:21::"},
                            {"2001:db8:122::/48", "2001:db8:122:c000:2:2100::"},
                            {"2001:db8:122:300::/56", "2001:db8:122:3c0:0:221::"},
                            {"2001:db8:122:344::/64", "2001:db8:122:344:c0:2:2100::"},
                            {"2001:db8:122:344::/96", "2001:db8:122:344::c000:221"}}) {
        const AddressMap map(parse_ipv6_prefix(v.prefix), {});
        EXPECT_EQ(map.to_ipv6(*parse_ipv4("192.0.2.33")), parse_ipv6(v.address)) << v.prefix;
        EXPECT_EQ(to_text(*map.to_ipv4(*parse_ipv6(v.address))), "192.0.2.33");
        EXPECT_FALSE(map.to_ipv4(*parse_ipv6("2001:db9::1")));
    }
}

TEST(AddressMap, Rfc6052_3_1_WellKnownPrefixIsForGlobalAddressesOnly) {
    const AddressMap map(parse_ipv6_prefix("64:ff9b::/96"), {});
    EXPECT_EQ(to_text(*map.to_ipv6(*parse_ipv4("8.8.8.8"))), "64:ff9b::808:808");
    EXPECT_FALSE(map.to_ipv6(*parse_ipv4("198.18.0.2")));
    EXPECT_FALSE(map.to_ipv6(*parse_ipv4("192.0.2.33")));
    EXPECT_FALSE(map.to_ipv4(*parse_ipv6("64:ff9b::c612:2")));
    EXPECT_TRUE(map.to_ipv4(*parse_ipv6("64:ff9b::808:808")));
}

Eam row(const char* v4, const char* v6) { return {*parse_ipv4_prefix(v4), *parse_ipv6_prefix(v6)}; }

TEST(AddressMap, Rfc7757_Vectors) {
    const AddressMap map({}, {row("198.51.100.0/24", "2001:db8:bbbb::/120"), row("203.0.113.8/29", "2001:db8:cccc::/125"),
                              row("198.18.0.0/24", "2001:2::/120"), row("198.19.0.0/24", "2001:2:0:1000::/120")});
    for (const auto& [v4, v6] : {std::pair{"198.51.100.7", "2001:db8:bbbb::7"},
                                 {"203.0.113.10", "2001:db8:cccc::2"},
                                 {"198.18.0.2", "2001:2::2"},
                                 {"198.19.0.255", "2001:2:0:1000::ff"}}) {
        EXPECT_EQ(to_text(*map.to_ipv6(*parse_ipv4(v4))), v6);
        EXPECT_EQ(to_text(*map.to_ipv4(*parse_ipv6(v6))), v4);
    }
    EXPECT_FALSE(map.to_ipv6(*parse_ipv4("203.0.113.16")));
    EXPECT_FALSE(map.to_ipv4(*parse_ipv6("2001:2::100")));
}

TEST(AddressMap, Rfc7757_LongestMatchThenPrefix) {
    const AddressMap map(parse_ipv6_prefix("2001:db8:6464::/96"),
                         {row("198.18.0.0/16", "2001:db8:a::/112"), row("198.18.0.5/32", "2001:db8:b::5/128")});
    EXPECT_EQ(to_text(*map.to_ipv6(*parse_ipv4("198.18.0.5"))), "2001:db8:b::5");
    EXPECT_EQ(to_text(*map.to_ipv6(*parse_ipv4("198.18.0.6"))), "2001:db8:a::6");
    EXPECT_EQ(to_text(*map.to_ipv6(*parse_ipv4("198.19.0.6"))), "2001:db8:6464::c613:6");
    EXPECT_EQ(to_text(*map.to_ipv4(*parse_ipv6("2001:db8:b::5"))), "198.18.0.5");
    EXPECT_EQ(to_text(*map.to_ipv4(*parse_ipv6("2001:db8:6464::c613:6"))), "198.19.0.6");
}

TEST(AddressMap, Rfc7757_3_3_SuffixFollowsThePrefix) {
    const AddressMap map({}, {row("198.18.0.0/24", "2001:db8::/64")});
    EXPECT_EQ(map.to_ipv6(*parse_ipv4("198.18.0.2")), parse_ipv6("2001:db8::200:0:0:0"));
    EXPECT_EQ(to_text(*map.to_ipv4(*parse_ipv6("2001:db8::200:0:0:99"))), "198.18.0.2");
    EXPECT_TRUE(AddressMap::suffixes_fit(row("0.0.0.0/0", "2001:db8::/96")));
    EXPECT_FALSE(AddressMap::suffixes_fit(row("0.0.0.0/0", "2001:db8::/97")));
}

}  // namespace
}  // namespace xlatperf::reference
