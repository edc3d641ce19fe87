#include "technology/stateful.h"

#include <gtest/gtest.h>

#include <random>

#include "technology/texts.h"

namespace xlatperf::technology {
namespace {

flow::Ipv4Range four(const char* first, std::uint32_t addresses, std::uint64_t step = 1) {
    return {wire::parse_ipv4(first).value(), addresses, step};
}
flow::Ipv6Range six(const char* first, std::uint32_t addresses, std::uint64_t step = 1) {
    return {wire::parse_ipv6(first).value(), addresses, step};
}

TEST(CoveringPrefixes, OfOneAddress) {
    EXPECT_EQ(covering_prefixes(four("10.0.0.2", 1)), Texts{"10.0.0.2/32"});
    EXPECT_EQ(covering_prefixes(four("10.0.0.2", 1, 7)), Texts{"10.0.0.2/32"}) << "a step that isn't used";
    EXPECT_EQ(covering_prefixes(four("255.255.255.255", 1)), Texts{"255.255.255.255/32"});
    EXPECT_EQ(covering_prefixes(six("::", 1)), Texts{"::/128"});
}

TEST(CoveringPrefixes, OfWholeBlocks) {
    EXPECT_EQ(covering_prefixes(four("10.0.0.0", 65536)), Texts{"10.0.0.0/16"});
    EXPECT_EQ(covering_prefixes(four("255.255.0.0", 65536)), Texts{"255.255.0.0/16"});
    EXPECT_EQ(covering_prefixes(four("10.0.0.0", 3)), (Texts{"10.0.0.0/31", "10.0.0.2/32"}));
    EXPECT_EQ(covering_prefixes(six("2001:2::fffe", 4)), (Texts{"2001:2::fffe/127", "2001:2::1:0/127"}));
}

TEST(CoveringPrefixes, OfRfc9693) {  // R9693-3.2: 10.0.0.2 to 10.0.255.254, without the DUT and the broadcast address
    EXPECT_EQ(
        covering_prefixes(four("10.0.0.2", 65533)),
        (Texts{"10.0.0.2/31",     "10.0.0.4/30",     "10.0.0.8/29",     "10.0.0.16/28",    "10.0.0.32/27",    "10.0.0.64/26",
               "10.0.0.128/25",   "10.0.1.0/24",     "10.0.2.0/23",     "10.0.4.0/22",     "10.0.8.0/21",     "10.0.16.0/20",
               "10.0.32.0/19",    "10.0.64.0/18",    "10.0.128.0/18",   "10.0.192.0/19",   "10.0.224.0/20",   "10.0.240.0/21",
               "10.0.248.0/22",   "10.0.252.0/23",   "10.0.254.0/24",   "10.0.255.0/25",   "10.0.255.128/26", "10.0.255.192/27",
               "10.0.255.224/28", "10.0.255.240/29", "10.0.255.248/30", "10.0.255.252/31", "10.0.255.254/32"}));
    EXPECT_EQ(covering_prefixes(six("2001:2::2", 65536, 65536)), Texts{"2001:2::/96"}) << "bits 96 to 111 vary";
}

TEST(CoveringPrefixes, WithGapsOneHoldsThemAll) {
    EXPECT_EQ(covering_prefixes(four("198.18.0.2", 2, 256)), Texts{"198.18.0.0/23"});
    EXPECT_EQ(covering_prefixes(four("198.18.0.2", 256, 256)), Texts{"198.18.0.0/16"});
    EXPECT_EQ(covering_prefixes(six("2001:2::2", 3, 65536)), Texts{"2001:2::/110"});
    EXPECT_EQ(covering_prefixes(four("127.255.255.255", 2, 2)), Texts{"0.0.0.0/0"}) << "nothing longer holds both";
}

// Any range: blocks follow each other without gap or overlap, are aligned, and begin and end where the range does.
TEST(CoveringPrefixes, AreExact) {
    std::mt19937_64 random(1);
    for (int i = 0; i < 2000; ++i) {
        const auto addresses = static_cast<std::uint32_t>(1 + random() % 65536);
        const auto first = static_cast<std::uint32_t>(random() % (0x100000000 - addresses + 1));
        std::uint64_t next = first;
        const auto found = covering_prefixes(flow::Ipv4Range{wire::Ipv4Address{first}, addresses});
        ASSERT_LE(found.size(), 32U);
        for (const auto& text : found) {
            const auto prefix = wire::parse_ipv4_prefix(text).value();
            ASSERT_EQ(prefix.address.value, next) << text;
            ASSERT_EQ(prefix.network().value, prefix.address.value) << text << " has host bits";
            next += std::uint64_t{1} << (32 - prefix.length);
        }
        ASSERT_EQ(next, std::uint64_t{first} + addresses);
    }
}

TEST(Addresses, OfRanges) {
    const auto found = addresses(four("10.0.0.255", 3));
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(to_text(found[1]), "10.0.1.0");
    EXPECT_EQ(to_text(addresses(six("2001:2::2", 2, 65536))[1]), "2001:2::1:2");
}

}  // namespace
}  // namespace xlatperf::technology
