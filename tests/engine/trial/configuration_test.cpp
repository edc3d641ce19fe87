#include "trial/configuration.h"

#include <gtest/gtest.h>

#include "technology/read_technology.h"
#include "trial/configurations.h"
#include "trial/map_frames.h"

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

bool has(const port::NeighborConfiguration& neighbors, const char* address) {
    const wire::Ipv6Address wanted = wire::parse_ipv6(address).value();
    return std::find(neighbors.ipv6_hosts.begin(), neighbors.ipv6_hosts.end(), wanted) != neighbors.ipv6_hosts.end() ||
           std::any_of(neighbors.others.begin(), neighbors.others.end(), [&](const auto& one) { return one(wanted); });
}

// CEs and their border relay (RFC 7597 §5), wherever their addresses are.
TEST(Configuration, NeighborsAreEndsOfTunnels) {
    const auto left = neighbor_configuration(map("map-e", "br"), flow::Side::left, {});
    EXPECT_TRUE(has(left, "2001:db8:12:3400:0:c000:212:34"));
    EXPECT_FALSE(has(left, "2001:db9::1"));
    EXPECT_FALSE(has(left, "2001:db8:ffff::1")) << "the border relay is the DUT";
    const auto right = neighbor_configuration(map("map-e", "ce"), flow::Side::right, {});
    EXPECT_TRUE(has(right, "2001:db8:ffff::1"));
}

TEST(Configuration, NeighborsAreB4s) {  // RFC 6333 §5
    auto configuration = without_technology();
    configuration.technology = technology::read_stateful(
        R"({"name": "dslite", "aftr": "2001:db8::1", "pool": {"first": "198.19.0.1"},
            "b4s": {"first": "2001:2::2", "count": 3, "network_length": 128}})",
        "198.51.100.1");
    const auto left = neighbor_configuration(configuration, flow::Side::left, {});
    EXPECT_TRUE(has(left, "2001:2::4"));
    EXPECT_FALSE(has(left, "2001:2::5"));
}

}  // namespace
}  // namespace xlatperf::trial
