// standards.md §4.3: RFC 7915 §4.1, §4.5, §5.1, §5.5.
#include "translate/siit.h"

#include <gtest/gtest.h>

#include "packets.h"

namespace xlatperf::reference {
namespace {

using namespace test;

constexpr const char* golden_data = "0001 0203 0405 0607 0809 0a0b 0c0d 0e0f 1011";
const Octets golden_ipv6 = hex(std::string("6b80 0000 001a 110a 20010002000000000000000000000002 20010002000010000000000000000002"
                                           "c020 0007 001a a737") +
                               golden_data);
const Octets golden_ipv4_sent =
    hex(std::string("45b8 002e 0000 0000 0a11 23de c6120002 c6130002 c020 0007 001a 6b17") + golden_data);

Siit eam_siit() {
    Siit siit;
    siit.map = AddressMap({}, {{*wire::parse_ipv4_prefix("198.18.0.0/24"), *wire::parse_ipv6_prefix("2001:2::/120")},
                               {*wire::parse_ipv4_prefix("198.19.0.0/24"), *wire::parse_ipv6_prefix("2001:2:0:1000::/120")}});
    return siit;
}

struct Outcome {
    Result result;
    Octets packet;
};
Outcome to_v6(const Octets& in, const Siit& siit = eam_siit()) {
    Octets out(in.size() + translation_room, 0xee);
    const Result r = translate_v4_to_v6(siit, in, out);
    out.resize(r.size);
    return {r, out};
}
Outcome to_v4(const Octets& in, const Siit& siit = eam_siit(), std::uint16_t identification = 0) {
    Octets out(in.size() + translation_room, 0xee);
    const Result r = translate_v6_to_v4(siit, in, out, identification);
    out.resize(r.size);
    return {r, out};
}

TEST(Siit, R7915_GoldenVectorIpv6ToIpv4) {
    const auto [result, packet] = to_v4(golden_ipv6);
    ASSERT_EQ(result.fate, Fate::forwarded);
    EXPECT_EQ(packet, hex(std::string("45b8 002e 0000 0000 0911 24de c6120002 c6130002 c020 0007 001a 6b17") + golden_data));
}

TEST(Siit, R7915_GoldenVectorIpv4ToIpv6) {
    const auto [result, packet] = to_v6(golden_ipv4_sent);
    ASSERT_EQ(result.fate, Fate::forwarded);
    Octets expected = golden_ipv6;
    expected[7] = 9;
    EXPECT_EQ(packet, expected);
}

TEST(Siit, R7915_4_1_Rows) {
    const auto [result, packet] = to_v6(udp4(100, 0x4000));
    ASSERT_EQ(result.fate, Fate::forwarded);
    EXPECT_EQ(packet.size(), 148u);
    EXPECT_EQ(get16(packet, 0), 0x6b80);  // version, traffic class 0xb8
    EXPECT_EQ(get16(packet, 2), 0);       // flow label
    EXPECT_EQ(get16(packet, 4), 108);     // payload length
    EXPECT_EQ(packet[6], 17);
    EXPECT_EQ(packet[7], 9);
    EXPECT_EQ(transport_sum(packet, 17), 0xffff);
}

TEST(Siit, R7915_4_1_OptionsAreIgnored) {
    Octets in = udp4(20);
    in[0] = 0x46;
    in.insert(in.begin() + 20, {1, 1, 1, 0});
    put16(in, 2, in.size());
    put16(in, 10, 0);
    put16(in, 10, static_cast<std::uint16_t>(~ones_sum(in, 0, 24)));
    const auto [result, packet] = to_v6(in);
    ASSERT_EQ(result.fate, Fate::forwarded);
    EXPECT_EQ(packet.size(), 40u + 28);
    EXPECT_EQ(transport_sum(packet, 17), 0xffff);
}

TEST(Siit, R7915_4_1_UnexpiredSourceRouteIsRefused) {
    Octets in = udp4(20);
    in[0] = 0x47;
    in.insert(in.begin() + 20, {131, 7, 4, 198, 18, 0, 9, 0});
    put16(in, 2, in.size());
    put16(in, 10, 0);
    put16(in, 10, static_cast<std::uint16_t>(~ones_sum(in, 0, 28)));
    EXPECT_EQ(to_v6(in).result.fate, Fate::source_route);
    in[22] = 8;  // expired: the pointer is behind the list
    put16(in, 10, 0);
    put16(in, 10, static_cast<std::uint16_t>(~ones_sum(in, 0, 28)));
    EXPECT_EQ(to_v6(in).result.fate, Fate::forwarded);
}

TEST(Siit, R7915_4_1_TtlEndsHere) {
    EXPECT_EQ(to_v6(with_checksum(ipv4("198.18.0.2", "198.19.0.2", 17, udp(18), 0, 1), 17, 6)).result.fate, Fate::hop_limit);
    EXPECT_EQ(to_v4(with_checksum(ipv6("2001:2::2", "2001:2:0:1000::2", 17, udp(18), 1), 17, 6)).result.fate, Fate::hop_limit);
    EXPECT_EQ(to_v6(with_checksum(ipv4("198.18.0.2", "198.19.0.2", 17, udp(18), 0, 2), 17, 6)).result.fate, Fate::forwarded);
}

TEST(Siit, R7915_4_1_FragmentsGetAFragmentHeader) {
    Octets first = udp(24);
    put16(first, 6, 0x4321);
    const auto [result, packet] = to_v6(ipv4("198.18.0.2", "198.19.0.2", 17, first, 0x2000));
    ASSERT_EQ(result.fate, Fate::forwarded);
    EXPECT_EQ(packet[6], 44);
    EXPECT_EQ(packet[40], 17);
    EXPECT_EQ(get16(packet, 42), 1);  // offset 0, more
    EXPECT_EQ(get16(packet, 44), 0);  // the high bits of the identification
    EXPECT_EQ(get16(packet, 46), 0x1234);
    const Octets later_in = ipv4("198.18.0.2", "198.19.0.2", 17, Octets(16, 0x55), 185);
    const auto later = to_v6(later_in);
    ASSERT_EQ(later.result.fate, Fate::forwarded);
    EXPECT_EQ(get16(later.packet, 42), 185 << 3);
    EXPECT_EQ(Octets(later.packet.begin() + 48, later.packet.end()), Octets(16, 0x55));
}

TEST(Siit, R7915_4_1_MtuAndDontFragment) {
    EXPECT_EQ(to_v6(udp4(1232)).result.fragment_at, 0u);     // 1280 bytes of IPv6
    EXPECT_EQ(to_v6(udp4(1233)).result.fragment_at, 1280u);  // 1281, DF 0
    EXPECT_EQ(to_v6(udp4(1233)).result.identification, 0x1234u) << "of the fragments: that of the packet";
    EXPECT_EQ(to_v6(udp4(1233, 0x4000)).result.fragment_at, 0u);
    Siit siit = eam_siit();
    siit.lowest_ipv6_mtu = 1500;
    EXPECT_EQ(to_v6(udp4(1233), siit).result.fragment_at, 0u);
    const Result refused = to_v6(udp4(1472, 0x4000)).result;  // 1500 bytes become 1520
    EXPECT_EQ(refused.fate, Fate::too_big);
    EXPECT_EQ(refused.detail, 1480u);
}

TEST(Siit, R7915_5_1_DontFragmentAbove1260) {
    const auto small = to_v4(udp6(1232));  // IPv6 1280 bytes, IPv4 1260
    EXPECT_EQ(get16(small.packet, 6), 0);
    const auto large = to_v4(udp6(1233));
    EXPECT_EQ(get16(large.packet, 6), 0x4000);
    EXPECT_EQ(ones_sum(large.packet, 0, 20), 0xffff);
    EXPECT_EQ(transport_sum(large.packet, 17), 0xffff);
    EXPECT_EQ(get16(to_v4(udp6(18), eam_siit(), 77).packet, 4), 77);
}

TEST(Siit, R7915_5_1_Mtu) {
    Siit siit = eam_siit();
    siit.ipv4_mtu = 1000;
    EXPECT_EQ(to_v4(udp6(1232), siit).result.fragment_at, 1000u);
    const Result refused = to_v4(udp6(1300), siit).result;
    EXPECT_EQ(refused.fate, Fate::too_big);
    EXPECT_EQ(refused.detail, 1280u);
    siit.ipv4_mtu = 1400;
    EXPECT_EQ(to_v4(udp6(1400), siit).result.detail, 1420u);
}

TEST(Siit, R7915_5_1_1_FragmentHeader) {
    Octets payload = hex("11 00 05c9 deadbeef");
    const Octets data(32, 0x77);
    payload.insert(payload.end(), data.begin(), data.end());
    const auto [result, packet] = to_v4(ipv6("2001:2::2", "2001:2:0:1000::2", 44, payload));
    ASSERT_EQ(result.fate, Fate::forwarded);
    EXPECT_EQ(packet.size(), 52u);
    EXPECT_EQ(packet[9], 17);
    EXPECT_EQ(get16(packet, 4), 0xbeef);
    EXPECT_EQ(get16(packet, 6), 0x2000 | 0x5c9 >> 3);
}

TEST(Siit, R7915_5_1_ExtensionHeaders) {
    Octets payload = hex("3c 00 0104 00000000  11 00 0104 00000000");  // hop-by-hop, destination options
    const Octets plain = udp6(18);
    payload.insert(payload.end(), plain.begin() + 40, plain.end());
    const auto [result, packet] = to_v4(ipv6("2001:2::2", "2001:2:0:1000::2", 0, payload));
    ASSERT_EQ(result.fate, Fate::forwarded);
    EXPECT_EQ(packet.size(), 46u);
    EXPECT_EQ(transport_sum(packet, 17), 0xffff);

    Octets routing = hex("11 00 04 01 00000000");
    routing.insert(routing.end(), plain.begin() + 40, plain.end());
    const auto refused = to_v4(ipv6("2001:2::2", "2001:2:0:1000::2", 43, routing));
    EXPECT_EQ(refused.result.fate, Fate::routing_header);
    EXPECT_EQ(refused.result.detail, 43u);  // the pointer: Segments Left
    routing[3] = 0;
    EXPECT_EQ(to_v4(ipv6("2001:2::2", "2001:2:0:1000::2", 43, routing)).result.fate, Fate::forwarded);
}

TEST(Siit, R7915_4_5_UdpChecksumZero) {
    Octets in = udp4(18);
    put16(in, 26, 0);
    EXPECT_EQ(to_v6(in).result.fate, Fate::udp_checksum_zero);
    Siit siit = eam_siit();
    siit.compute_udp_checksum_zero = true;
    const auto [result, packet] = to_v6(in, siit);
    ASSERT_EQ(result.fate, Fate::forwarded);
    EXPECT_EQ(transport_sum(packet, 17), 0xffff);
    in = ipv4("198.18.0.2", "198.19.0.2", 17, udp(24), 0x2000);  // a first fragment, checksum 0
    put16(in, 26, 0);
    EXPECT_EQ(to_v6(in, siit).result.fate, Fate::udp_checksum_zero);
    Octets in6 = udp6(18);
    put16(in6, 46, 0);
    EXPECT_EQ(to_v4(in6).result.fate, Fate::udp_checksum_zero);
}

TEST(Siit, R768_ComputedZeroIsSentAsOnes) {
    // A source port that makes the translated checksum zero: found by trying all.
    bool found = false;
    for (unsigned port = 0; port < 65536 && !found; ++port) {
        const auto out =
            to_v6(with_checksum(ipv4("198.18.0.2", "198.19.0.2", 17, udp(2, static_cast<std::uint16_t>(port))), 17, 6));
        EXPECT_NE(get16(out.packet, 46), 0);
        found = get16(out.packet, 46) == 0xffff;
    }
    EXPECT_TRUE(found);
}

TEST(Siit, R7915_5_5_Tcp) {
    Octets tcp(24);
    put16(tcp, 0, 1024);
    put16(tcp, 2, 80);
    tcp[12] = 0x50;
    const auto six = to_v6(with_checksum(ipv4("198.18.0.2", "198.19.0.2", 6, tcp), 6, 16));
    EXPECT_EQ(transport_sum(six.packet, 6), 0xffff);
    const auto four = to_v4(with_checksum(ipv6("2001:2::2", "2001:2:0:1000::2", 6, tcp), 6, 16));
    EXPECT_EQ(transport_sum(four.packet, 6), 0xffff);
}

TEST(Siit, R7915_4_5_DamagedStaysDamaged) {
    Octets in = udp4(18);
    in.back() ^= 1;
    EXPECT_NE(transport_sum(to_v6(in).packet, 17), 0xffff);
}

TEST(Siit, UnmappedAddressesAndBadHeaders) {
    EXPECT_EQ(to_v6(with_checksum(ipv4("198.18.1.2", "198.19.0.2", 17, udp(18)), 17, 6)).result.fate,
              Fate::not_translatable_address);
    EXPECT_EQ(to_v4(with_checksum(ipv6("2001:db8::1", "2001:2::2", 17, udp(18)), 17, 6)).result.fate,
              Fate::not_translatable_address);
    Octets in = udp4(18);
    in[10] ^= 1;
    EXPECT_EQ(to_v6(in).result.fate, Fate::ipv4_checksum);
    in = udp4(18);
    in.resize(30);
    EXPECT_EQ(to_v6(in).result.fate, Fate::malformed);
}

TEST(Siit, Rfc6052_PrefixOfEachLengthThroughTranslation) {
    for (const char* prefix : {"2001:db8::/32", "2001:db8:100::/40", "2001:db8:122::/48", "2001:db8:122:300::/56",
                               "2001:db8:122:344::/64", "2001:db8:122:344::/96"}) {
        Siit siit;
        siit.map = AddressMap(wire::parse_ipv6_prefix(prefix), {});
        const auto six = to_v6(udp4(18), siit);
        ASSERT_EQ(six.result.fate, Fate::forwarded) << prefix;
        EXPECT_EQ(transport_sum(six.packet, 17), 0xffff) << prefix;
        const auto back = to_v4(six.packet, siit, 0x1234);
        ASSERT_EQ(back.result.fate, Fate::forwarded) << prefix;
        Octets expected = udp4(18);
        expected[8] = 8;
        put16(expected, 10, 0);
        put16(expected, 10, static_cast<std::uint16_t>(~ones_sum(expected, 0, 20)));
        EXPECT_EQ(back.packet, expected) << prefix;
    }
}

}  // namespace
}  // namespace xlatperf::reference
