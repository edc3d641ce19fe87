#include "flow/address_range.h"

#include <gtest/gtest.h>

namespace xlatperf::flow {
namespace {

Ipv4Range four(const char* first, std::uint32_t addresses, std::uint64_t step = 1) {
    return {wire::parse_ipv4(first).value(), addresses, step};
}
Ipv6Range six(const char* first, std::uint32_t addresses, std::uint64_t step = 1) {
    return {wire::parse_ipv6(first).value(), addresses, step};
}

TEST(AddressRange, OneAddress) {
    EXPECT_EQ(wire::to_text(four("10.0.0.2", 1).address(0)), "10.0.0.2");
    EXPECT_EQ(wire::to_text(four("10.0.0.2", 1).last()), "10.0.0.2");
    EXPECT_EQ(four("10.0.0.2", 1), (Ipv4Range{wire::parse_ipv4("10.0.0.2").value()})) << "the defaults";
}

TEST(AddressRange, BitsThatRfc9693Varies) {  // R9693-3.2
    const auto nat44 = four("10.0.0.2", 65533);
    EXPECT_EQ(wire::to_text(nat44.address(254)), "10.0.1.0");
    EXPECT_EQ(wire::to_text(nat44.last()), "10.0.255.254");
    const auto nat64 = six("2001:2::2", 65536, 65536);
    EXPECT_EQ(wire::to_text(nat64.address(0)), "2001:2::2");
    EXPECT_EQ(wire::to_text(nat64.address(1)), "2001:2::1:2");
    EXPECT_EQ(wire::to_text(nat64.last()), "2001:2::ffff:2");
}

TEST(AddressRange, Steps) {
    EXPECT_EQ(wire::to_text(four("198.18.0.2", 256, 256).last()), "198.18.255.2");
    EXPECT_EQ(wire::to_text(six("2001:2::2", 3, std::uint64_t{1} << 48).last()), "2001:2::2:0:0:2");
    EXPECT_EQ(wire::to_text(six("2001:2::ffff:ffff:ffff:ffff", 2).last()), "2001:2:0:1::") << "a carry beyond 64 bits";
}

}  // namespace
}  // namespace xlatperf::flow
