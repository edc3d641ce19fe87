#include "wire/rfc6052.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "rfc1071.h"

namespace xlatperf::wire {
namespace {

struct Vector {
    const char *prefix, *ipv6;
};

// standards.md §4.1: RFC 6052 §2.4, tables 1 and 2.
constexpr Vector vectors[] = {{"2001:db8::/32", "2001:db8:c000:221::"},
                              {"2001:db8:100::/40", "2001:db8:1c0:2:21::"},
                              {"2001:db8:122::/48", "2001:db8:122:c000:2:2100::"},
                              {"2001:db8:122:300::/56", "2001:db8:122:3c0:0:221::"},
                              {"2001:db8:122:344::/64", "2001:db8:122:344:c0:2:2100::"},
                              {"2001:db8:122:344::/96", "2001:db8:122:344::c000:221"},
                              {"64:ff9b::/96", "64:ff9b::c000:221"}};

class Rfc6052Vectors : public testing::TestWithParam<Vector> {};

TEST_P(Rfc6052Vectors, EmbedAndExtract) {  // R6052-2.2
    const auto prefix = parse_ipv6_prefix(GetParam().prefix).value();
    const auto four = parse_ipv4("192.0.2.33").value();
    EXPECT_EQ(rfc6052::embed(prefix, four), parse_ipv6(GetParam().ipv6).value());
    EXPECT_EQ(rfc6052::extract(prefix, parse_ipv6(GetParam().ipv6).value()), four);
}
INSTANTIATE_TEST_SUITE_P(Section24, Rfc6052Vectors, testing::ValuesIn(vectors));

TEST(Rfc6052, OnlySixPrefixLengths) {
    for (unsigned length = 0; length <= 128; ++length) {
        const bool one = length == 32 || length == 40 || length == 48 || length == 56 || length == 64 || length == 96;
        EXPECT_EQ(rfc6052::is_prefix_length(length), one) << length;
    }
}

// RFC 6052 §2.2 says where every bit goes; written down here a second time, bit by bit.
unsigned position(unsigned length, unsigned bit) {
    const unsigned straight = length + bit;
    if (length == 96 || straight < 64) return straight;
    return straight + 8;
}

TEST(Rfc6052, RandomAddressesForAllLengths) {
    std::mt19937_64 random(6052);
    for (const unsigned length : {32U, 40U, 48U, 56U, 64U, 96U}) {
        for (int i = 0; i < 2000; ++i) {
            Bits128 bits = (Bits128{random()} << 64) | random();
            bits &= ~(Bits128{0xff} << 56);  // bits 64 to 71
            const Ipv6Prefix prefix{Ipv6Address{bits}, length};
            const Ipv4Address four{static_cast<std::uint32_t>(random())};
            const Ipv6Address six = rfc6052::embed(prefix, four);
            ASSERT_TRUE(prefix.contains(six));
            ASSERT_EQ(static_cast<unsigned>(six.value >> 56) & 0xff, 0U) << "the u octet is zero";
            Bits128 wanted = prefix.network().value;
            for (unsigned bit = 0; bit < 32; ++bit) {
                if ((four.value >> (31 - bit) & 1) != 0) wanted |= Bits128{1} << (127 - position(length, bit));
            }
            ASSERT_EQ(six, Ipv6Address{wanted});
            ASSERT_EQ(rfc6052::extract(prefix, six), four);
            if (length == 96) continue;
            const unsigned used = position(length, 31) + 1;
            const Bits128 suffix = bits & ((Bits128{1} << (128 - used)) - 1);
            ASSERT_EQ(rfc6052::extract(prefix, Ipv6Address{six.value | suffix}), four)
                << "the suffix is ignored (RFC 6052 section 2.2)";
        }
    }
}

TEST(Rfc6052, ExtractRefusesOtherPrefixes) {
    EXPECT_FALSE(rfc6052::extract(parse_ipv6_prefix("64:ff9b::/96").value(), parse_ipv6("64:ff9c::c000:221").value()));
    EXPECT_FALSE(rfc6052::extract(parse_ipv6_prefix("2001:db8:100::/40").value(), parse_ipv6("2001:db8:200::").value()));
}

TEST(Rfc6052, WellKnownPrefixIsChecksumNeutral) {  // RFC 6052 §4.1
    const auto prefix = parse_ipv6_prefix("64:ff9b::/96").value();
    for (const char* text : {"192.0.2.33", "198.18.0.2", "255.255.255.255"}) {
        const auto four = parse_ipv4(text).value();
        std::vector<std::uint8_t> short_one(4), long_one(16);
        four.store(short_one.data());
        rfc6052::embed(prefix, four).store(long_one.data());
        EXPECT_EQ(rfc1071::sum(short_one), rfc1071::sum(long_one)) << text;
    }
}

}  // namespace
}  // namespace xlatperf::wire
