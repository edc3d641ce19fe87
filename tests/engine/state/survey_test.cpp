#include "state/survey.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>

namespace xlatperf::state {
namespace {

using wire::Family;

// Ten clients with ten ports each, and as many server ports as are needed; in increasing order.
flow::Connections make(std::uint64_t count, std::uint32_t servers = 1) {
    return {{10, servers, {1000, 1009}, {7, 1006}, flow::Opening::increasing}, count, 1};
}

class Surveyed {
  public:
    Surveyed(Family family, const flow::Connections& connections)
        : table_(family, connections.count(), WriteOrder::round_robin, 1), connections_(connections) {}

    void learn(std::uint64_t connection, const char* address, std::uint16_t port) {
        std::uint8_t wire[16] = {};
        if (table_.family() == Family::ipv4) {
            wire::parse_ipv4(address)->store(wire);
        } else {
            wire::parse_ipv6(address)->store(wire);
        }
        table_.learn(connection, wire, port);
    }
    Survey survey(std::size_t examples = 4, std::uint64_t one_in = 1) const {
        return state::survey(table_, connections_, examples, one_in);
    }
    const Table& table() const { return table_; }

  private:
    Table table_;
    flow::Connections connections_;
};

TEST(Survey, OfNothing) {
    const Survey found = Surveyed(Family::ipv4, make(100)).survey();
    EXPECT_EQ(found.shared, 0U);
    EXPECT_TRUE(found.addresses.empty());
    EXPECT_EQ(found.ports_kept, 0U);
}

TEST(Survey, EveryConnectionItsOwn) {
    for (const auto family : {Family::ipv4, Family::ipv6}) {
        Surveyed nat(family, make(10'000));
        for (std::uint64_t c = 0; c < 10'000; ++c)
            nat.learn(c, family == Family::ipv4 ? "198.19.0.1" : "2001:2:0:8000::1", static_cast<std::uint16_t>(1024 + c));
        const Survey found = nat.survey();
        EXPECT_EQ(found.shared, 0U);
        EXPECT_TRUE(found.examples.empty());
        EXPECT_EQ(found.lowest_port, 1024);
        EXPECT_EQ(found.highest_port, 11023);
        EXPECT_EQ(found.addresses,
                  (std::map<std::string, std::uint64_t>{{family == Family::ipv4 ? "198.19.0.1" : "2001:2:0:8000::1", 10'000}}));
    }
}

// R9693-4.4-1, E1: two connections whose four tuples on the right are the same are one connection to the DUT.
TEST(Survey, SharedMappingsAreCountedExactly) {
    Surveyed nat(Family::ipv4, make(100));
    for (std::uint64_t c = 0; c < 100; ++c) nat.learn(c, "198.19.0.1", static_cast<std::uint16_t>(2000 + c));
    nat.learn(17, "198.19.0.1", 2003);  // a pair: 3 and 17
    nat.learn(40, "198.19.0.1", 2050);  // a group of three: 40, 50 and 99
    nat.learn(99, "198.19.0.1", 2050);
    const Survey found = nat.survey();
    EXPECT_EQ(found.shared, 5U);
    ASSERT_EQ(found.examples.size(), 2U);
    for (const auto& example : found.examples) {
        EXPECT_LT(example.first, example.second);
        EXPECT_EQ(address_text(nat.table(), example.mapping), "198.19.0.1");
        EXPECT_EQ(example.tuple.server_port, 7);
        if (example.first == 3) {
            EXPECT_EQ(example.second, 17U);
            EXPECT_EQ(example.mapping.port, 2003);
        } else {
            EXPECT_EQ(example.first, 40U);
            EXPECT_EQ(example.second, 50U);
            EXPECT_EQ(example.mapping.port, 2050);
        }
    }
    EXPECT_EQ(nat.survey(1).examples.size(), 1U);
    EXPECT_EQ(nat.survey(0).examples.size(), 0U);
    EXPECT_EQ(nat.survey(0).shared, 5U);
}

// RFC 4787 §4.1: with endpoint-independent mapping the same source towards other servers or ports is the same mapping.
TEST(Survey, EndpointIndependentMappingIsNoSharing) {
    const auto connections = make(2000, 2);
    Surveyed nat(Family::ipv4, connections);
    for (std::uint64_t c = 0; c < 2000; ++c) {
        const auto tuple = connections(c);
        nat.learn(c, "198.19.0.1", static_cast<std::uint16_t>(5000 + tuple.client * 10 + tuple.client_port - 1000));
    }
    EXPECT_EQ(nat.survey().shared, 0U) << "100 mappings, each towards 20 ends";
}

TEST(Survey, ServersAndServerPortsTellConnectionsApart) {
    const auto connections = make(2000, 2);
    Surveyed nat(Family::ipv6, connections);
    for (std::uint64_t c = 0; c < 2000; ++c) nat.learn(c, "2001:2:0:8000::1", 5000);
    EXPECT_EQ(nat.survey().shared, 2000U) << "100 connections towards each of 20 ends share one mapping";
}

TEST(Survey, OneOctetOfTheAddressTellsMappingsApart) {
    Surveyed nat(Family::ipv6, make(3));
    nat.learn(0, "2001:2:0:8000::1", 5000);
    nat.learn(1, "2001:3:0:8000::1", 5000);
    nat.learn(2, "2001:2:0:8000::1:1", 5000);
    EXPECT_EQ(nat.survey().shared, 0U);
}

TEST(Survey, AgainstALookAtAllPairs) {
    std::mt19937_64 random(1);
    for (int round = 0; round < 20; ++round) {
        const auto connections = make(500, 2);
        Surveyed nat(Family::ipv4, connections);
        std::vector<std::tuple<std::uint16_t, std::uint32_t, std::uint16_t>> right(500);
        for (std::uint64_t c = 0; c < 500; ++c) {
            const auto port = static_cast<std::uint16_t>(random() % 300);
            nat.learn(c, "198.19.0.1", port);
            right[c] = {port, connections(c).server, connections(c).server_port};
        }
        std::uint64_t shared = 0;
        for (const auto& one : right) shared += std::count(right.begin(), right.end(), one) > 1 ? 1U : 0U;
        EXPECT_EQ(nat.survey().shared, shared);
    }
}

// Which of two connections with the same four tuple is compared must not matter: both are, or neither.
TEST(Survey, OfASample) {
    constexpr std::uint64_t count = 60'000, one_in = 8;
    const auto connections = make(count);
    Surveyed nat(Family::ipv4, connections);
    for (std::uint64_t c = 0; c < count; ++c) nat.learn(c, "198.19.0.1", static_cast<std::uint16_t>(c / 200 % 50 * 2));
    const Survey all = nat.survey(), some = nat.survey(4, one_in);
    EXPECT_EQ(all.compared, count);
    EXPECT_EQ(all.shared, count) << "two at least have a port towards each server port";
    EXPECT_EQ(some.shared, some.compared) << "each that is compared has its like beside it";
    EXPECT_GT(some.compared, count / one_in / 2);
    EXPECT_LT(some.compared, count / one_in * 2);
    EXPECT_EQ(some.examples.size(), 4U);
    EXPECT_EQ(some.addresses, all.addresses) << "all else is of all";
    EXPECT_EQ(some.lowest_port, all.lowest_port);
    EXPECT_EQ(some.highest_port, all.highest_port);
    EXPECT_EQ(some.ports_kept, all.ports_kept);

    Surveyed right(Family::ipv4, connections);
    for (std::uint64_t c = 0; c < count; ++c) right.learn(c, "198.19.0.1", static_cast<std::uint16_t>(c));
    EXPECT_EQ(right.survey(4, one_in).shared, 0U);
}

TEST(Survey, AddressesPortsAndWhatIsKept) {
    const auto connections = make(100);
    Surveyed nat(Family::ipv4, connections);
    for (std::uint64_t c = 0; c < 30; ++c) nat.learn(c, "198.19.0.9", connections(c).client_port);
    for (std::uint64_t c = 30; c < 90; ++c) nat.learn(c, "198.19.0.10", static_cast<std::uint16_t>(60'000 + c));
    const Survey found = nat.survey();
    EXPECT_EQ(found.addresses, (std::map<std::string, std::uint64_t>{{"198.19.0.9", 30}, {"198.19.0.10", 60}}));
    EXPECT_EQ(found.ports_kept, 30U);
    EXPECT_EQ(found.lowest_port, 1000);
    EXPECT_EQ(found.highest_port, 60'089);
    EXPECT_EQ(found.shared, 30U) << "three clients kept the same ten ports, towards one server port";
}

}  // namespace
}  // namespace xlatperf::state
