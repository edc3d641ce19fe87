#include "flow/connections.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <vector>

namespace xlatperf::flow {
namespace {

using Tuple = std::tuple<std::uint32_t, std::uint16_t, std::uint32_t, std::uint16_t>;
Tuple as_tuple(const FourTuple& t) { return {t.client, t.client_port, t.server, t.server_port}; }

ConnectionSpace space(std::uint32_t clients, PortSpan client_ports, std::uint32_t servers, PortSpan server_ports,
                      Opening opening = Opening::pseudorandom) {
    return {clients, servers, client_ports, server_ports, opening};
}

TEST(ConnectionSpace, CountsFourTuples) {  // R9693-4.1-2
    EXPECT_EQ(space(1, {1024, 65535}, 1, {1, 49151}).most(), 64512ULL * 49151) << "R9693 §2: 3,170,829,312";
    EXPECT_EQ(space(2, {1024, 1033}, 3, {7, 9}).of_one_server_port(), 60U);
    EXPECT_EQ(space(2, {1024, 1033}, 3, {7, 9}).most(), 180U);
    EXPECT_EQ(space(2, {1024, 65535}, 1, {1, 49151}).most(), 0xffffffffU) << "32 bits of connections";
    EXPECT_EQ(space(65536, {0, 65535}, 65536, {0, 65535}).most(), 0xffffffffU);
    EXPECT_EQ(space(1, {7, 7}, 1, {9, 9}).most(), 1U);
}

// R9693-5.1: a large source port range, and as many destination ports as the connections need.
TEST(Connections, UseTheServerPortsThatTheyNeed) {  // R9693-4.1-1
    const auto wide = space(1, {1, 40000}, 1, {1, 49151});
    for (const auto& [count, last] : {std::pair{1ULL, 1},
                                      {40'000, 1},
                                      {40'001, 2},
                                      {400'000, 10},
                                      {400'001, 11},
                                      {4'000'000, 100},
                                      {40'000'000, 1000},
                                      {400'000'000, 10000}}) {
        const PortSpan used = Connections(wide, count, 1).server_ports();
        EXPECT_EQ(used.first, 1);
        EXPECT_EQ(used.last, last) << count;
    }
    const auto several = space(4, {1024, 1123}, 5, {100, 65535});
    EXPECT_EQ(Connections(several, 2000, 1).server_ports().last, 100) << "4 x 5 x 100 with one port";
    EXPECT_EQ(Connections(several, 2001, 1).server_ports().last, 101);
    EXPECT_EQ(Connections(several, several.most(), 1).server_ports().last, 65535);
}

// R9693-4.4-1, E1: all four tuples are different, and inside their ranges.
void expect_distinct(const ConnectionSpace& of, std::uint64_t count, std::uint64_t seed) {
    const Connections connections(of, count, seed);
    ASSERT_EQ(connections.count(), count);
    const PortSpan used = connections.server_ports();
    std::set<Tuple> seen;
    for (std::uint64_t c = 0; c < count; ++c) {
        const FourTuple tuple = connections(c);
        ASSERT_LT(tuple.client, of.clients);
        ASSERT_LT(tuple.server, of.servers);
        ASSERT_GE(tuple.client_port, of.client_ports.first);
        ASSERT_LE(tuple.client_port, of.client_ports.last);
        ASSERT_GE(tuple.server_port, used.first);
        ASSERT_LE(tuple.server_port, used.last);
        ASSERT_TRUE(seen.insert(as_tuple(tuple)).second) << "connection " << c << " of " << count;
    }
}

TEST(Connections, AllFourTuplesAreDifferent) {
    for (const auto opening : {Opening::pseudorandom, Opening::increasing, Opening::decreasing}) {
        for (const auto& of : {space(1, {1024, 1123}, 1, {1, 20}, opening), space(3, {65500, 65535}, 1, {65530, 65535}, opening),
                               space(1, {0, 6}, 11, {0, 3}, opening), space(5, {7, 7}, 9, {80, 120}, opening),
                               space(64, {1, 8}, 8, {1, 1}, opening)}) {
            for (const std::uint64_t count : {std::uint64_t{1}, of.of_one_server_port(), of.most() / 2 + 1, of.most()}) {
                expect_distinct(of, count, 42);
                if (HasFatalFailure()) return;
            }
        }
    }
}

// R9693-4.4-1, E2: with as many connections as there are four tuples, every one occurs. Distinct and as many: all.
TEST(Connections, AllFourTuplesOfTheUsedPortsAreEnumerated) {
    const auto of = space(3, {1024, 1033}, 4, {7, 20});
    const Connections connections(of, 3 * 10 * 4 * 5, 1);
    std::set<Tuple> seen;
    std::set<std::uint16_t> ports;
    for (std::uint64_t c = 0; c < connections.count(); ++c) {
        seen.insert(as_tuple(connections(c)));
        ports.insert(connections(c).server_port);
    }
    EXPECT_EQ(seen.size(), connections.count());
    EXPECT_EQ(ports, (std::set<std::uint16_t>{7, 8, 9, 10, 11}));
}

TEST(Connections, LargeCountsStayInsideTheirRanges) {
    const auto of = space(65536, {1, 65535}, 1, {1, 65535});  // 4,294,901,760 four tuples with one server port
    EXPECT_EQ(of.of_one_server_port(), 4'294'901'760U);
    for (const std::uint64_t count : {std::uint64_t{4'294'901'760}, ConnectionSpace::most_connections}) {
        const Connections connections(of, count, 3);
        EXPECT_EQ(connections.server_ports().last, count == 4'294'901'760 ? 1 : 2);
        for (std::uint64_t c = 0; c < count; c += 4001) {
            const FourTuple tuple = connections(c);
            ASSERT_LT(tuple.client, 65536U);
            ASSERT_EQ(tuple.server, 0U);
            ASSERT_GE(tuple.client_port, 1);
            ASSERT_LE(tuple.server_port, connections.server_ports().last);
        }
    }
}

TEST(Connections, IncreasingAndDecreasing) {  // R9693-4.4-3: additional orders
    const Connections up(space(2, {1024, 1026}, 2, {7, 9}, Opening::increasing), 24, 1);
    const std::vector<Tuple> wanted = {{0, 1024, 0, 7}, {0, 1025, 0, 7}, {0, 1026, 0, 7}, {0, 1024, 0, 8},
                                       {0, 1025, 0, 8}, {0, 1026, 0, 8}, {1, 1024, 0, 7}, {1, 1025, 0, 7}};
    for (std::uint64_t c = 0; c < wanted.size(); ++c) EXPECT_EQ(as_tuple(up(c)), wanted[c]) << c;
    EXPECT_EQ(as_tuple(up(23)), Tuple(1, 1026, 1, 8));
    const Connections down(space(2, {1024, 1026}, 2, {7, 9}, Opening::decreasing), 24, 1);
    for (std::uint64_t c = 0; c < 24; ++c) EXPECT_EQ(as_tuple(down(c)), as_tuple(up(23 - c)));
}

TEST(Connections, PseudorandomFollowsFromTheSeed) {
    const auto of = space(1, {1024, 65535}, 1, {1, 10});
    const Connections one(of, 600'000, 1), again(of, 600'000, 1), other(of, 600'000, 2);
    int equal = 0, ascending = 0;
    for (std::uint64_t c = 0; c < 1000; ++c) {
        ASSERT_EQ(as_tuple(one(c)), as_tuple(again(c)));
        equal += as_tuple(one(c)) == as_tuple(other(c)) ? 1 : 0;
        ascending += one(c).client_port < one(c + 1).client_port ? 1 : 0;
    }
    EXPECT_LT(equal, 5);
    EXPECT_NEAR(ascending, 500, 80);
}

std::vector<std::uint64_t> first(const ConnectionOrder& order, std::uint64_t n) {
    std::vector<std::uint64_t> found;
    for (std::uint64_t i = 0; i < n; ++i) found.push_back(order(i));
    return found;
}

TEST(ConnectionOrder, EstablishOpensThemInTurn) {
    for (const auto read : {ReadOrder::pseudorandom, ReadOrder::round_robin})
        EXPECT_EQ(first(ConnectionOrder(Phase::establish, read, 5, 1), 5), (std::vector<std::uint64_t>{0, 1, 2, 3, 4}));
}

TEST(ConnectionOrder, BehindAllTheFirstOnesComeAgain) {
    for (const auto read : {ReadOrder::pseudorandom, ReadOrder::round_robin})
        EXPECT_EQ(first(ConnectionOrder(Phase::establish, read, 5, 1), 8), (std::vector<std::uint64_t>{0, 1, 2, 3, 4, 0, 1, 2}));
}

TEST(ConnectionOrder, EachOnceHitsEachOnce) {  // R9693-4.6-1
    for (const auto read : {ReadOrder::pseudorandom, ReadOrder::round_robin}) {
        for (const std::uint64_t count : {1U, 2U, 3U, 1000U, 4096U, 40'001U}) {
            auto found = first(ConnectionOrder(Phase::each_once, read, count, 7), count);
            std::sort(found.begin(), found.end());
            for (std::uint64_t c = 0; c < count; ++c) ASSERT_EQ(found[c], c);
        }
    }
    const auto mixed = first(ConnectionOrder(Phase::each_once, ReadOrder::pseudorandom, 1000, 7), 1000);
    EXPECT_FALSE(std::is_sorted(mixed.begin(), mixed.end())) << "R9693-4.10: pseudorandom recommended";
    const auto turns = first(ConnectionOrder(Phase::each_once, ReadOrder::round_robin, 1000, 7), 1000);
    EXPECT_TRUE(std::is_sorted(turns.begin(), turns.end()));
}

TEST(ConnectionOrder, SteadyRoundRobin) {  // R9693-4.10
    EXPECT_EQ(first(ConnectionOrder(Phase::steady, ReadOrder::round_robin, 3, 1), 8),
              (std::vector<std::uint64_t>{0, 1, 2, 0, 1, 2, 0, 1}));
    EXPECT_EQ(ConnectionOrder(Phase::steady, ReadOrder::round_robin, 0xffffffff, 1)((std::uint64_t{1} << 48) - 1),
              ((std::uint64_t{1} << 48) - 1) % 0xffffffff);
}

TEST(ConnectionOrder, SteadyPseudorandomIsUniformAndNeverLeavesTheCount) {  // R9693-4.10
    constexpr std::uint64_t count = 256, frames = count * 400;
    std::vector<double> seen(count);
    const ConnectionOrder order(Phase::steady, ReadOrder::pseudorandom, count, 11);
    for (std::uint64_t i = 0; i < frames; ++i) ++seen.at(order(i));
    double chi_square = 0;
    for (const double n : seen) chi_square += (n - 400) * (n - 400) / 400;
    EXPECT_NEAR(chi_square, 255, 120);  // more than 5 standard deviations of 22.6
    const ConnectionOrder largest(Phase::steady, ReadOrder::pseudorandom, 0xffffffff, 11);
    std::uint64_t highest = 0;
    for (std::uint64_t i = 0; i < 100'000; ++i) highest = std::max(highest, largest(i));
    EXPECT_LT(highest, 0xffffffffU);
    EXPECT_GT(highest, 0xfff00000U);
}

TEST(ConnectionOrder, KeysGiveDifferentOrders) {
    for (const auto phase : {Phase::each_once, Phase::steady}) {
        EXPECT_NE(first(ConnectionOrder(phase, ReadOrder::pseudorandom, 1000, 1), 100),
                  first(ConnectionOrder(phase, ReadOrder::pseudorandom, 1000, 2), 100));
    }
}

}  // namespace
}  // namespace xlatperf::flow
