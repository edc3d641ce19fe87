#include "flow/host_range.h"

#include <gtest/gtest.h>

namespace xlatperf::flow {
namespace {

std::string text(wire::Ipv4Address address) { return wire::to_text(address); }
std::string text(wire::Ipv6Address address) { return wire::to_text(address); }

TEST(HostRange, ConsecutiveIpv4Networks) {  // RFC 2544 §12
    const Ipv4Hosts hosts{wire::parse_ipv4_prefix("198.18.0.0/24").value(), 256, 2};
    EXPECT_EQ(text(hosts.address(0)), "198.18.0.2");
    EXPECT_EQ(text(hosts.address(1)), "198.18.1.2");
    EXPECT_EQ(text(hosts.address(255)), "198.18.255.2");
    EXPECT_EQ(wire::to_text(hosts.network(255)), "198.18.255.0/24");
}

TEST(HostRange, ConsecutiveIpv6Networks) {
    const Ipv6Hosts hosts{wire::parse_ipv6_prefix("2001:2:0:ff00::/64").value(), 256, 0x123456789};
    EXPECT_EQ(text(hosts.address(0)), "2001:2:0:ff00:0:1:2345:6789");
    EXPECT_EQ(text(hosts.address(255)), "2001:2:0:ffff:0:1:2345:6789");
    EXPECT_EQ(wire::to_text(hosts.network(16)), "2001:2:0:ff10::/64");
}

TEST(HostRange, HostBitsOfThePrefixDontMatter) {
    const Ipv4Hosts hosts{wire::parse_ipv4_prefix("198.18.0.77/24").value(), 2, 2};
    EXPECT_EQ(text(hosts.address(1)), "198.18.1.2");
}

TEST(HostRange, OddPrefixLengths) {
    const Ipv4Hosts wide{wire::parse_ipv4_prefix("0.0.0.0/9").value(), 256, 1};
    EXPECT_EQ(text(wide.address(255)), "127.128.0.1");
    const Ipv4Hosts narrow{wire::parse_ipv4_prefix("198.18.0.0/30").value(), 3, 3};
    EXPECT_EQ(text(narrow.address(2)), "198.18.0.11");
    const Ipv6Hosts only{wire::parse_ipv6_prefix("::/0").value(), 1, 5};
    EXPECT_EQ(text(only.address(0)), "::5");
}

TEST(HostRange, NumbersInEachNetwork) {
    const Ipv4Hosts hosts{wire::parse_ipv4_prefix("198.18.0.0/24").value(), 3, 10, 4};
    EXPECT_EQ(hosts.count(), 12U);
    EXPECT_EQ(text(hosts.address(0)), "198.18.0.10");
    EXPECT_EQ(text(hosts.address(3)), "198.18.0.13");
    EXPECT_EQ(text(hosts.address(4)), "198.18.1.10");
    EXPECT_EQ(text(hosts.address(11)), "198.18.2.13");
    const Ipv6Hosts many{wire::parse_ipv6_prefix("2001:2::/64").value(), 1, 2, most_hosts};
    EXPECT_EQ(many.count(), 65536U);
    EXPECT_EQ(text(many.address(65535)), "2001:2::1:1");
}

}  // namespace
}  // namespace xlatperf::flow
