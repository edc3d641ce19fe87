#include "flow/enumeration.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <vector>

namespace xlatperf::flow {
namespace {

const PortRange sources(Order::pseudorandom, 1024, 65535), destinations(Order::pseudorandom, 1, 49151);

bool same(const Flow& a, const Flow& b) {
    return a.source_host == b.source_host && a.destination_host == b.destination_host && a.source_port == b.source_port &&
           a.destination_port == b.destination_port;
}

Enumeration enumeration(std::uint64_t seed, Direction direction, std::uint32_t networks = 256) {
    return {HostFlows::Space{{networks, networks}}, {seed, direction, sources, destinations}};
}

TEST(Enumeration, IsAPureFunctionOfSeedDirectionAndNumber) {  // R4814-4.2.1: the same in every trial
    const auto one = enumeration(42, Direction::forward), other = enumeration(42, Direction::forward);
    for (std::uint64_t i = 1000; i-- > 0;) {
        const Flow later = one(i);
        ASSERT_TRUE(same(one(i), other(i)));
        ASSERT_TRUE(same(later, one(i)));
    }
    EXPECT_TRUE(same(one((std::uint64_t{1} << 48) - 1), other((std::uint64_t{1} << 48) - 1)));
}

TEST(Enumeration, DiffersBySeedAndDirection) {
    const auto one = enumeration(1, Direction::forward);
    for (const auto& other :
         {enumeration(2, Direction::forward), enumeration(1, Direction::reverse), enumeration(0, Direction::forward)}) {
        int equal = 0;
        for (std::uint64_t i = 0; i < 1000; ++i) equal += same(one(i), other(i)) ? 1 : 0;
        EXPECT_EQ(equal, 0);
    }
    // Seeds that are neighbours don't give the same flows one number later.
    const auto next = enumeration(2, Direction::forward);
    int shifted = 0;
    for (std::uint64_t i = 0; i < 1000; ++i) shifted += same(one(i + 1), next(i)) ? 1 : 0;
    EXPECT_EQ(shifted, 0);
}

TEST(Enumeration, StaysInsideItsRanges) {
    for (const std::uint32_t networks : {1U, 2U, 3U, 255U, 256U}) {
        const auto flows = enumeration(7, Direction::reverse, networks);
        for (std::uint64_t i = 0; i < 20000; ++i) {
            const Flow flow = flows(i);
            ASSERT_LT(flow.source_host, networks);
            ASSERT_LT(flow.destination_host, networks);
            ASSERT_GE(flow.source_port, 1024);
            ASSERT_GE(flow.destination_port, 1);
            ASSERT_LE(flow.destination_port, 49151);
        }
    }
}

// RFC 2544 §12: random destinations uniformly over 256 networks.
TEST(Enumeration, NetworksAreUniformAndIndependent) {  // R2544-12, R5180-5.2.2, R4814-4.4
    const auto flows = enumeration(2544, Direction::forward);
    constexpr std::uint32_t networks = 256, frames = networks * 400;
    std::vector<std::uint32_t> from(networks), to(networks);
    std::uint32_t equal = 0;
    for (std::uint64_t i = 0; i < frames; ++i) {
        const Flow flow = flows(i);
        ++from[flow.source_host];
        ++to[flow.destination_host];
        equal += flow.source_host == flow.destination_host ? 1U : 0U;
    }
    for (const auto& counts : {from, to}) {
        double chi_square = 0;
        for (const auto count : counts) chi_square += (count - 400.0) * (count - 400.0) / 400;
        EXPECT_NEAR(chi_square, 255, 120);  // more than 5 standard deviations of 22.6
    }
    EXPECT_NEAR(equal, 400, 100);
}

TEST(Enumeration, PortsAndNetworksAreIndependent) {
    const auto flows = enumeration(9, Direction::forward);
    double product = 0, source = 0, destination = 0, network = 0, with_network = 0;
    constexpr int frames = 100000;
    for (std::uint64_t i = 0; i < frames; ++i) {
        const Flow flow = flows(i);
        const double s = (flow.source_port - 1024) / 64512.0, d = (flow.destination_port - 1) / 49151.0,
                     n = flow.source_host / 256.0;
        product += s * d;
        with_network += s * n;
        source += s;
        destination += d;
        network += n;
    }
    const double covariance = product / frames - source / frames * (destination / frames);
    const double network_covariance = with_network / frames - source / frames * (network / frames);
    EXPECT_NEAR(covariance, 0, 0.0015);  // 1/12 / sqrt(frames) = 0.00026
    EXPECT_NEAR(network_covariance, 0, 0.0015);
}

// RFC 8219 §10.2.1: n network flows, neither more nor, as two that are drawn may be the same, fewer.
TEST(Enumeration, OfAGivenNumberOfFlows) {
    const PortRange few(Order::pseudorandom, 10, 14), every(Order::pseudorandom, 0, 65535), one(Order::fixed, 7, 9);
    for (const auto& [space, from, to, most] :
         {std::tuple(HostFlows::Space{{1, 1}}, one, one, std::uint64_t{1}),
          {HostFlows::Space{{2, 3}}, few, one, 30},
          {HostFlows::Space{{256, 256}}, every, every, std::uint64_t{1} << 48},
          {HostFlows::Space{{1, 1}}, sources, destinations, std::uint64_t{64512} * 49151}}) {
        ASSERT_EQ(CountedFlows::possible(space, from, to), most);
        for (const auto direction : both_directions) {
            for (const std::uint32_t count : {1U, 2U, 29U, 1000U}) {
                const Enumeration flows(CountedFlows::Space{space, count}, {3, direction, from, to});
                std::map<std::tuple<unsigned, unsigned, unsigned, unsigned>, unsigned> frames;
                for (std::uint64_t i = 0; i < 20'000; ++i) {
                    const Flow flow = flows(i);
                    ASSERT_LT(flow.source_host, space.hosts[index(sender(direction))]);
                    ASSERT_LT(flow.destination_host, space.hosts[index(receiver(direction))]);
                    ASSERT_TRUE(flow.source_port >= from.first() && flow.source_port < from.first() + from.drawn_from());
                    ASSERT_TRUE(flow.destination_port >= to.first() && flow.destination_port < to.first() + to.drawn_from());
                    ++frames[{flow.source_host, flow.destination_host, flow.source_port, flow.destination_port}];
                }
                const auto right = std::min<std::uint64_t>(count, most);
                ASSERT_EQ(frames.size(), right);
                const double each = 20'000.0 / static_cast<double>(right);
                for (const auto& [flow, n] : frames) ASSERT_NEAR(n, each, 6 * std::sqrt(each));
            }
        }
    }
}

TEST(Enumeration, FollowsTheOrders) {
    const PortRange rising(Order::increasing, 1024, 1027), falling(Order::decreasing, 1, 3);
    const Enumeration flows(HostFlows::Space{}, {1, Direction::forward, rising, falling});
    const std::vector<std::pair<int, int>> wanted = {{1024, 3}, {1025, 2}, {1026, 1}, {1027, 3}, {1024, 2}};
    for (std::uint64_t i = 0; i < wanted.size(); ++i) {
        EXPECT_EQ(flows(i).source_port, wanted[i].first);
        EXPECT_EQ(flows(i).destination_port, wanted[i].second);
    }
}

// R9693-3.1: the Initiator sends from client to server, the Responder back.
TEST(Enumeration, OfConnections) {
    const ConnectionSpace space{3, 2, {1024, 1033}, {7, 9}, Opening::pseudorandom};
    const Connections connections(space, 100, 1);
    for (const bool reverse : {false, true}) {
        for (const bool one_client : {false, true}) {
            const DrawnConnections drawn{connections, Phase::steady, ReadOrder::pseudorandom, {1, 1}, one_client};
            const Enumeration flows(ConnectionFlows::Space{},
                                    {5, reverse ? Direction::reverse : Direction::forward, sources, destinations, drawn});
            ASSERT_TRUE(flows.has_connections());
            EXPECT_FALSE(enumeration(1, Direction::forward).has_connections());
            for (std::uint64_t i = 0; i < 500; ++i) {
                const Flow flow = flows(i);
                ASSERT_EQ(flow.connection, std::get<ConnectionFlows>(flows.flows()).order(i));
                const FourTuple tuple = connections(flow.connection);
                const std::uint32_t client = one_client ? 0 : tuple.client;
                ASSERT_EQ(flow.source_host, reverse ? tuple.server : client);
                ASSERT_EQ(flow.destination_host, reverse ? client : tuple.server);
                ASSERT_EQ(flow.source_port, reverse ? tuple.server_port : tuple.client_port);
                ASSERT_EQ(flow.destination_port, reverse ? tuple.client_port : tuple.server_port);
            }
        }
    }
}

// R6333-6.6: the same clients are behind each B4, so a client's number tells both.
TEST(Enumeration, OfClientsBehindB4s) {
    const ConnectionSpace space{12, 2, {1024, 1033}, {7, 9}, Opening::pseudorandom};
    const Connections connections(space, 240, 1);
    const B4s b4s{*wire::parse_ipv6("2001:db8::1"), 4};
    for (const bool reverse : {false, true}) {
        const Drawn drawn{5, reverse ? Direction::reverse : Direction::forward, sources, destinations,
                          DrawnConnections{connections, Phase::each_once}};
        const Enumeration flows(ConnectionFlows::Space{b4s}, drawn);
        std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, int>> seen;
        for (std::uint64_t i = 0; i < 240; ++i) {
            const Flow flow = flows(i);
            const std::uint32_t client = reverse ? flow.destination_host : flow.source_host;
            const std::uint32_t server = reverse ? flow.source_host : flow.destination_host;
            ASSERT_LT(client, 3U);
            ASSERT_LT(flow.b4, 4U);
            ASSERT_EQ(flow.b4 * 3 + client, connections(flow.connection).client);
            seen.insert({flow.b4, client, server, reverse ? flow.destination_port : flow.source_port});
        }
        EXPECT_EQ(seen.size(), 240U) << "each is one connection";
    }
}

TEST(Direction, SidesAndDirections) {
    static_assert(sender(Direction::forward) == Side::left && receiver(Direction::forward) == Side::right);
    static_assert(sender(Direction::reverse) == Side::right && receiver(Direction::reverse) == Side::left);
    for (const auto side : both_sides) {
        EXPECT_EQ(sender(sent_from(side)), side);
        EXPECT_EQ(receiver(arriving_at(side)), side);
        EXPECT_EQ(other(other(side)), side);
    }
}

}  // namespace
}  // namespace xlatperf::flow
