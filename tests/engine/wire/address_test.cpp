#include "wire/address.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>

#include <array>
#include <random>

namespace xlatperf::wire {
namespace {

Ipv6Address v6(const char* text) { return parse_ipv6(text).value(); }
Ipv4Address v4(const char* text) { return parse_ipv4(text).value(); }

TEST(Ipv4Address, ReadsAndWritesDottedDecimal) {
    EXPECT_EQ(v4("198.18.0.2").value, 0xc6120002U);
    EXPECT_EQ(v4("0.0.0.0").value, 0U);
    EXPECT_EQ(v4("255.255.255.255").value, 0xffffffffU);
    EXPECT_EQ(to_text(Ipv4Address{0xc0000221}), "192.0.2.33");
}

TEST(Ipv4Address, RefusesEverythingElse) {
    for (const char* text : {"", "1", "1.2.3", "1.2.3.4.5", "256.0.0.1", "1.2.3.4 ", " 1.2.3.4", "1.2.3.-4", "0x1.2.3.4", "::1",
                             "1.2.3.4/8", "a.b.c.d", "1..2.3"}) {
        EXPECT_FALSE(parse_ipv4(text)) << '"' << text << '"';
    }
    EXPECT_FALSE(parse_ipv4(std::string_view("1.2.3.4\0.5", 10))) << "an embedded zero ends no address";
}

TEST(Ipv6Address, ReadsAndWritesAsRfc5952) {
    EXPECT_EQ(to_text(v6("2001:0DB8:0000:0000:0000:0000:0000:0001")), "2001:db8::1");
    EXPECT_EQ(to_text(v6("2001:db8:0:1:1:1:1:1")), "2001:db8:0:1:1:1:1:1");
    EXPECT_EQ(to_text(v6("2001:0:0:1:0:0:0:1")), "2001:0:0:1::1");
    EXPECT_EQ(to_text(v6("2001:db8:122:344:c0:2:2100::")), "2001:db8:122:344:c0:2:2100:0") << "one group isn't shortened (4.2.2)";
    EXPECT_EQ(to_text(v6("::")), "::");
    EXPECT_EQ(to_text(v6("1::")), "1::");
    EXPECT_EQ(to_text(v6("0:0:3:4:5:6:7:8")), "::3:4:5:6:7:8");
    EXPECT_EQ(to_text(v6("2001:db8:0:0:1:0:0:1")), "2001:db8::1:0:0:1") << "the first of two (4.2.3)";
    EXPECT_EQ(to_text(v6("::ffff:c000:201")), "::ffff:192.0.2.1") << "RFC 5952 section 5";
    EXPECT_EQ(v6("::ffff"), Ipv6Address{0xffff});
    EXPECT_TRUE(v6("2001:2::1") < v6("2001:2::2"));
    EXPECT_TRUE(v6("1::") < v6("2::")) << "the upper half decides";
}

TEST(Ipv6Address, RefusesEverythingElse) {
    for (const char* text : {"", ":", ":::", "1::2::3", "12345::", "g::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "::1/64",
                             "fe80::1%eth0", "1.2.3.4"}) {
        EXPECT_FALSE(parse_ipv6(text)) << '"' << text << '"';
    }
    EXPECT_FALSE(parse_ipv6(std::string_view("::1\0::2", 7)));
}

TEST(Addresses, RandomOnesSurviveTextAndBytes) {
    std::mt19937_64 random(5952);
    for (int i = 0; i < 5000; ++i) {
        // Many zero groups, so that every way of shortening occurs.
        Ipv6Address six;
        for (int group = 0; group < 8; ++group) six.value = (six.value << 16) | (random() % 2 == 0 ? 0 : random() & 0xffff);
        const Ipv4Address four{static_cast<std::uint32_t>(random())};
        ASSERT_EQ(parse_ipv6(to_text(six)), six);
        ASSERT_EQ(parse_ipv4(to_text(four)), four);
        std::array<std::uint8_t, 16> bytes{};
        six.store(bytes.data());
        std::array<char, INET6_ADDRSTRLEN> text{};
        ASSERT_EQ(to_text(six), inet_ntop(AF_INET6, bytes.data(), text.data(), text.size()));
        ASSERT_EQ(Ipv6Address::load(bytes.data()), six);
        ASSERT_EQ(bytes[0], static_cast<std::uint8_t>(six.value >> 120));
        ASSERT_EQ(bytes[15], static_cast<std::uint8_t>(six.value));
        four.store(bytes.data());
        ASSERT_EQ(Ipv4Address::load(bytes.data()), four);
        ASSERT_EQ(bytes[0], four.value >> 24);
    }
}

TEST(Prefix, ReadsAndWrites) {
    EXPECT_EQ(to_text(parse_ipv4_prefix("198.18.0.2/24").value()), "198.18.0.2/24");
    EXPECT_EQ(to_text(parse_ipv6_prefix("2001:db8::/96").value()), "2001:db8::/96");
    EXPECT_EQ(parse_ipv4_prefix("0.0.0.0/0")->length, 0U);
    EXPECT_EQ(parse_ipv6_prefix("::/128")->length, 128U);
    for (const char* text : {"198.18.0.0", "198.18.0.0/", "198.18.0.0/33", "198.18.0.0/-1", "198.18.0.0/ 8", "198.18.0.0/8x",
                             "/8", "198.18.0/8", "198.18.0.0/8/8", "198.18.0.0/99999999999999999999"}) {
        EXPECT_FALSE(parse_ipv4_prefix(text)) << text;
    }
    for (const char* text : {"::", "::/", "::/129", "::/+1", "::/1/2", "/1"}) EXPECT_FALSE(parse_ipv6_prefix(text)) << text;
}

TEST(Prefix, NetworkHasNoHostBits) {
    EXPECT_EQ(parse_ipv4_prefix("198.18.255.255/23")->network(), v4("198.18.254.0"));
    EXPECT_EQ(parse_ipv4_prefix("198.18.255.255/0")->network(), v4("0.0.0.0"));
    EXPECT_EQ(parse_ipv4_prefix("198.18.255.255/32")->network(), v4("198.18.255.255"));
    EXPECT_EQ(parse_ipv6_prefix("2001:db8:ffff:ffff::1/62")->network(), v6("2001:db8:ffff:fffc::"));
    EXPECT_EQ(parse_ipv6_prefix("ffff::1/0")->network(), v6("::"));
    EXPECT_EQ(parse_ipv6_prefix("ffff::1/128")->network(), v6("ffff::1"));
}

TEST(Prefix, ContainsIsBitwise) {
    const auto net = parse_ipv4_prefix("203.0.113.8/29").value();
    EXPECT_TRUE(net.contains(v4("203.0.113.8")));
    EXPECT_TRUE(net.contains(v4("203.0.113.15")));
    EXPECT_FALSE(net.contains(v4("203.0.113.16")));
    EXPECT_FALSE(net.contains(v4("203.0.113.7")));
    EXPECT_TRUE(parse_ipv4_prefix("1.2.3.4/0")->contains(v4("255.0.0.1")));
    EXPECT_TRUE(parse_ipv6_prefix("2001:db8::1/128")->contains(v6("2001:db8::1")));
    EXPECT_FALSE(parse_ipv6_prefix("2001:db8::1/128")->contains(v6("2001:db8::")));
    std::mt19937_64 random(1);
    for (int i = 0; i < 2000; ++i) {
        const Ipv6Prefix prefix{Ipv6Address{(Bits128{random()} << 64) | random()}, static_cast<unsigned>(random() % 129)};
        EXPECT_TRUE(prefix.contains(prefix.address));
        EXPECT_TRUE(prefix.contains(prefix.network()));
        if (prefix.length == 0) continue;
        const Bits128 flipped = prefix.address.value ^ (Bits128{1} << (128 - 1 - random() % prefix.length));
        EXPECT_FALSE(prefix.contains(Ipv6Address{flipped}));
    }
}

}  // namespace
}  // namespace xlatperf::wire
