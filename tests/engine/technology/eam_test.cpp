#include "technology/eam.h"

#include <gtest/gtest.h>

#include <random>

namespace xlatperf::technology {
namespace {

wire::Ipv4Address v4(const std::string& text) { return wire::parse_ipv4(text).value(); }
wire::Ipv6Address v6(const std::string& text) { return wire::parse_ipv6(text).value(); }
AddressMapping row(const std::string& ipv4, const std::string& ipv6) {
    return {wire::parse_ipv4_prefix(ipv4).value(), wire::parse_ipv6_prefix(ipv6).value()};
}

void expect_pair(const AddressMappingTable& table, const std::string& four, const std::string& six) {
    const auto mapped = table.to_ipv6(v4(four));
    ASSERT_TRUE(mapped) << four;
    EXPECT_EQ(wire::to_text(*mapped), six);
    const auto back = table.to_ipv4(v6(six));
    ASSERT_TRUE(back) << six;
    EXPECT_EQ(wire::to_text(*back), four);
}

TEST(AddressMapping, VectorsOfStandards42) {
    const AddressMappingTable table({row("198.51.100.0/24", "2001:db8:bbbb::/120"), row("203.0.113.8/29", "2001:db8:cccc::/125"),
                                     row("198.18.0.0/24", "2001:2::/120"), row("198.19.0.0/24", "2001:2:0:1000::/120")});
    expect_pair(table, "198.51.100.0", "2001:db8:bbbb::");
    expect_pair(table, "198.51.100.255", "2001:db8:bbbb::ff");
    expect_pair(table, "203.0.113.10", "2001:db8:cccc::2");
    expect_pair(table, "198.18.0.2", "2001:2::2");
    expect_pair(table, "198.19.0.2", "2001:2:0:1000::2");
    EXPECT_FALSE(table.to_ipv6(v4("203.0.113.16")));
    EXPECT_FALSE(table.to_ipv4(v6("2001:db8:cccc::8")));
}

// RFC 7757 §3.2 with prefixes of either length: the example table of the RFC's section 3.2.
TEST(AddressMapping, SuffixesOfRfc7757) {
    const AddressMappingTable table({row("192.0.2.1/32", "2001:db8:aaaa::/128"), row("192.0.2.2/32", "2001:db8:bbbb::b/128"),
                                     row("192.0.2.16/28", "2001:db8:cccc::/124"), row("192.0.2.128/26", "2001:db8:dddd::/64"),
                                     row("192.0.2.192/29", "2001:db8:eeee:8::/62"), row("192.0.2.224/31", "64:ff9b::/127")});
    expect_pair(table, "192.0.2.1", "2001:db8:aaaa::");
    expect_pair(table, "192.0.2.2", "2001:db8:bbbb::b");
    expect_pair(table, "192.0.2.21", "2001:db8:cccc::5");
    expect_pair(table, "192.0.2.152", "2001:db8:dddd:0:6000::");
    expect_pair(table, "192.0.2.195", "2001:db8:eeee:9:8000::");
    expect_pair(table, "192.0.2.225", "64:ff9b::1");
}

TEST(AddressMapping, TheSuffixFollowsThePrefixImmediately) {
    const AddressMappingTable table({row("192.0.2.64/26", "2001:db8:eeee:8::/62")});
    expect_pair(table, "192.0.2.91", "2001:db8:eeee:9:b000::");
    expect_pair(table, "192.0.2.64", "2001:db8:eeee:8::");
    expect_pair(table, "192.0.2.127", "2001:db8:eeee:b:f000::");
}

TEST(AddressMapping, LongestMatchOfEitherSide) {
    const AddressMappingTable table({row("198.18.0.0/16", "2001:db8::/64"), row("198.18.7.0/24", "2001:db8:0:0:7::/80"),
                                     row("198.18.7.9/32", "2001:db8:9::9/128"), row("0.0.0.0/0", "2001:db8:ffff::/96")});
    EXPECT_EQ(table.to_ipv6(v4("198.18.7.9")), v6("2001:db8:9::9"));
    EXPECT_EQ(table.to_ipv6(v4("198.18.7.8")), v6("2001:db8::7:800:0:0"));
    EXPECT_EQ(table.to_ipv6(v4("198.18.8.1")), v6("2001:db8:0:0:801::"));
    EXPECT_EQ(table.to_ipv6(v4("8.8.8.8")), v6("2001:db8:ffff::808:808"));
    EXPECT_EQ(table.to_ipv4(v6("2001:db8::7:800:0:0")), v4("198.18.7.8"));
    EXPECT_EQ(table.to_ipv4(v6("2001:db8:0:0:801::")), v4("198.18.8.1"));
    EXPECT_EQ(table.to_ipv4(v6("2001:db8:9::9")), v4("198.18.7.9"));
    EXPECT_EQ(table.to_ipv4(v6("2001:db8:ffff::808:808")), v4("8.8.8.8"));
}

TEST(AddressMapping, HostBitsOfThePrefixesDontMatter) {
    const AddressMappingTable table({row("198.18.0.77/24", "2001:2::99/120")});
    expect_pair(table, "198.18.0.2", "2001:2::2");
}

TEST(AddressMapping, FitsIfTheIpv4SuffixIsNotLonger) {  // RFC 7757 §3.1
    EXPECT_TRUE(row("198.18.0.0/24", "2001:2::/120").fits());
    EXPECT_FALSE(row("198.18.0.0/24", "2001:2::/121").fits());
    EXPECT_TRUE(row("198.18.0.0/32", "2001:2::/128").fits());
    EXPECT_TRUE(row("0.0.0.0/0", "2001:2::/96").fits());
    EXPECT_FALSE(row("0.0.0.0/0", "2001:2::/97").fits());
}

TEST(AddressMapping, EmptyTable) {
    const AddressMappingTable table;
    EXPECT_TRUE(table.empty());
    EXPECT_FALSE(table.to_ipv6(v4("198.18.0.2")));
    EXPECT_FALSE(table.to_ipv4(v6("2001:2::2")));
}

TEST(AddressMapping, ToIpv4InvertsToIpv6ForRandomRows) {
    std::mt19937_64 random(7757);
    for (int i = 0; i < 3000; ++i) {
        const auto p4 = static_cast<unsigned>(random() % 33);
        const auto p6 = static_cast<unsigned>(random() % (96 + p4 + 1));
        const AddressMapping one{{wire::Ipv4Address{static_cast<std::uint32_t>(random())}, p4},
                                 {wire::Ipv6Address{(wire::Bits128{random()} << 64) | random()}, p6}};
        ASSERT_TRUE(one.fits());
        const AddressMappingTable table({one});
        const auto suffix = p4 == 32 ? 0 : static_cast<std::uint32_t>(random()) >> p4;
        const wire::Ipv4Address address{one.ipv4.network().value | suffix};
        const auto mapped = table.to_ipv6(address);
        ASSERT_TRUE(mapped);
        ASSERT_TRUE(one.ipv6.contains(*mapped));
        ASSERT_EQ(table.to_ipv4(*mapped), address);
        // RFC 7757 §3.3.1 step 4: what is behind the suffix is zero.
        const unsigned rest = 128 - p6 - (32 - p4);
        if (rest > 0 && rest < 128) {
            ASSERT_EQ(mapped->value & ((wire::Bits128{1} << rest) - 1), wire::Bits128{0});
        }
    }
}

}  // namespace
}  // namespace xlatperf::technology
