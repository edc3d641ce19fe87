#include "flow/subscribers.h"

#include <gtest/gtest.h>

#include <set>

#include "flow/enumeration.h"

namespace xlatperf::flow {
namespace {

// {2001:db8::/40, 192.0.2.0/24, 16 EA bits}: 8 of the IPv4 address and a PSID of 8.
SubscriberRule shared(unsigned offset = 6) {
    SubscriberRule rule;
    rule.number_bits = 16;
    rule.ipv6 = wire::parse_ipv6("2001:db8::")->value;
    rule.ipv6_shift = 72;
    rule.identifier_mask = (wire::Bits128{1} << 72) - 1;
    rule.ipv4 = wire::parse_ipv4("192.0.2.0")->value;
    rule.psid_bits = rule.psid_length = 8;
    rule.psid_offset = offset;
    return rule;
}
// 192.0.0.0/16 with 8 EA bits: each has a /24.
SubscriberRule prefixes() {
    SubscriberRule rule = shared();
    rule.number_bits = rule.host_bits = 8;
    rule.psid_bits = rule.psid_length = 0;
    rule.ipv6_shift = 80;
    rule.ipv4 = wire::parse_ipv4("192.0.0.0")->value;
    return rule;
}
SubscriberFlows flows(const std::shared_ptr<const Subscribers>& subscribers, bool send, Order order, std::uint32_t networks = 1) {
    const PortRange own(order, 1024, 65535), other(Order::pseudorandom, 1, 49151);
    const Drawn drawn{1, send ? Direction::forward : Direction::reverse, send ? own : other, send ? other : own};
    return {SubscriberFlows::Space{subscribers, networks}, drawn};
}

TEST(Subscribers, AreDrawnWithoutRepetition) {
    for (const std::uint32_t count : {1U, 1000U, 65536U}) {
        const Subscribers subscribers({{shared(), count}}, 42);
        std::set<std::uint64_t> numbers;
        std::set<std::pair<std::uint64_t, std::uint64_t>> addresses;
        for (std::uint32_t i = 0; i < count; ++i) {
            const auto who = subscribers(i);
            ASSERT_LT(who.number, 65536U);
            numbers.insert(who.number);
            const auto ipv6 = subscribers.ipv6(who, 0).value;
            addresses.insert({static_cast<std::uint64_t>(ipv6 >> 64), static_cast<std::uint64_t>(ipv6)});
            ASSERT_EQ(Subscriber::of(who.packed()).number, who.number);
        }
        EXPECT_EQ(numbers.size(), count);
        EXPECT_EQ(addresses.size(), count);
    }
}

TEST(Subscribers, OfSeveralDomainsComeOneAfterTheOther) {
    const Subscribers subscribers({{shared(), 5}, {prefixes(), 256}, {shared(4), 1}}, 1);
    EXPECT_EQ(subscribers.count(), 262U);
    EXPECT_EQ(subscribers(4).domain, 0U);
    EXPECT_EQ(subscribers(5).domain, 1U);
    EXPECT_EQ(subscribers(260).domain, 1U);
    EXPECT_EQ(subscribers(261).domain, 2U);
    EXPECT_EQ(Subscriber::of(subscribers(261).packed()).domain, 2U);
    std::set<std::uint64_t> numbers;
    for (std::uint32_t i = 5; i < 261; ++i) numbers.insert(subscribers(i).number);
    EXPECT_EQ(numbers.size(), 256U);
}

TEST(Subscribers, UseOnlyTheirOwnPorts) {
    for (const auto order : {Order::pseudorandom, Order::increasing, Order::decreasing, Order::fixed}) {
        for (const unsigned offset : {0U, 4U, 6U, 8U}) {
            const auto subscribers =
                std::make_shared<const Subscribers>(std::vector<Subscribers::Domain>{{shared(offset), 1000}}, 3);
            for (const bool send : {true, false}) {
                const auto all = flows(subscribers, send, order);
                for (std::uint64_t i = 0; i < 5000; ++i) {
                    const Flow flow = all(i);
                    const auto who = Subscriber::of(flow.subscriber);
                    const auto port = send ? flow.source_port : flow.destination_port;
                    ASSERT_NE(port, 0);
                    ASSERT_TRUE(subscribers->rule(0).ports(who.number).contains(port)) << port;
                }
            }
        }
    }
}

TEST(Subscribers, GoThroughTheirPortsInOrder) {
    const Subscribers subscribers({{shared(), 1}}, 3);
    const auto who = subscribers(0);
    const auto set = subscribers.rule(0).ports(who.number);
    const PortRange up(Order::increasing, 7, 9), down(Order::decreasing, 7, 9), fixed(Order::fixed, 7, 9);
    for (std::uint64_t i = 0; i < 600; ++i) {
        EXPECT_EQ(subscribers.port(who, up, i, 5), set.port(static_cast<std::uint32_t>(i % 252)));
        EXPECT_EQ(subscribers.port(who, down, i, 5), set.port(static_cast<std::uint32_t>(251 - i % 252)));
        EXPECT_EQ(subscribers.port(who, fixed, i, 5), set.port(0));
    }
    std::set<std::uint16_t> seen;
    for (std::uint32_t i = 0; i < 10000; ++i)
        seen.insert(subscribers.port(who, PortRange(Order::pseudorandom, 7, 9), 0, static_cast<std::uint32_t>(mix(i))));
    EXPECT_EQ(seen.size(), 252U);
}

TEST(Subscribers, WithAddressesOfTheirOwnUseAnyPort) {
    const auto subscribers = std::make_shared<const Subscribers>(std::vector<Subscribers::Domain>{{prefixes(), 16}}, 3);
    std::set<std::uint32_t> hosts;
    const auto all = flows(subscribers, true, Order::pseudorandom);
    for (std::uint64_t i = 0; i < 20000; ++i) {
        const Flow flow = all(i);
        ASSERT_GE(flow.source_port, 1024);
        hosts.insert(flow.source_host);
        const auto who = Subscriber::of(flow.subscriber);
        EXPECT_EQ(subscribers->ipv4(who, flow.source_host).value & 255, flow.source_host);
        EXPECT_TRUE(subscribers->ipv6(who, flow.source_host) == subscribers->ipv6(who, 0)) << "padded with zeros";
    }
    EXPECT_EQ(hosts.size(), 256U);
}

TEST(Subscribers, KnowWhatTheirRuleCovers) {
    const auto rule = shared();
    EXPECT_TRUE(rule.covers(*wire::parse_ipv4("192.0.2.255")));
    EXPECT_FALSE(rule.covers(*wire::parse_ipv4("192.0.3.0")));
    EXPECT_TRUE(rule.covers(*wire::parse_ipv6("2001:db8:ff:ffff::1")));
    EXPECT_FALSE(rule.covers(*wire::parse_ipv6("2001:db8:100::1")));
    EXPECT_TRUE(prefixes().covers(*wire::parse_ipv4("192.0.255.255")));
    EXPECT_FALSE(prefixes().covers(*wire::parse_ipv4("192.1.0.0")));
}

}  // namespace
}  // namespace xlatperf::flow
