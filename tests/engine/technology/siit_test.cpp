#include "technology/siit.h"

#include <gtest/gtest.h>

namespace xlatperf::technology {
namespace {

flow::Ipv4Hosts hosts(const char* prefix, std::uint32_t networks = 1) {
    return {wire::parse_ipv4_prefix(prefix).value(), networks, 2};
}
std::optional<wire::Ipv6Prefix> prefix(const char* text) { return wire::parse_ipv6_prefix(text); }
AddressMappingTable mappings() {
    return AddressMappingTable(
        {{wire::parse_ipv4_prefix("198.18.0.0/24").value(), wire::parse_ipv6_prefix("2001:2::/120").value()}});
}
std::string mapped(const Siit& siit, const char* address) {
    return wire::to_text(siit.to_ipv6(wire::parse_ipv4(address).value()));
}

TEST(Siit, MappingsGoBeforeThePrefix) {  // standards.md §4.2
    const Siit siit(Side::left, {prefix("2001:db8:6464::/96"), mappings()}, hosts("198.18.0.0/24"), hosts("198.19.0.0/24"));
    EXPECT_EQ(mapped(siit, "198.18.0.2"), "2001:2::2");
    EXPECT_EQ(mapped(siit, "198.19.0.2"), "2001:db8:6464::c613:2");
    EXPECT_EQ(mapped(siit, "198.18.1.2"), "2001:db8:6464::c612:102");
}

TEST(Siit, WithoutPrefixEveryHostNeedsAMapping) {
    const Siit siit(Side::left, {std::nullopt, mappings()}, hosts("198.18.0.0/24"), hosts("198.19.0.0/24"));
    EXPECT_EQ(mapped(siit, "198.18.0.2"), "2001:2::2");
    try {
        siit.addresses(Side::right, Side::left);
        FAIL() << "198.19.0.2 has no mapping";
    } catch (const Unmappable& error) {
        EXPECT_EQ(error.path, "technology.eam");
        EXPECT_NE(error.text.find("198.19.0.2"), std::string::npos) << error.text;
        EXPECT_EQ(error.text.find('\n'), std::string::npos);
    }
    EXPECT_NO_THROW(siit.addresses(Side::right, Side::right)) << "on its own link it is IPv4";
}

TEST(Siit, EitherSideMayBeIpv6) {
    for (const auto side : flow::both_sides) {
        const Siit siit(side, {prefix("64:ff9b::/96"), AddressMappingTable()}, hosts("198.18.0.0/24"), hosts("198.19.0.0/24"));
        EXPECT_EQ(siit.family(side), wire::Family::ipv6);
        EXPECT_EQ(siit.family(flow::other(side)), wire::Family::ipv4);
        EXPECT_EQ(siit.arrives(side), ipv6_from_ipv4);
        EXPECT_EQ(siit.arrives(flow::other(side)), ipv4_from_ipv6);
        for (const auto host_side : flow::both_sides) {
            EXPECT_EQ(family(siit.addresses(host_side, side).at(0)), wire::Family::ipv6);
            EXPECT_EQ(family(siit.addresses(host_side, flow::other(side)).at(0)), wire::Family::ipv4);
        }
        EXPECT_EQ(to_text(siit.addresses(Side::right, side).at(0)), "64:ff9b::c613:2");
        EXPECT_EQ(to_text(siit.addresses(Side::right, flow::other(side)).at(0)), "198.19.0.2");
    }
}

// RFC 7757 §3.3: longest match in both directions, each by its own prefixes; so the way back may lead elsewhere.
TEST(Siit, TheLongestIpv6PrefixCountsOnTheWayBack) {
    const AddressMappingTable overlapping({
        {wire::parse_ipv4_prefix("198.18.0.0/24").value(), wire::parse_ipv6_prefix("2001:2::/64").value()},
        {wire::parse_ipv4_prefix("203.0.113.7/32").value(), wire::parse_ipv6_prefix("2001:2::200:0:0:0/128").value()},
        {wire::parse_ipv4_prefix("192.0.2.0/24").value(), wire::parse_ipv6_prefix("2001:db8:6464::c613:0/120").value()},
    });
    const Siit siit(Side::left, {prefix("2001:db8:6464::/96"), overlapping}, hosts("198.18.0.0/24"), hosts("198.19.0.0/24"));
    EXPECT_EQ(mapped(siit, "198.18.0.2"), "2001:2:0:0:200::");
    EXPECT_EQ(mapped(siit, "198.19.0.2"), "2001:db8:6464::c613:2") << "an address under the prefix, which a mapping covers";
    const auto first = [](const Names& names) { return wire::to_text(list_in(names)->at(0)); };
    EXPECT_EQ(first(siit.arriving_names(Side::left, Side::right)), "203.0.113.7");
    EXPECT_EQ(first(siit.arriving_names(Side::right, Side::right)), "192.0.2.2");
    EXPECT_EQ(first(siit.names(Side::right, Side::right)), "198.19.0.2") << "as it sends";
    EXPECT_EQ(first(siit.names(Side::left, Side::right)), "198.18.0.2") << "as it's sent to";
    EXPECT_EQ(first(siit.arriving_names(Side::right, Side::left)), "2001:db8:6464::c613:2");
    EXPECT_EQ(siit.routes(Side::right), (std::vector<std::string>{"198.19.0.0/24", "192.0.2.2/32"}));
}

TEST(Siit, RoutesAreNetworksInIpv4AndHostsInIpv6) {
    const Siit siit(Side::left, {prefix("2001:db8:6464::/96"), mappings()}, hosts("198.18.0.0/24", 2), hosts("198.19.0.0/24", 3));
    EXPECT_EQ(siit.routes(Side::left), (std::vector<std::string>{"2001:2::2/128", "2001:db8:6464::c612:102/128"}));
    EXPECT_EQ(siit.routes(Side::right), (std::vector<std::string>{"198.19.0.0/24", "198.19.1.0/24", "198.19.2.0/24"}));
}

}  // namespace
}  // namespace xlatperf::technology
