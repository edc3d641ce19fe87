// R4814-4.2, R4814-4.2.1, R4814-3.2: MAC addresses of the hosts.
#include "frame/source_macs.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

#include "frame/streams.h"

namespace xlatperf::frame {
namespace {

// "(RR & 0xFC):PP:PP:RR:RR:RR", P from 1 on: neither multicast nor locally administered.
TEST(SourceMacs, HaveTheInterfaceInTheirMiddle) {
    const SourceMacs left(flow::Side::left, 1), right(flow::Side::right, 1);
    for (std::uint32_t host = 0; host < 1000; ++host) {
        for (const auto& [macs, number] : {std::pair{left, 1}, std::pair{right, 2}}) {
            const wire::Mac mac = macs(host);
            EXPECT_EQ(mac[0] & 3, 0);
            EXPECT_EQ(mac[1], 0);
            EXPECT_EQ(mac[2], number);
        }
    }
}

TEST(SourceMacs, FollowFromTheAddressAndTheSeed) {
    const wire::Bits128 host = wire::parse_ipv6("2001:2::2")->value;
    EXPECT_EQ(SourceMacs(flow::Side::left, 1)(host), SourceMacs(flow::Side::left, 1)(host));
    EXPECT_NE(SourceMacs(flow::Side::left, 1)(host), SourceMacs(flow::Side::left, 2)(host));
    EXPECT_NE(SourceMacs(flow::Side::left, 1)(host), SourceMacs(flow::Side::left, 1)(host + 1));
    EXPECT_NE(SourceMacs(flow::Side::left, 1)(host), SourceMacs(flow::Side::left, 1)(host + (wire::Bits128{1} << 64)));
}

// Each of the 30 bits is set in half of them, and hardly any two hosts have the same: 2^16 of 2^30 make two such pairs.
TEST(SourceMacs, AreUniform) {
    constexpr unsigned hosts = 1 << 16;
    const SourceMacs macs(flow::Side::left, 1);
    std::set<wire::Mac> different;
    std::array<unsigned, 48> set{};
    for (std::uint32_t host = 0; host < hosts; ++host) {
        const wire::Mac mac = macs(0xc6120000U + host);
        different.insert(mac);
        for (unsigned bit = 0; bit < 48; ++bit) set[bit] += (mac[bit / 8] >> bit % 8 & 1U) != 0 ? 1U : 0U;
    }
    EXPECT_GT(different.size(), hosts - 20);
    for (const unsigned byte : {0U, 3U, 4U, 5U}) {
        for (unsigned bit = byte == 0 ? 2 : 0; bit < 8; ++bit)
            EXPECT_NEAR(set[8 * byte + bit], hosts / 2, 1000) << byte << " " << bit;
    }
}

TEST(SourceMacs, AreWrittenForTheSourceOfAFrame) {
    const SourceMacs macs(flow::Side::right, 7);
    Bytes ipv4(Image::head), ipv6(Image::head);
    ipv4[wire::ethernet::size] = 0x45;
    wire::Ipv4Address{0xc6130002}.store(&ipv4[wire::ethernet::size + wire::ipv4::source]);
    ipv6[wire::ethernet::size] = 0x60;
    wire::parse_ipv6("2001:2::2")->store(&ipv6[wire::ethernet::size + wire::ipv6::source]);
    Bytes ipv4_before = ipv4, ipv6_before = ipv6;
    macs.write(ipv4.data());
    macs.write(ipv6.data());
    const auto written = [](Bytes before, const wire::Mac& mac) {
        std::copy(mac.begin(), mac.end(), before.begin() + wire::ethernet::source);
        return before;
    };
    EXPECT_EQ(ipv4, written(ipv4_before, macs(0xc6130002)));
    EXPECT_EQ(ipv6, written(ipv6_before, macs(wire::parse_ipv6("2001:2::2")->value)));
}

}  // namespace
}  // namespace xlatperf::frame
