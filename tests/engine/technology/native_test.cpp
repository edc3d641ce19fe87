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

AddressTranslation translator(const char* ipv4, const char* ipv6) {
    return {wire::parse_ipv6_prefix("2001:db8:6464::/96"),
            AddressMappingTable({{wire::parse_ipv4_prefix(ipv4).value(), wire::parse_ipv6_prefix(ipv6).value()}})};
}

// RFC 7757 §3.2, §3.3: the left hosts are mapped, the right ones are under the prefix (RFC 6052) and stay who they are.
TEST(Native, TwoTranslatorsMayNameHostsOtherwise) {
    const Native native(
        v4_hosts("198.18.0.0/24", 2), v4_hosts("198.19.0.0/24", 1), true,
        Native::Translators{translator("198.18.0.0/16", "2001:db8:1::/112"), translator("172.16.0.0/16", "2001:db8:1::/112")});
    const auto texts = [&](Side side, Side seen_from) {
        std::vector<std::string> found;
        for (const auto& one : native.addresses(side, seen_from)) found.push_back(wire::to_text(one));
        return found;
    };
    EXPECT_EQ(texts(Side::left, Side::left), (std::vector<std::string>{"198.18.0.2", "198.18.1.2"}));
    EXPECT_EQ(texts(Side::left, Side::right), (std::vector<std::string>{"172.16.0.2", "172.16.1.2"}));
    for (const auto side : flow::both_sides) EXPECT_EQ(texts(Side::right, side), (std::vector<std::string>{"198.19.0.2"}));
    EXPECT_EQ(native.routes(Side::left), (std::vector<std::string>{"198.18.0.0/24", "198.18.1.0/24"}));
    for (const auto side : flow::both_sides) EXPECT_EQ(native.arrives(side), ipv4_from_ipv6);
}

TEST(Native, AHostThatTheWayBackDoesNotLeadToIsRefused) {
    const Native native(
        v4_hosts("198.18.0.0/24", 1), v4_hosts("198.19.0.0/24", 1), true,
        Native::Translators{translator("198.18.0.0/24", "2001:db8:1::/120"), translator("198.18.0.0/24", "2001:db8:2::/120")});
    try {
        native.addresses(Side::left, Side::right);
        FAIL() << "2001:db8:1::2 is nobody's on the right";
    } catch (const Unmappable& error) {
        EXPECT_EQ(error.path, "technology.right");
        EXPECT_NE(error.text.find("2001:db8:1::2"), std::string::npos) << error.text;
    }
    EXPECT_NO_THROW(native.addresses(Side::left, Side::left));
}

}  // namespace
}  // namespace xlatperf::technology
