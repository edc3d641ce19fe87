#include "technology/nat44.h"

#include <gtest/gtest.h>

#include "technology/texts.h"

namespace xlatperf::technology {
namespace {

Nat44 nat44() {  // R9693-3.1: the addresses of Figure 1
    return {flow::Ipv4Range{wire::parse_ipv4("10.0.0.2").value(), 3}, flow::Ipv4Range{wire::parse_ipv4("198.19.0.2").value(), 2},
            Pool{wire::parse_ipv4("198.19.0.1").value(), 4}};
}
Nat44 nat66() {
    return {flow::Ipv6Range{wire::parse_ipv6("2001:2::2").value(), 2, 65536},
            flow::Ipv6Range{wire::parse_ipv6("2001:2:0:8000::2").value(), 1}, Pool{wire::parse_ipv6("2001:2:0:8000::1").value()}};
}

TEST(Nat44, AddressesOnBothLinks) {
    const auto nat = nat44();
    EXPECT_EQ(texts(nat.addresses(Side::left, Side::left)), (Texts{"10.0.0.2", "10.0.0.3", "10.0.0.4"}));
    EXPECT_EQ(texts(nat.addresses(Side::left, Side::right)), Texts{"198.19.0.1"}) << "the pool stands for the clients";
    for (const auto seen_from : flow::both_sides)
        EXPECT_EQ(texts(nat.addresses(Side::right, seen_from)), (Texts{"198.19.0.2", "198.19.0.3"}));
}

TEST(Nat44, RoutesAreClientsAndServers) {
    EXPECT_EQ(nat44().routes(Side::left), (Texts{"10.0.0.2/31", "10.0.0.4/32"}));
    EXPECT_EQ(nat44().routes(Side::right), Texts{"198.19.0.2/31"}) << "the pool is the DUT's own";
}

TEST(Nat44, IsStatefulAndKeepsTheFamily) {
    for (const auto& nat : {nat44(), nat66()}) {
        EXPECT_TRUE(nat.stateful());
        for (const auto side : flow::both_sides) {
            EXPECT_EQ(nat.family(side), nat.pool()->family());
            EXPECT_EQ(nat.arrives(side), forwarded(nat.family(side))) << "identification and DF stay";
        }
    }
    EXPECT_EQ(nat44().pool()->addresses, 4U);
    EXPECT_EQ(nat66().family(Side::left), wire::Family::ipv6);
}

TEST(Nat44, OfClatAndPlat) {  // RFC 6877 §6.3, RFC 7915 §5.1
    const Nat44 nat{flow::Ipv4Range{wire::parse_ipv4("10.0.0.2").value(), 1},
                    flow::Ipv4Range{wire::parse_ipv4("198.19.0.2").value(), 1}, Pool{wire::parse_ipv4("198.19.0.1").value()},
                    true};
    for (const auto side : flow::both_sides) EXPECT_EQ(nat.arrives(side), ipv4_from_ipv6);
}

TEST(Nat66, AddressesAndRoutes) {
    const auto nat = nat66();
    EXPECT_EQ(texts(nat.addresses(Side::left, Side::left)), (Texts{"2001:2::2", "2001:2::1:2"}));
    EXPECT_EQ(texts(nat.addresses(Side::left, Side::right)), Texts{"2001:2:0:8000::1"});
    EXPECT_EQ(nat.routes(Side::left), Texts{"2001:2::/111"});
    EXPECT_EQ(nat.routes(Side::right), Texts{"2001:2:0:8000::2/128"});
}

}  // namespace
}  // namespace xlatperf::technology
