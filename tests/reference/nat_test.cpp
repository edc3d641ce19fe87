// Who is mapped to what: RFC 4787 §4, RFC 6146 §3, RFC 9693 §4.9.
#include "nat/nat.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

namespace xlatperf::reference {
namespace {

constexpr std::uint64_t second = 1'000'000'000;

Endpoint at(std::string_view address, unsigned port) {
    return {wire::Bits128{wire::parse_ipv4(address)->value}, static_cast<std::uint16_t>(port)};
}
Endpoint client(unsigned port) { return at("10.0.0.2", port); }
const Endpoint server = at("198.19.0.2", 7), other_server = at("198.19.0.2", 8);

NatSettings nat_settings(std::uint32_t entries = 100, bool endpoint_independent = true) {
    NatSettings s;
    s.pool.first = wire::parse_ipv4("198.19.0.1")->value;
    s.entries = entries;
    s.endpoint_independent = endpoint_independent;
    return s;
}

/// The ports of the clients that still have an entry: those whose mapping is found from outside.
std::set<unsigned> survivors(Nat& nat, unsigned first, unsigned last, std::uint64_t now) {
    std::set<unsigned> found;
    for (unsigned port = first; port <= last; ++port) {
        const Mapped mapped = nat.inbound(at("198.19.0.1", port), server, now);
        if (mapped.fate != Fate::forwarded) continue;
        EXPECT_EQ(mapped.endpoint, client(port));
        found.insert(port);
    }
    return found;
}
std::set<unsigned> range(unsigned first, unsigned last) {
    std::set<unsigned> found;
    for (unsigned i = first; i <= last; ++i) found.insert(i);
    return found;
}

TEST(Nat, R4787_REQ1_OneMappingServesAllDestinations) {
    Nat nat(nat_settings());
    const Mapped first = nat.outbound(client(5000), server, 1), second_one = nat.outbound(client(5000), other_server, 2);
    EXPECT_EQ(first.endpoint, second_one.endpoint);
    EXPECT_EQ(nat.table().size(), 1u);
    EXPECT_EQ(nat.inbound(first.endpoint, at("203.0.113.9", 9), 3).endpoint, client(5000));  // anybody (RFC 4787 §5)
    EXPECT_EQ(nat.counters().created, 1u);
}

TEST(Nat, AddressAndPortDependentHasAnEntryForEachFourTuple) {
    Nat nat(nat_settings(100, false));
    const Mapped first = nat.outbound(client(5000), server, 1), second_one = nat.outbound(client(5000), other_server, 2);
    EXPECT_EQ(nat.table().size(), 2u);
    EXPECT_EQ(first.endpoint, second_one.endpoint);  // destinations differ
    EXPECT_EQ(nat.inbound(first.endpoint, server, 3).endpoint, client(5000));
    EXPECT_EQ(nat.inbound(first.endpoint, at("198.19.0.2", 9), 3).fate, Fate::no_mapping);
    EXPECT_EQ(nat.inbound(first.endpoint, at("198.19.0.3", 7), 3).fate, Fate::no_mapping);
}

TEST(Nat, R4787_REQ3_KeepsPortsThatAreFree) {
    for (const bool endpoint_independent : {true, false}) {
        Nat nat(nat_settings(100, endpoint_independent));
        EXPECT_EQ(nat.outbound(client(5000), server, 1).endpoint, at("198.19.0.1", 5000));
        EXPECT_EQ(nat.outbound(at("10.0.0.3", 5000), server, 1).endpoint, at("198.19.0.1", 1024));  // taken: the next one
        EXPECT_EQ(nat.outbound(client(80), server, 1).endpoint, at("198.19.0.1", 1025));            // not in the pool
        EXPECT_EQ(nat.outbound(client(1026), server, 1).endpoint, at("198.19.0.1", 1026));
        EXPECT_EQ(nat.outbound(at("10.0.0.4", 1026), server, 1).endpoint, at("198.19.0.1", 1027));
    }
}

TEST(Nat, R4787_REQ2_OneAddressPerClientWhileItHasPorts) {
    NatSettings s = nat_settings(1000);
    s.pool.addresses = 16;
    s.pool.first_port = 2000;
    s.pool.last_port = 2019;
    Nat nat(s);
    std::map<unsigned, unsigned> used;
    for (unsigned port = 1; port <= 320; ++port) {
        const Mapped mapped = nat.outbound(client(port), server, port);
        ASSERT_EQ(mapped.fate, Fate::forwarded);
        ++used[static_cast<unsigned>(mapped.endpoint.address - s.pool.first)];
        if (port == 20) {
            EXPECT_EQ(used.size(), 1u);
        }
    }
    EXPECT_EQ(used.size(), 16u);
    EXPECT_TRUE(std::all_of(used.begin(), used.end(), [](auto& u) { return u.second == 20; }));
    EXPECT_EQ(nat.outbound(client(321), server, 321).fate, Fate::pool_exhausted);
}

TEST(Nat, PortsAreExhaustedForTheDestinationAlone) {
    for (const bool endpoint_independent : {true, false}) {
        NatSettings s = nat_settings(100, endpoint_independent);
        s.pool.first_port = 3000;
        s.pool.last_port = 3009;
        Nat nat(s);
        std::set<unsigned> ports;
        for (unsigned i = 0; i < 10; ++i) ports.insert(nat.outbound(client(i + 1), server, 1).endpoint.port);
        EXPECT_EQ(ports, range(3000, 3009));
        EXPECT_EQ(nat.outbound(client(11), server, 1).fate, Fate::pool_exhausted);
        EXPECT_EQ(nat.outbound(client(11), other_server, 1).fate, endpoint_independent ? Fate::pool_exhausted : Fate::forwarded);
        EXPECT_EQ(nat.counters().exhausted, endpoint_independent ? 2u : 1u);
        EXPECT_EQ(nat.table().size(), endpoint_independent ? 10u : 11u);
    }
}

TEST(Nat, Rfc9693_4_9_Refuse) {
    Nat nat(nat_settings(50));
    for (unsigned port = 2001; port <= 2080; ++port)
        EXPECT_EQ(nat.outbound(client(port), server, port).fate, port <= 2050 ? Fate::forwarded : Fate::table_full);
    EXPECT_EQ(nat.outbound(client(2007), server, 3000).fate, Fate::forwarded);  // known ones go on
    EXPECT_EQ(survivors(nat, 2001, 2080, 3001), range(2001, 2050));
    EXPECT_EQ(nat.counters().refused, 30u);
    EXPECT_EQ(nat.counters().replaced, 0u);
}

TEST(Nat, Rfc9693_4_9_LeastRecentlyUsed) {
    NatSettings s = nat_settings(50);
    s.when_full = WhenFull::least_recently_used;
    Nat nat(s);
    for (unsigned port = 2001; port <= 2050; ++port) nat.outbound(client(port), server, port);
    nat.outbound(client(2001), server, 2051);           // used again from inside
    nat.inbound(at("198.19.0.1", 2002), server, 2052);  // and from outside
    for (unsigned port = 2051; port <= 2053; ++port) nat.outbound(client(port), server, port + 10);
    std::set<unsigned> expected = range(2006, 2053);
    expected.insert({2001, 2002});
    EXPECT_EQ(survivors(nat, 2001, 2080, 3000), expected);
    EXPECT_EQ(nat.counters().replaced, 3u);
    EXPECT_EQ(nat.counters().refused, 0u);
}

TEST(Nat, Rfc9693_4_9_CollectTheOldest) {
    NatSettings s = nat_settings(50);
    s.when_full = WhenFull::collect;
    s.collect = 20;
    Nat nat(s);
    for (unsigned port = 2001; port <= 2051; ++port) nat.outbound(client(port), server, port);
    EXPECT_EQ(nat.table().size(), 31u);  // S - K + 1
    EXPECT_EQ(nat.counters().replaced, 20u);
    for (unsigned port = 2052; port <= 2070; ++port) nat.outbound(client(port), server, port);
    EXPECT_EQ(nat.table().size(), 50u);
    EXPECT_EQ(nat.counters().replaced, 20u);
    EXPECT_EQ(survivors(nat, 2001, 2070, 3000), range(2021, 2070));
}

TEST(Nat, TimeoutIsResetByEitherDirection) {
    NatSettings s = nat_settings();
    s.timeout_ns = 300 * second;
    Nat nat(s);
    nat.outbound(client(2001), server, 0);
    nat.outbound(client(2002), server, 0);
    nat.outbound(client(2003), server, 0);
    nat.outbound(client(2002), server, 200 * second);
    nat.inbound(at("198.19.0.1", 2003), server, 250 * second);
    nat.poll(300 * second - 1);
    EXPECT_EQ(nat.table().size(), 3u);
    nat.poll(300 * second);
    EXPECT_EQ(nat.table().size(), 2u);
    EXPECT_EQ(nat.inbound(at("198.19.0.1", 2001), server, 300 * second).fate, Fate::no_mapping);
    nat.poll(500 * second);
    EXPECT_EQ(nat.table().size(), 1u);
    nat.poll(550 * second);
    EXPECT_EQ(nat.table().size(), 0u);
    EXPECT_EQ(nat.counters().expired, 3u);
}

TEST(Nat, AnEntryWhoseTimeIsOverIsGoneEvenBeforeItIsDeleted) {
    Nat nat(nat_settings(1));
    nat.outbound(client(2001), server, 0);
    EXPECT_EQ(nat.inbound(at("198.19.0.1", 2001), server, 300 * second).fate, Fate::no_mapping);
    EXPECT_EQ(nat.outbound(client(2002), server, 300 * second).fate, Fate::forwarded);  // makes room
    EXPECT_EQ(nat.outbound(client(2002), server, 700 * second).fate, Fate::forwarded);  // a new one for the same client
    EXPECT_EQ(nat.counters().expired, 2u);
    EXPECT_EQ(nat.counters().created, 3u);
}

TEST(Nat, ClearDeletesAll) {
    for (const bool endpoint_independent : {true, false}) {
        Nat nat(nat_settings(100, endpoint_independent));
        for (int round = 0; round < 3; ++round) {
            for (unsigned port = 2001; port <= 2100; ++port)
                EXPECT_EQ(nat.outbound(client(port), server, port).endpoint, at("198.19.0.1", port));
            EXPECT_EQ(nat.clear(), 100u);
            EXPECT_EQ(nat.table().size(), 0u);
            EXPECT_TRUE(survivors(nat, 2001, 2100, 3000).empty());
        }
        EXPECT_EQ(nat.counters().cleared, 300u);
    }
}

/// A model in plain containers, and a long random history.
TEST(Nat, AgreesWithAModel) {
    for (const bool endpoint_independent : {true, false}) {
        NatSettings s = nat_settings(60, endpoint_independent);
        s.when_full = WhenFull::least_recently_used;
        s.timeout_ns = 400;
        s.pool.addresses = 3;
        s.pool.first_port = 2000;
        s.pool.last_port = 2024;
        Nat nat(s);
        using Key = std::pair<unsigned, unsigned>;  // client's number, server's number or 0
        struct Known {
            Endpoint mapped;
            std::uint64_t used = 0;
        };
        std::map<Key, Known> known;
        std::mt19937 random(endpoint_independent ? 1 : 2);
        std::uint64_t now = 0, expired = 0, replaced = 0;
        const auto drop = [&](auto is_gone) { return std::erase_if(known, [&](auto& k) { return is_gone(k.second); }); };
        for (unsigned step = 0; step < 60'000; ++step) {
            now += random() % 500 == 0 ? 301u : 1u;
            nat.poll(now);
            expired += drop([&](const Known& k) { return now >= k.used + s.timeout_ns; });
            const auto c = static_cast<unsigned>(random() % 90), d = static_cast<unsigned>(random() % 3);
            const Endpoint from{(10u << 24) + 2 + c % 3, static_cast<std::uint16_t>(1990 + c / 3)};
            const Endpoint to{(198u << 24) + 9, static_cast<std::uint16_t>(7 + d)};
            const Key key{c, endpoint_independent ? 0 : d + 1};
            const auto found = known.find(key);
            if (random() % 3 == 0 && found != known.end()) {
                ASSERT_EQ(nat.inbound(found->second.mapped, to, now).endpoint, from);
                found->second.used = now;
                continue;
            }
            if (found == known.end() && known.size() == 60) {
                const auto oldest =
                    std::min_element(known.begin(), known.end(), [](auto& a, auto& b) { return a.second.used < b.second.used; });
                known.erase(oldest);
                ++replaced;
            }
            const Mapped mapped = nat.outbound(from, to, now);
            ASSERT_EQ(mapped.fate, Fate::forwarded);
            ASSERT_TRUE(s.pool.contains(mapped.endpoint));
            const auto again = known.find(key);
            ASSERT_TRUE(again == known.end() || again->second.mapped == mapped.endpoint);
            known[key] = {mapped.endpoint, now};
            ASSERT_EQ(nat.table().size(), known.size());
            for (const auto& [k, other] : known)
                ASSERT_TRUE(k == key || k.second != key.second || other.mapped != mapped.endpoint);
        }
        EXPECT_EQ(nat.counters().expired, expired);
        EXPECT_EQ(nat.counters().replaced, replaced);
        EXPECT_GT(expired, 100u);
        EXPECT_GT(replaced, 100u);
    }
}

Plan with(Selection change, Selection share = {}, Selection outside = {}) {
    Plan plan;
    plan.change_mapping = std::move(change);
    plan.share_mapping = std::move(share);
    plan.outside_pool = std::move(outside);
    return plan;
}

TEST(MappingFaults, ChangeMapping) {
    for (const bool endpoint_independent : {true, false}) {
        Nat nat(nat_settings(100, endpoint_independent));
        nat.set_faults(with({0, {2, 15}}));
        for (unsigned i = 0; i < 30; ++i) nat.outbound(client(2001 + i % 10), server, i);
        // Packet 2 opens its connection: nothing to change. Packet 15 is the second one of the fifth connection.
        EXPECT_EQ(nat.counters().changed_mapping, 1u);
        EXPECT_EQ(nat.counters().not_applicable, 1u);
        EXPECT_EQ(nat.counters().changed_packets, 2u);  // 15 and 25
        EXPECT_EQ(nat.outbound(client(2005), server, 40).endpoint, at("198.19.0.1", 1024));
        EXPECT_EQ(nat.inbound(at("198.19.0.1", 1024), server, 41).endpoint, client(2005));
        EXPECT_EQ(nat.inbound(at("198.19.0.1", 2005), server, 41).fate, Fate::no_mapping);
        EXPECT_EQ(nat.table().size(), 10u);
    }
}

TEST(MappingFaults, ChangeMappingNeedsAFreePort) {
    NatSettings s = nat_settings();
    s.pool.first_port = s.pool.last_port = 3000;
    Nat nat(s);
    nat.set_faults(with({1, {}}));
    for (unsigned i = 0; i < 5; ++i) EXPECT_EQ(nat.outbound(client(9), server, i).endpoint.port, 3000);
    EXPECT_EQ(nat.counters().changed_mapping, 0u);
    EXPECT_EQ(nat.counters().not_applicable, 5u);
}

TEST(MappingFaults, ChangedBackIsNotChanged) {
    NatSettings s = nat_settings();
    s.pool.first_port = 3000;
    s.pool.last_port = 3001;
    Nat nat(s);
    nat.set_faults(with({0, {2, 4}}));
    for (const unsigned port : {3000u, 3001u, 3001u, 3000u, 3000u})
        EXPECT_EQ(nat.outbound(client(3000), server, 1).endpoint.port, port);
    EXPECT_EQ(nat.counters().changed_mapping, 2u);
    EXPECT_EQ(nat.counters().changed_packets, 2u);
}

TEST(MappingFaults, ShareMapping) {
    for (const bool endpoint_independent : {true, false}) {
        Nat nat(nat_settings(1000, endpoint_independent));
        nat.set_faults(with({}, {10, {1}}));
        std::map<std::pair<unsigned, unsigned>, unsigned> seen;  // port of the pool and of the server
        for (unsigned i = 0; i < 100; ++i) {
            const Endpoint to = at("198.19.0.2", 7 + i % 2);
            ++seen[{nat.outbound(client(2000 + i), to, i).endpoint.port, to.port}];
        }
        EXPECT_EQ(nat.counters().shared_mapping, 10u);
        EXPECT_EQ(nat.counters().not_applicable, 1u);  // packet 1: there's no other connection yet
        EXPECT_EQ(std::count_if(seen.begin(), seen.end(), [](auto& s) { return s.second == 2; }), 10);
        EXPECT_EQ(seen.size(), 90u);
        EXPECT_EQ(nat.table().size(), 100u);
        // Packet 10 was client 2009's, to server port 8, as that of 2007 before it: replies are 2007's.
        EXPECT_EQ(nat.outbound(client(2009), other_server, 200).endpoint, at("198.19.0.1", 2007));
        EXPECT_EQ(nat.inbound(at("198.19.0.1", 2007), other_server, 200).endpoint, client(2007));
        nat.outbound(client(2009), other_server, 201);  // packets up to 110 are of known connections
        EXPECT_EQ(nat.clear(), 100u);
    }
}

TEST(MappingFaults, SharedMappingsEndAndTimeOut) {
    NatSettings s = nat_settings(10, false);
    s.timeout_ns = 100;
    Nat nat(s);
    nat.set_faults(with({}, {2, {}}));
    nat.outbound(client(2001), server, 0);
    nat.outbound(client(2002), server, 50);
    nat.poll(100);  // the one that it was shared with ends
    EXPECT_EQ(nat.table().size(), 1u);
    EXPECT_EQ(nat.inbound(at("198.19.0.1", 2001), server, 101).fate, Fate::no_mapping);
    EXPECT_EQ(nat.outbound(client(2001), server, 102).endpoint, at("198.19.0.1", 2001));  // the port is free again
    nat.poll(1000);
    EXPECT_EQ(nat.table().size(), 0u);
    EXPECT_EQ(nat.counters().expired, 3u);
}

TEST(MappingFaults, OutsidePool) {
    Nat nat(nat_settings());
    nat.set_faults(with({}, {}, {3, {1}}));
    unsigned outside = 0;
    for (unsigned i = 0; i < 10; ++i) {
        const Endpoint source = nat.outbound(client(2000 + i % 5), server, i).endpoint;
        EXPECT_EQ(source.port, 2000 + i % 5);
        if (!nat.pool().contains(source)) ++outside;
    }
    EXPECT_EQ(outside, 4u);  // 1, 3, 6, 9
    EXPECT_EQ(nat.counters().outside_pool, 4u);
}

TEST(Nat, AFullPoolStaysFast) {
    NatSettings s = nat_settings(64512);
    s.when_full = WhenFull::least_recently_used;
    Nat nat(s);
    std::mt19937 random(7);
    for (unsigned i = 0; i < 64512; ++i) ASSERT_EQ(nat.outbound({i + 1, 9}, server, i).fate, Fate::forwarded);
    // Whatever is replaced leaves the only free port.
    for (unsigned i = 0; i < 200'000; ++i)
        ASSERT_EQ(nat.outbound({static_cast<wire::Bits128>(random()) + 100'000, 9}, server, 100'000 + i).fate, Fate::forwarded);
    EXPECT_EQ(nat.table().size(), 64512u);
}

}  // namespace
}  // namespace xlatperf::reference
