#include "state/table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <thread>
#include <vector>

namespace xlatperf::state {
namespace {

using wire::Family;
using Octets = std::array<std::uint8_t, 16>;

// An address that the number tells apart in every octet.
Octets address(std::uint64_t number) {
    Octets found{};
    for (std::size_t i = 0; i < found.size(); ++i) found[i] = static_cast<std::uint8_t>(flow::mix(number) >> (8 * (i % 8)));
    return found;
}

struct Kind {
    Family family;
    WriteOrder order;
};

class TableOf : public testing::TestWithParam<Kind> {
  protected:
    Table make(std::uint64_t connections) const { return {GetParam().family, connections, GetParam().order, 9693}; }
    std::size_t octets() const { return GetParam().family == Family::ipv4 ? 4 : 16; }

    void expect_known(const Table& table, std::uint64_t connection, const Octets& wanted, std::uint16_t port) const {
        Mapping mapping;
        ASSERT_TRUE(table.read(connection, mapping)) << connection;
        EXPECT_EQ(mapping.port, port) << connection;
        EXPECT_TRUE(std::equal(wanted.begin(), wanted.begin() + static_cast<std::ptrdiff_t>(octets()), mapping.address))
            << connection;
        for (std::size_t i = octets(); i < 16; ++i) EXPECT_EQ(mapping.address[i], 0);
    }
};

TEST_P(TableOf, IsWrittenInItsOrder) {  // R9693-4.10
    constexpr std::uint64_t connections = 1000;
    const Table table = make(connections);
    std::vector<std::uint64_t> slots, all(connections);
    for (std::uint64_t i = 0; i < connections; ++i) slots.push_back(table.slot(i));
    std::iota(all.begin(), all.end(), std::uint64_t{0});
    EXPECT_EQ(std::ranges::is_sorted(slots), GetParam().order == WriteOrder::round_robin);
    std::ranges::sort(slots);
    EXPECT_EQ(slots, all);
}

TEST_P(TableOf, IsEmptyAtFirst) {
    const Table table = make(1000);
    EXPECT_EQ(table.family(), GetParam().family);
    EXPECT_EQ(table.connections(), 1000U);
    EXPECT_EQ(table.learnt(), 0U);
    EXPECT_FALSE(table.complete());
    Mapping mapping;
    for (std::uint64_t c = 0; c < 1000; ++c) ASSERT_FALSE(table.read(c, mapping)) << c;
}

TEST_P(TableOf, FirstSameChanged) {  // R9693-4.7-1: the Responder updates its state table
    Table table = make(3);
    const auto one = address(1), other = address(2);
    EXPECT_EQ(table.learn(1, one.data(), 5000), Learnt::first);
    EXPECT_EQ(table.learn(1, one.data(), 5000), Learnt::same);
    expect_known(table, 1, one, 5000);
    EXPECT_EQ(table.learn(1, one.data(), 5001), Learnt::changed) << "another port";
    expect_known(table, 1, one, 5001);
    EXPECT_EQ(table.learn(1, other.data(), 5001), Learnt::changed) << "another address";
    expect_known(table, 1, other, 5001);
    EXPECT_EQ(table.learn(1, other.data(), 5001), Learnt::same);
    EXPECT_EQ(table.learnt(), 1U) << "changes are no new connections";
    Mapping mapping;
    EXPECT_FALSE(table.read(0, mapping));
    EXPECT_FALSE(table.read(2, mapping));
}

TEST_P(TableOf, CountsAnew) {
    Table table = make(1000);
    std::vector<std::thread> receivers;
    for (std::uint64_t w = 0; w < 2; ++w) {
        receivers.emplace_back([&table, w] {
            for (std::uint64_t c = w; c < 900; c += 2) table.learn(c, address(c).data(), 0);
        });
    }
    for (auto& receiver : receivers) receiver.join();
    table.recount();
    EXPECT_EQ(table.learnt(), 900U);
}

TEST_P(TableOf, EveryOctetOfTheAddressCounts) {
    Table table = make(1);
    auto seen = address(7);
    table.learn(0, seen.data(), 1);
    for (std::size_t i = 0; i < octets(); ++i) {
        seen[i] = static_cast<std::uint8_t>(seen[i] ^ 1);
        EXPECT_EQ(table.learn(0, seen.data(), 1), Learnt::changed) << i;
    }
    for (std::size_t i = octets(); i < 16; ++i) {  // behind an IPv4 address is something else
        seen[i] = static_cast<std::uint8_t>(seen[i] ^ 1);
        EXPECT_EQ(table.learn(0, seen.data(), 1), Learnt::same) << i;
    }
}

TEST_P(TableOf, ZeroesAndOnesAreKnownToo) {
    Table table = make(4);
    Octets zeroes{}, ones;
    ones.fill(0xff);
    EXPECT_EQ(table.learn(0, zeroes.data(), 0), Learnt::first);
    EXPECT_EQ(table.learn(0, zeroes.data(), 0), Learnt::same);
    EXPECT_EQ(table.learn(3, ones.data(), 0xffff), Learnt::first);
    expect_known(table, 0, zeroes, 0);
    expect_known(table, 3, ones, 0xffff);
}

TEST_P(TableOf, ConnectionsHaveEntriesOfTheirOwn) {
    for (const std::uint64_t connections : {1U, 2U, 1000U, 300'001U}) {
        Table table = make(connections);
        for (std::uint64_t c = connections; c-- > 0;)
            ASSERT_EQ(table.learn(c, address(c).data(), static_cast<std::uint16_t>(c)), Learnt::first);
        EXPECT_TRUE(table.complete());
        EXPECT_EQ(table.learnt(), connections);
        for (std::uint64_t c = 0; c < connections; ++c) {
            table.prefetch(c);
            expect_known(table, c, address(c), static_cast<std::uint16_t>(c));
            if (HasFailure()) return;
        }
    }
}

TEST_P(TableOf, BytesPerConnection) {
    EXPECT_EQ(Table::bytes_per_connection(GetParam().family), GetParam().family == Family::ipv4 ? 8U : 20U);
}

INSTANTIATE_TEST_SUITE_P(Kinds, TableOf,
                         testing::Values(Kind{Family::ipv4, WriteOrder::round_robin},
                                         Kind{Family::ipv4, WriteOrder::pseudorandom},
                                         Kind{Family::ipv6, WriteOrder::round_robin},
                                         Kind{Family::ipv6, WriteOrder::pseudorandom}),
                         [](const auto& kind) {
                             return std::string(kind.param.family == Family::ipv4 ? "ipv4" : "ipv6") +
                                    (kind.param.order == WriteOrder::round_robin ? "_round_robin" : "_pseudorandom");
                         });

}  // namespace
}  // namespace xlatperf::state
