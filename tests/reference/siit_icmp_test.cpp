// RFC 7915 §4.2, §4.3, §5.2, §5.3, and the errors that the gateway makes (RFC 792, RFC 4443).
#include <gtest/gtest.h>

#include "packets.h"
#include "translate/icmp_error.h"
#include "translate/siit.h"

namespace xlatperf::reference {
namespace {

using namespace test;

Siit siit_with_prefix() {
    Siit siit;
    siit.map = AddressMap(wire::parse_ipv6_prefix("2001:db8:6464::/96"),
                          {{*wire::parse_ipv4_prefix("198.18.0.0/24"), *wire::parse_ipv6_prefix("2001:2::/120")}});
    siit.own_ipv4 = *wire::parse_ipv4("198.18.255.1");
    return siit;
}
constexpr const char* v6_host = "2001:2::2";              // 198.18.0.2
constexpr const char* v4_host = "2001:db8:6464::c613:2";  // 198.19.0.2

Octets icmp(std::uint8_t type, std::uint8_t code, const char* rest, const Octets& behind) {
    Octets message = {type, code, 0, 0};
    const Octets four = hex(rest);
    message.insert(message.end(), four.begin(), four.end());
    message.insert(message.end(), behind.begin(), behind.end());
    return message;
}
Octets icmp4(const char* source, const char* destination, const Octets& message) {
    return with_checksum(ipv4(source, destination, 1, message), 1, 2, false);
}
Octets icmp6(const char* source, const char* destination, const Octets& message) {
    return with_checksum(ipv6(source, destination, 58, message), 58, 2);
}
Octets translated_to_v6(const Octets& in, Fate expected = Fate::forwarded) {
    Octets out(in.size() + translation_room);
    const Result result = translate_v4_to_v6(siit_with_prefix(), in, out);
    EXPECT_EQ(result.fate, expected);
    out.resize(result.size);
    return out;
}
Octets translated_to_v4(const Octets& in, Fate expected = Fate::forwarded) {
    Octets out(in.size() + translation_room);
    const Result result = translate_v6_to_v4(siit_with_prefix(), in, out, 0);
    EXPECT_EQ(result.fate, expected);
    out.resize(result.size);
    return out;
}

TEST(SiitIcmp, R7915_4_2_Echo) {
    const Octets request = translated_to_v6(icmp4("198.19.0.2", "198.18.0.2", icmp(8, 0, "00010002", Octets(9, 0x61))));
    EXPECT_EQ(request[6], 58);
    EXPECT_EQ(request[40], 128);
    EXPECT_EQ(transport_sum(request, 58), 0xffff);
    const Octets reply = translated_to_v6(icmp4("198.19.0.2", "198.18.0.2", icmp(0, 0, "00010002", Octets(9, 0x61))));
    EXPECT_EQ(reply[40], 129);
    EXPECT_EQ(transport_sum(reply, 58), 0xffff);
}

TEST(SiitIcmp, R7915_5_2_Echo) {
    const Octets request = translated_to_v4(icmp6(v6_host, v4_host, icmp(128, 0, "00010002", Octets(9, 0x61))));
    EXPECT_EQ(request[9], 1);
    EXPECT_EQ(request[20], 8);
    EXPECT_EQ(ones_sum(request, 20, request.size()), 0xffff);
    EXPECT_EQ(translated_to_v4(icmp6(v6_host, v4_host, icmp(129, 0, "00010002", {})))[20], 0);
}

/// The packet that the IPv6 host sent, as an IPv4 router quotes it.
Octets quoted4() { return with_checksum(ipv4("198.18.0.2", "198.19.0.2", 17, udp(18)), 17, 6); }
Octets quoted6() { return with_checksum(ipv6(v6_host, v4_host, 17, udp(18)), 17, 6); }

TEST(SiitIcmp, R7915_4_2_TimeExceededWithQuotedPacket) {
    const Octets out = translated_to_v6(icmp4("203.0.113.1", "198.18.0.2", icmp(11, 0, "00000000", quoted4())));
    EXPECT_EQ(transport_sum(out, 58), 0xffff);
    EXPECT_EQ(out[40], 3);
    EXPECT_EQ(out[41], 0);
    // §4.3: the quoted packet is what the host sent, with the hop limit as it is.
    EXPECT_EQ(Octets(out.begin() + 48, out.end()), quoted6());
}

struct IcmpRow {
    int type, code;
    const char* rest;
    int new_type, new_code;
    const char* new_rest;
};

TEST(SiitIcmp, R7915_4_2_Table) {
    for (const IcmpRow& row : {IcmpRow{3, 0, "00000000", 1, 0, "00000000"},
                               {3, 1, "00000000", 1, 0, "00000000"},
                               {3, 2, "00000000", 4, 1, "00000006"},
                               {3, 3, "00000000", 1, 4, "00000000"},
                               {3, 4, "00000514", 2, 0, "00000528"},
                               {3, 4, "00000100", 2, 0, "00000500"},
                               {3, 4, "0000ffff", 2, 0, "000005dc"},
                               {3, 5, "00000000", 1, 0, "00000000"},
                               {3, 9, "00000000", 1, 1, "00000000"},
                               {3, 13, "00000000", 1, 1, "00000000"},
                               {11, 1, "00000000", 3, 1, "00000000"},
                               {12, 0, "08000000", 4, 0, "00000007"},
                               {12, 0, "10000000", 4, 0, "00000018"},
                               {12, 2, "0c000000", 4, 0, "00000008"}}) {
        const Octets out = translated_to_v6(
            icmp4("203.0.113.1", "198.18.0.2",
                  icmp(static_cast<std::uint8_t>(row.type), static_cast<std::uint8_t>(row.code), row.rest, quoted4())));
        ASSERT_GT(out.size(), 48u) << row.type << "/" << row.code;
        EXPECT_EQ(out[40], row.new_type);
        EXPECT_EQ(out[41], row.new_code);
        EXPECT_EQ(Octets(out.begin() + 44, out.begin() + 48), hex(row.new_rest)) << row.type << "/" << row.code;
        EXPECT_EQ(transport_sum(out, 58), 0xffff);
    }
    for (const auto& [type, code] : {std::pair{3, 14}, {4, 0}, {5, 0}, {12, 1}, {13, 0}})
        translated_to_v6(icmp4("203.0.113.1", "198.18.0.2",
                               icmp(static_cast<std::uint8_t>(type), static_cast<std::uint8_t>(code), "00000000", quoted4())),
                         Fate::not_translatable_icmp);
}

TEST(SiitIcmp, R7915_5_2_Table) {
    for (const IcmpRow& row : {IcmpRow{1, 0, "00000000", 3, 1, "00000000"},
                               {1, 1, "00000000", 3, 10, "00000000"},
                               {1, 4, "00000000", 3, 3, "00000000"},
                               {2, 0, "00000528", 3, 4, "00000514"},
                               {2, 0, "0000ffff", 3, 4, "000005c8"},
                               {3, 0, "00000000", 11, 0, "00000000"},
                               {4, 0, "00000007", 12, 0, "08000000"},
                               {4, 0, "00000018", 12, 0, "10000000"},
                               {4, 1, "00000006", 3, 2, "00000000"}}) {
        const Octets in = with_checksum(ipv6("2001:db8:6464::c613:2", "2001:2::2", 17, udp(18)), 17, 6);
        const Octets out =
            translated_to_v4(icmp6("2001:2::9", "2001:db8:6464::c613:2",
                                   icmp(static_cast<std::uint8_t>(row.type), static_cast<std::uint8_t>(row.code), row.rest, in)));
        ASSERT_GT(out.size(), 28u) << row.type << "/" << row.code;
        EXPECT_EQ(out[20], row.new_type);
        EXPECT_EQ(out[21], row.new_code);
        EXPECT_EQ(Octets(out.begin() + 24, out.begin() + 28), hex(row.new_rest)) << row.type << "/" << row.code;
        EXPECT_EQ(ones_sum(out, 20, out.size()), 0xffff);
        EXPECT_EQ(Octets(out.begin() + 40, out.begin() + 44), hex("c6130002"));  // §5.3: the quoted source
        EXPECT_EQ(Octets(out.begin() + 12, out.begin() + 16), hex("c6120009"));
    }
    translated_to_v4(icmp6(v6_host, v4_host, icmp(4, 2, "00000000", quoted6())), Fate::not_translatable_icmp);
    translated_to_v4(icmp6(v6_host, v4_host, icmp(133, 0, "00000000", {})), Fate::not_translatable_icmp);
}

TEST(SiitIcmp, Rfc6791_ErrorsOfUnmappedRouters) {
    const Octets in = with_checksum(ipv6("2001:db8:6464::c613:2", "2001:2::2", 17, udp(18)), 17, 6);
    const Octets out = translated_to_v4(icmp6("2001:db8:aaaa::1", "2001:db8:6464::c613:2", icmp(3, 0, "00000000", in)));
    EXPECT_EQ(Octets(out.begin() + 12, out.begin() + 16), hex("c612ff01"));
}

TEST(SiitIcmp, R7915_4_2_ErrorAboutAnErrorAndBadChecksum) {
    const Octets inner = icmp4("198.18.0.2", "198.19.0.2", icmp(3, 3, "00000000", quoted4()));
    translated_to_v6(icmp4("203.0.113.1", "198.18.0.2", icmp(11, 0, "00000000", inner)), Fate::not_translatable_icmp);
    Octets bad = icmp4("203.0.113.1", "198.18.0.2", icmp(11, 0, "00000000", quoted4()));
    bad.back() ^= 1;
    translated_to_v6(bad, Fate::icmp_checksum);
    translated_to_v6(ipv4("198.19.0.2", "198.18.0.2", 1, icmp(8, 0, "00010002", Octets(8)), 0x2000), Fate::icmp_fragment);
}

/// RFC 4884: a packet of 20 + 8 + `data` bytes, in an error with its length attribute at byte 5, and an extension.
Octets extended4(std::size_t data, const char* rest, const Octets& extension) {
    Octets quoted = with_checksum(ipv4("198.18.0.2", "198.19.0.2", 17, udp(data)), 17, 6);
    quoted.insert(quoted.end(), extension.begin(), extension.end());
    return translated_to_v6(icmp4("203.0.113.1", "198.18.0.2", icmp(11, 0, rest, quoted)));
}
const Octets extension = hex("20007a5d 00080101 186a1101");

TEST(SiitIcmp, R7915_4_2_Extension) {
    const Octets out = extended4(132, "00280000", extension);  // 160 bytes of IPv4, 180 of IPv6
    EXPECT_EQ(transport_sum(out, 58), 0xffff);
    EXPECT_EQ(Octets(out.begin() + 44, out.begin() + 48), hex("17000000"));  // 23 words of 8 bytes
    ASSERT_EQ(out.size(), 48u + 184 + extension.size());
    EXPECT_EQ(Octets(out.begin() + 48 + 180, out.begin() + 48 + 184), Octets(4, 0));
    EXPECT_EQ(Octets(out.end() - 12, out.end()), extension);
    EXPECT_EQ(extended4(132, "00280000", {}).size(), 48u + 180);  // it ends where the extension would be
    EXPECT_EQ(extended4(132, "00ff0000", extension).size(), 48u + 180);
    EXPECT_EQ(extended4(132, "00000000", extension).size(), 48u + 180);
    EXPECT_EQ(extended4(980, "00fc0000", Octets(240, 1))[44], 0);  // no room
}

TEST(SiitIcmp, R7915_5_2_Extension) {
    Octets quoted = with_checksum(ipv6(v6_host, v4_host, 17, udp(120)), 17, 6);  // 168 bytes, 148 of IPv4
    quoted.insert(quoted.end(), extension.begin(), extension.end());
    const Octets out = translated_to_v4(icmp6("2001:2::2", v4_host, icmp(3, 0, "15000000", quoted)));
    EXPECT_EQ(ones_sum(out, 20, out.size()), 0xffff);
    EXPECT_EQ(Octets(out.begin() + 24, out.begin() + 28), hex("00250000"));  // 37 words of 4 bytes
    EXPECT_EQ(Octets(out.end() - 12, out.end()), extension);
    EXPECT_EQ(out.size(), 28u + 148 + extension.size());
    const Octets none = translated_to_v4(icmp6("2001:2::2", v4_host, icmp(2, 0, "00000514", quoted)));
    EXPECT_EQ(none.size(), 28u + 148);  // RFC 4884 has none for Packet Too Big
}

TEST(SiitIcmp, R7915_QuotedEchoKeepsItsChecksum) {
    const Octets echo6 = icmp6(v6_host, v4_host, icmp(128, 0, "00010002", Octets(11, 0x61)));
    const Octets echo4 = icmp4("198.18.0.2", "198.19.0.2", icmp(8, 0, "00010002", Octets(11, 0x61)));
    const Octets out = translated_to_v6(icmp4("203.0.113.1", "198.18.0.2", icmp(11, 0, "00000000", echo4)));
    EXPECT_EQ(Octets(out.begin() + 48, out.end()), echo6);
}

TEST(IcmpError, TimeExceededQuotesTheCause) {
    Octets out(2048);
    const Octets cause = udp4(1000);
    const std::size_t size = make_icmpv4_error({11, 0, 0}, cause, *wire::parse_ipv4("198.18.255.1"), out);
    ASSERT_EQ(size, 576u);  // RFC 1812 §4.3.2.3
    out.resize(size);
    EXPECT_EQ(ones_sum(out, 0, 20), 0xffff);
    EXPECT_EQ(ones_sum(out, 20, size), 0xffff);
    EXPECT_TRUE(std::equal(out.begin() + 28, out.end(), cause.begin()));
    EXPECT_EQ(Octets(out.begin() + 12, out.begin() + 20), hex("c612ff01 c6120002"));
}

TEST(IcmpError, PacketTooBigIsAtMost1280Bytes) {
    Octets out(2048);
    const std::size_t size = make_icmpv6_error({2, 0, 1400}, udp6(1440), *wire::parse_ipv6("2001:db8::1"), out);
    ASSERT_EQ(size, 1280u);  // RFC 4443 §2.4 (c)
    out.resize(size);
    EXPECT_EQ(transport_sum(out, 58), 0xffff);
    EXPECT_EQ(get16(out, 46), 1400);
}

TEST(IcmpError, Rfc1812_4_3_2_7_NotAboutEverything) {
    Octets out(2048);
    const auto v4 = *wire::parse_ipv4("198.18.255.1");
    const auto v6 = *wire::parse_ipv6("2001:db8::1");
    EXPECT_EQ(make_icmpv4_error({11, 0, 0}, icmp4("198.18.0.2", "198.19.0.2", icmp(3, 3, "00000000", quoted4())), v4, out), 0u);
    EXPECT_EQ(make_icmpv4_error({11, 0, 0}, ipv4("198.18.0.2", "198.19.0.2", 17, udp(8), 5), v4, out), 0u);
    EXPECT_EQ(make_icmpv4_error({11, 0, 0}, ipv4("198.18.0.2", "224.0.0.1", 17, udp(8)), v4, out), 0u);
    EXPECT_EQ(make_icmpv6_error({3, 0, 0}, icmp6(v6_host, v4_host, icmp(1, 0, "00000000", quoted6())), v6, out), 0u);
    EXPECT_EQ(make_icmpv6_error({3, 0, 0}, ipv6("::", v4_host, 17, udp(8)), v6, out), 0u);
    EXPECT_NE(make_icmpv6_error({3, 0, 0}, icmp6(v6_host, v4_host, icmp(128, 0, "00000000", {})), v6, out), 0u);
}

}  // namespace
}  // namespace xlatperf::reference
