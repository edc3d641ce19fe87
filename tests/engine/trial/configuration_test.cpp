#include "trial/configuration.h"

#include <gtest/gtest.h>

#include "trial/configurations.h"

namespace xlatperf::trial {
namespace {

using wire::Family;
using Families = std::vector<Family>;

TEST(Configuration, FamiliesOfEachSide) {
    EXPECT_EQ(families(siit(), flow::Side::left), (Families{Family::ipv6}));
    EXPECT_EQ(families(siit(), flow::Side::right), (Families{Family::ipv4}));
    EXPECT_EQ(families(with_background(siit()), flow::Side::left), (Families{Family::ipv6}));
    EXPECT_EQ(families(with_background(siit()), flow::Side::right), (Families{Family::ipv4, Family::ipv6}));
    EXPECT_EQ(families(with_background(siit(), 0, 1), flow::Side::right), (Families{Family::ipv6}));
    EXPECT_EQ(families(native_ipv4(), flow::Side::right), (Families{Family::ipv4}));
}

TEST(Configuration, NeighborsAreOfTheFamiliesThatAreUsed) {
    const wire::Mac mac = {2, 0, 0, 0, 0, 1};
    const auto left = neighbor_configuration(siit(), flow::Side::left, mac);
    EXPECT_EQ(left.mac, mac);
    EXPECT_FALSE(left.ipv4);
    ASSERT_TRUE(left.ipv6);
    EXPECT_EQ(wire::to_text(left.ipv6->gateway), "2001:2:0:7fff::1");
    ASSERT_EQ(left.ipv6_hosts.size(), 1U);
    EXPECT_EQ(wire::to_text(left.ipv6_hosts[0]), "2001:2::2") << "the host as it is addressed on this link";
    EXPECT_TRUE(left.ipv4_hosts.empty());
    const auto right = neighbor_configuration(with_background(siit()), flow::Side::right, mac);
    EXPECT_TRUE(right.ipv4 && right.ipv6);
    EXPECT_EQ(wire::to_text(right.ipv4_hosts.at(0)), "198.19.0.2");
    EXPECT_EQ(wire::to_text(right.ipv6_hosts.at(0)), "2001:2:0:9000::2");
}

}  // namespace
}  // namespace xlatperf::trial
