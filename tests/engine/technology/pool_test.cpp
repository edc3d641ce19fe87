#include <gtest/gtest.h>

#include <array>

#include "technology/technology.h"

namespace xlatperf::technology {
namespace {

bool contains(const Pool& pool, const char* address, std::uint16_t port) {
    std::array<std::uint8_t, 16> wire{};
    if (const auto four = wire::parse_ipv4(address)) {
        four->store(wire.data());
    } else {
        wire::parse_ipv6(address)->store(wire.data());
    }
    return pool.contains(wire.data(), port);
}

TEST(Pool, Ipv4) {
    const Pool pool{wire::parse_ipv4("198.19.0.1").value(), 2, 1024, 65535};
    EXPECT_EQ(pool.family(), wire::Family::ipv4);
    EXPECT_TRUE(contains(pool, "198.19.0.1", 1024));
    EXPECT_TRUE(contains(pool, "198.19.0.2", 65535));
    EXPECT_FALSE(contains(pool, "198.19.0.0", 1024));
    EXPECT_FALSE(contains(pool, "198.19.0.3", 1024));
    EXPECT_FALSE(contains(pool, "10.0.0.2", 1024)) << "a client that wasn't translated";
    EXPECT_FALSE(contains(pool, "198.19.0.1", 1023));
    EXPECT_FALSE(contains(pool, "198.19.0.1", 0));
}

TEST(Pool, Ipv6) {
    const Pool pool{wire::parse_ipv6("2001:2:0:8000::ffff:ffff").value(), 3, 5000, 5000};
    EXPECT_EQ(pool.family(), wire::Family::ipv6);
    EXPECT_TRUE(contains(pool, "2001:2:0:8000::ffff:ffff", 5000));
    EXPECT_TRUE(contains(pool, "2001:2:0:8000:0:1:0:1", 5000)) << "the third";
    EXPECT_FALSE(contains(pool, "2001:2:0:8000:0:1:0:2", 5000));
    EXPECT_FALSE(contains(pool, "2001:2:0:8000::ffff:fffe", 5000));
    EXPECT_FALSE(contains(pool, "2001:2:1:8000::ffff:ffff", 5000)) << "the upper half counts";
    EXPECT_FALSE(contains(pool, "2001:2:0:8000::ffff:ffff", 4999));
    EXPECT_FALSE(contains(pool, "2001:2:0:8000::ffff:ffff", 5001));
}

TEST(Pool, EndOfTheAddressSpace) {
    const Pool last{wire::parse_ipv4("255.255.255.255").value(), 1, 0, 65535};
    EXPECT_TRUE(contains(last, "255.255.255.255", 0));
    EXPECT_FALSE(contains(last, "0.0.0.0", 0));
    EXPECT_FALSE(contains(last, "255.255.255.254", 0));
}

TEST(Pool, Text) {
    EXPECT_EQ(to_text(Pool{wire::parse_ipv4("198.19.0.1").value()}), "198.19.0.1, ports 1024 to 65535");
    EXPECT_EQ(to_text(Pool{wire::parse_ipv6("2001:2::1").value(), 16, 1, 9}), "2001:2::1 and 15 after it, ports 1 to 9");
}

}  // namespace
}  // namespace xlatperf::technology
