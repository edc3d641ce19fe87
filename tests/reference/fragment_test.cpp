// RFC 791 §3.2, RFC 8200 §4.5, RFC 7915 §4.1.
#include "translate/fragment.h"

#include <gtest/gtest.h>

#include "packets.h"

namespace xlatperf::reference {
namespace {

using namespace test;

struct Collected {
    std::vector<Octets> fragments;
    TakeFragment take = [this](Bytes headers, Bytes payload) {
        Octets one(headers.begin(), headers.end());
        one.insert(one.end(), payload.begin(), payload.end());
        fragments.push_back(one);
        return true;
    };
};

TEST(Fragment, R7915_4_1_Ipv6FragmentsOfAtMost1280Bytes) {
    const Octets packet = udp6(1452);  // 1500 bytes
    Collected c;
    ASSERT_TRUE(fragment_ipv6(packet, 1280, 0xabcd, c.take));
    ASSERT_EQ(c.fragments.size(), 2u);
    Octets joined;
    for (const Octets& f : c.fragments) {
        EXPECT_LE(f.size(), 1280u);
        EXPECT_EQ(f[6], 44);
        EXPECT_EQ(f[40], 17);
        EXPECT_EQ(get16(f, 4), f.size() - 40);
        EXPECT_EQ(get16(f, 46), 0xabcd);
        EXPECT_EQ(get16(f, 42) >> 3 << 3, joined.size());
        joined.insert(joined.end(), f.begin() + 48, f.end());
    }
    EXPECT_EQ(get16(c.fragments[0], 42) & 1, 1);
    EXPECT_EQ(get16(c.fragments[1], 42) & 1, 0);
    EXPECT_EQ(joined, Octets(packet.begin() + 40, packet.end()));
}

TEST(Fragment, Ipv4) {
    const Octets packet = udp4(1232);
    Collected c;
    ASSERT_TRUE(fragment_ipv4(packet, 576, c.take));
    ASSERT_EQ(c.fragments.size(), 3u);
    Octets joined;
    for (const Octets& f : c.fragments) {
        EXPECT_LE(f.size(), 576u);
        EXPECT_EQ(get16(f, 2), f.size());
        EXPECT_EQ(ones_sum(f, 0, 20), 0xffff);
        EXPECT_EQ((get16(f, 6) & 0x1fff) * 8u, joined.size());
        EXPECT_EQ((get16(f, 6) & 0x2000) != 0, &f != &c.fragments.back());
        joined.insert(joined.end(), f.begin() + 20, f.end());
    }
    EXPECT_EQ(joined, Octets(packet.begin() + 20, packet.end()));
}

TEST(Fragment, AFragmentIsCutAgain) {
    Octets payload = hex("11 00 0011 00001234");  // offset 16, more
    payload.resize(8 + 1400);
    Collected c;
    ASSERT_TRUE(fragment_ipv6(ipv6("2001:2::2", "2001:2:0:1000::2", 44, payload), 1280, 1, c.take));
    ASSERT_EQ(c.fragments.size(), 2u);
    EXPECT_EQ(get16(c.fragments[0], 42), 0x11);
    EXPECT_EQ(get16(c.fragments[1], 42), (16 + 1232) | 1);
    EXPECT_EQ(get16(c.fragments[1], 46), 0x1234);
    EXPECT_FALSE(fragment_ipv6(payload, 1280, 1, c.take));
}

}  // namespace
}  // namespace xlatperf::reference
