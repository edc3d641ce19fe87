#include "port/address_claims.h"

#include <gtest/gtest.h>

#include "port/neighbor_frames.h"

namespace xlatperf::port {
namespace {

TEST(AddressClaims, TwoStationsWithOneAddressAreNamed) {
    Neighbors neighbors(configuration());
    const auto claims = [&] {
        std::vector<std::string> found;
        for (const auto& conflict : neighbors.conflicts()) found.push_back(conflict.text());
        return found;
    };
    for (int i = 0; i < 2; ++i) {
        receive(neighbors, arp(2, gateway_mac, v4("198.18.255.1"), v4("198.18.255.2")));
        receive(neighbors, advertisement(v6("2001:2:0:7fff::1"), option(2, gateway_mac)));
        EXPECT_EQ(claims(), std::vector<std::string>()) << "the DUT alone, and whoever has other addresses";
        receive(neighbors, arp(2, other_mac, v4("198.18.255.77"), v4("198.18.255.2")));
    }
    receive(neighbors, arp(1, other_mac, v4("198.18.255.1"), v4("198.18.255.1")));
    const std::string both = wire::to_text(gateway_mac) + " and " + wire::to_text(other_mac);
    ASSERT_EQ(claims(), std::vector<std::string>{"2 stations say that they are 198.18.255.1, the DUT: " + both});
    receive(neighbors, solicitation(v6("2001:2:0:7fff::1"), v6("2001:2::2"), option(1, other_mac)));
    ASSERT_EQ(claims().size(), 2U);
    EXPECT_EQ(claims()[1], "2 stations say that they are 2001:2:0:7fff::1, the DUT: " + both);
    neighbors.forget();
    EXPECT_EQ(claims(), std::vector<std::string>());
}

TEST(AddressClaims, WhoClaimsOurAddressesIsNamed) {
    Neighbors neighbors(configuration());
    receive(neighbors, arp(2, own_mac, v4("198.18.255.2"), v4("198.18.255.1")));  // a bridge that sends it back
    EXPECT_TRUE(neighbors.conflicts().empty());
    EXPECT_FALSE(receive(neighbors, arp(1, other_mac, v4("198.18.0.2"), v4("198.18.0.2"))));
    ASSERT_EQ(neighbors.conflicts().size(), 1U);
    EXPECT_EQ(neighbors.conflicts()[0].text(),
              wire::to_text(other_mac) + " says that 198.18.0.2, which is the Tester's, is its own");
    EXPECT_TRUE(neighbors.conflicts()[0].own);
    receive(neighbors, advertisement(v6("2001:2::2"), option(2, other_mac)));
    EXPECT_EQ(neighbors.conflicts().size(), 2U);
}

TEST(AddressClaims, WhereTheGatewayIsGivenOthersMayClaimIt) {
    auto given = configuration();
    given.gateway_mac = other_mac;
    Neighbors neighbors(given);
    receive(neighbors, arp(2, other_mac, v4("198.18.255.1"), v4("198.18.255.2")));
    receive(neighbors, arp(2, gateway_mac, v4("198.18.255.1"), v4("198.18.255.2")));
    EXPECT_TRUE(neighbors.conflicts().empty());
}

TEST(AddressClaims, AFloodOfClaimsIsBounded) {
    Neighbors neighbors(configuration());
    for (std::uint16_t i = 0; i < 5000; ++i) {
        auto mac = other_mac;
        wire::store16(&mac[4], i);
        receive(neighbors, arp(2, mac, v4("198.18.255.1"), v4("198.18.255.2")));
    }
    ASSERT_EQ(neighbors.conflicts().size(), 1U);
    EXPECT_EQ(neighbors.conflicts()[0].stations.size(), 8U);
}

}  // namespace
}  // namespace xlatperf::port
