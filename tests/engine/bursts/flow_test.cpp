#include <gtest/gtest.h>

#include <random>
#include <set>

#include "flow/burst_flows.h"
#include "flow/permuted.h"

namespace xlatperf::flow {
namespace {

const PortRange all_sources(Order::pseudorandom, 1024, 65535), all_destinations(Order::pseudorandom, 1, 49151),
    every_port(Order::pseudorandom, 0, 65535), one_port(Order::fixed, 5000, 6000), rising(Order::increasing, 1, 100),
    falling(Order::decreasing, 100, 300);

// R4814-4.2.1: all at once or one by one, a frame has the same flow. Numbers are below `frames`.
void expect_the_same(const Enumeration& flows, std::uint64_t frames = std::uint64_t{1} << 48) {
    std::mt19937_64 random(4814);
    const BurstFlows burst(flows);
    const auto* connections = std::get_if<ConnectionFlows>(&flows.flows());
    const bool of_b4s = connections != nullptr && connections->behind_each_b4,
               of_hairpins = std::holds_alternative<HairpinFlows>(flows.flows()),
               of_subscribers = of_hairpins || std::holds_alternative<SubscriberFlows>(flows.flows());
    for (unsigned n = 1; n <= most_in_burst; ++n) {
        alignas(64) std::array<std::uint64_t, most_in_burst> sequences{};
        for (unsigned i = 0; i < n; ++i) sequences[i] = (random() >> (16 + random() % 48)) % frames;
        FlowBurst found{};
        burst.draw(sequences.data(), n, found);
        for (unsigned i = 0; i < n; ++i) {
            const Flow right = flows(sequences[i]), flow = found.at(i);
            ASSERT_EQ(found.ports[i], ports_in_memory(right.source_port, right.destination_port)) << sequences[i];
            ASSERT_EQ(flow.source_port, right.source_port);
            ASSERT_EQ(flow.destination_port, right.destination_port);
            ASSERT_EQ(flow.source_host, right.source_host) << sequences[i];
            ASSERT_EQ(flow.destination_host, right.destination_host) << sequences[i];
            if (connections != nullptr) ASSERT_EQ(flow.connection, right.connection) << sequences[i];
            if (of_b4s) ASSERT_EQ(flow.b4, right.b4) << sequences[i];
            if (of_subscribers) ASSERT_EQ(flow.subscriber, right.subscriber) << sequences[i];
            if (of_hairpins) ASSERT_EQ(flow.to_subscriber, right.to_subscriber) << sequences[i];
        }
    }
}

TEST(BurstFlows, OfNetworks) {
    for (const auto& [sources, destinations] : {std::pair(all_sources, all_destinations),
                                                {every_port, one_port},
                                                {one_port, every_port},
                                                {one_port, one_port},
                                                {rising, all_destinations},
                                                {one_port, falling}}) {
        for (const auto& [from, to] : {std::pair(1U, 1U), {1U, 2U}, {3U, 1U}, {256U, 256U}}) {
            expect_the_same({HostFlows::Space{{from, to}}, {from + to, Direction::forward, sources, destinations}});
            if (HasFatalFailure()) return;
        }
    }
}

TEST(BurstFlows, OfAGivenNumber) {
    for (const auto& [from, to] : {std::pair(1U, 1U), {1U, 2U}, {256U, 256U}}) {
        for (const auto& [sources, destinations] :
             {std::pair(all_sources, all_destinations), {every_port, every_port}, {one_port, one_port}}) {
            for (const std::uint32_t count : {1U, 1000U, 0xffffffffU}) {
                const CountedFlows::Space space{{from, to}, count};
                expect_the_same({space, {count, Direction::reverse, sources, destinations}});
                if (HasFatalFailure()) return;
            }
        }
    }
}

// R8219-10.2.2: also while flows begin, and across such a moment.
constexpr std::uint64_t while_they_begin = 100'000;
std::optional<Beginnings> one_by_one(std::uint32_t flows) { return Beginnings(flows, 2.0 * while_they_begin / flows / flows); }

TEST(BurstFlows, OfAGivenNumberThatBeginOneByOne) {
    for (const std::uint32_t count : {1U, 2U, 7U, 1000U}) {
        Drawn drawn{count, Direction::forward, all_sources, all_destinations};
        drawn.beginnings = one_by_one(count);
        for (const std::uint64_t frames : {std::uint64_t{20}, while_they_begin, 2 * while_they_begin})
            expect_the_same({CountedFlows::Space{{1, 256}, count}, drawn}, frames);
        if (HasFatalFailure()) return;
    }
}

// {2001:db8::/40, 192.0.2.0/24, 16 EA bits}: 8 of the IPv4 address and a PSID of `psid_bits`.
SubscriberRule shared(unsigned offset, unsigned psid_bits = 8) {
    SubscriberRule rule;
    rule.number_bits = 8 + psid_bits;
    rule.ipv6 = wire::parse_ipv6("2001:db8::")->value;
    rule.ipv6_shift = 72;
    rule.ipv4 = wire::parse_ipv4("192.0.2.0")->value;
    rule.psid_bits = rule.psid_length = psid_bits;
    rule.psid_offset = offset;
    return rule;
}
// Each has a /24.
SubscriberRule prefixes() {
    SubscriberRule rule = shared(0, 0);
    rule.host_bits = 8;
    rule.ipv4 = wire::parse_ipv4("192.0.0.0")->value;
    return rule;
}
Subscribers::Domain in_table(std::uint32_t rows, unsigned psid_length = 6) {
    const std::shared_ptr<Binding[]> table(new Binding[rows]);
    const auto psids = 1U << psid_length;
    for (std::uint32_t i = 0; i < rows; ++i) table[i] = {{i, 1}, 0xc0000200 + i % 7, static_cast<std::uint16_t>(i * 31 % psids)};
    SubscriberRule rule;
    rule.psid_length = psid_length;
    return {rule, rows, {}, SubscriberTable{table}};
}

TEST(BurstFlows, OfSubscribers) {
    auto from_a_psid_on = shared(0), fixed_psid = shared(4);
    from_a_psid_on.first_psid = 3;
    fixed_psid.psid_bits = 0;
    fixed_psid.number_bits = 8;
    fixed_psid.psid = 0x5a;
    using Domains = std::vector<Subscribers::Domain>;
    for (const Domains& domains : {Domains{{shared(6), 65536}},
                                   {{shared(0), 1000}},
                                   {{shared(0, 16), 70000}},
                                   {{from_a_psid_on, 60000}},
                                   {{fixed_psid, 200}},
                                   {{prefixes(), 256}},
                                   {{shared(6), 1, 0x1234}},
                                   {in_table(1000)},
                                   {{shared(6), 5}, {prefixes(), 256}, in_table(20)},
                                   {{shared(6), 5}, {shared(6), 700}, in_table(20), in_table(30, 0), {fixed_psid, 9}},
                                   {{shared(6), 50}, {shared(6), 2}},
                                   {in_table(5, 0), in_table(6, 0)}}) {
        const auto subscribers = std::make_shared<const Subscribers>(domains, 3);
        for (const auto& own : {all_sources, one_port, rising}) {
            for (const auto& other : {all_destinations, one_port, falling}) {
                for (const bool send : {true, false}) {
                    const Drawn drawn =
                        send ? Drawn{1, Direction::forward, own, other} : Drawn{1, Direction::reverse, other, own};
                    for (const std::uint32_t networks : {1U, 256U})
                        expect_the_same({SubscriberFlows::Space{subscribers, networks}, drawn});
                    if (HasFatalFailure()) return;
                }
            }
        }
        if (subscribers->count() < 2) continue;
        expect_the_same({HairpinFlows::Space{subscribers}, {1, Direction::forward, all_sources, all_sources}});
    }
}

TEST(BurstFlows, OfSubscribersWithOneOfThem) {  // R7597-5: a CE among CEs
    using Domains = std::vector<Subscribers::Domain>;
    for (const auto& rule : {shared(6), shared(0), shared(4), prefixes()}) {
        for (const std::uint64_t dut : {std::uint64_t{0}, std::uint64_t{7}, rule.numbers() - 1}) {
            const auto peer = std::make_shared<const Subscribers>(Domains{{rule, 1, dut}}, 3);
            const std::uint64_t sharing = std::uint64_t{1} << rule.psid_bits, first = dut / sharing * sharing;
            const Without without{first, sharing};
            const auto others = static_cast<std::uint32_t>(rule.numbers() - sharing);
            for (const Domains& domains :
                 {Domains{{rule, others, {}, {}, without}}, {{rule, 5, {}, {}, without}, {shared(6), 9}}}) {
                const auto subscribers = std::make_shared<const Subscribers>(domains, 3);
                std::set<std::uint64_t> numbers;
                for (std::uint32_t i = 0; i < subscribers->domain(0).end; ++i) numbers.insert(subscribers->domain(0).number(i));
                EXPECT_EQ(numbers.size(), subscribers->domain(0).end) << "each once";
                for (std::uint64_t own = first; own < first + sharing; ++own) EXPECT_FALSE(numbers.contains(own));
                EXPECT_LT(*numbers.rbegin(), rule.numbers());
                for (const auto& ports : {all_sources, one_port, rising}) {
                    for (const auto direction : both_directions)
                        expect_the_same(
                            {SubscriberFlows::Space{subscribers, 3, Side::right, peer}, {1, direction, ports, ports}});
                }
                if (HasFatalFailure()) return;
            }
        }
    }
}

TEST(BurstFlows, OfSubscribersThatBeginOneByOne) {  // R8219-10.2.2
    using Domains = std::vector<Subscribers::Domain>;
    for (const Domains& domains : {Domains{{shared(6), 1000}}, {in_table(1000)}, {{shared(6), 5}, in_table(9)}}) {
        const auto subscribers = std::make_shared<const Subscribers>(domains, 3);
        Drawn drawn{1, Direction::reverse, all_destinations, all_sources};
        drawn.beginnings = one_by_one(subscribers->count());
        for (const std::uint64_t frames : {std::uint64_t{20}, while_they_begin, 2 * while_they_begin})
            expect_the_same({SubscriberFlows::Space{subscribers, 1}, drawn}, frames);
        if (HasFatalFailure()) return;
    }
}

TEST(BurstFlows, OfConnections) {
    for (const auto opening : {Opening::pseudorandom, Opening::increasing, Opening::decreasing}) {
        const ConnectionSpace space{12, 3, {1024, 65535}, {1, 49151}, opening};
        for (const std::uint64_t count :
             {std::uint64_t{1}, std::uint64_t{1000}, std::uint64_t{5'000'000}, std::uint64_t{0xffffffff}}) {
            const Connections connections(space, count, 1);
            for (const auto phase : {Phase::establish, Phase::each_once, Phase::steady}) {
                for (const auto order : {ReadOrder::pseudorandom, ReadOrder::round_robin}) {
                    for (const auto direction : both_directions) {
                        const auto expect = [&](const ConnectionFlows::Space& space, bool one_client) {
                            const DrawnConnections drawn{connections, phase, order, {1, 1}, one_client};
                            expect_the_same({space, {7, direction, all_sources, all_destinations, drawn}}, count);
                        };
                        expect({}, false);
                        expect({}, true);
                        expect({B4s{*wire::parse_ipv6("2001:db8::1"), 3}}, false);
                        if (HasFatalFailure()) return;
                    }
                }
            }
        }
    }
}

TEST(Permuted, AsOneByOne) {
    std::mt19937_64 random(64);
    for (const std::uint64_t size :
         {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{5}, std::uint64_t{64}, std::uint64_t{65}, std::uint64_t{1} << 20,
          std::uint64_t{1} << 32, (std::uint64_t{1} << 32) + 1, (std::uint64_t{1} << 47) + 1, std::uint64_t{1} << 48}) {
        const Permutation permutation(size, 42);
        for (unsigned n = 1; n <= most_in_burst; ++n) {
            alignas(64) OfBurst<std::uint64_t> numbers{}, permuted;
            for (unsigned i = 0; i < n; ++i) numbers[i] = random() % size;
            permuted = numbers;
            permute(permutation, permuted.data(), n);
            for (unsigned i = 0; i < n; ++i) ASSERT_EQ(permuted[i], permutation(numbers[i])) << numbers[i] << " of " << size;
        }
    }
}

}  // namespace
}  // namespace xlatperf::flow
