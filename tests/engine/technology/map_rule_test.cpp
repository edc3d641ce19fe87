#include "technology/map_rule.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

namespace xlatperf::technology {
namespace {

MapRule rule(const char* ipv6, const char* ipv4, unsigned ea_bits, unsigned offset) {
    MapRule made;
    made.ipv6 = *wire::parse_ipv6_prefix(ipv6);
    made.ipv4 = *wire::parse_ipv4_prefix(ipv4);
    made.ea_bits = ea_bits;
    made.psid_offset = offset;
    return made;
}

std::uint64_t ea(const MapRule& of, const char* address, std::uint16_t psid) {
    const auto ipv4 = *wire::parse_ipv4(address);
    return std::uint64_t{ipv4.value & ((1U << (32 - of.ipv4.length)) - 1)} << of.psid_length() | psid;
}

// RFC 7597 Appendix A, examples 1 to 3; RFC 7599 Appendix A has the same rule.
TEST(MapRule, Rfc7597Examples1To3) {
    const MapRule r = rule("2001:db8::/40", "192.0.2.0/24", 16, 6);
    EXPECT_EQ(r.problem(), "");
    EXPECT_EQ(r.psid_length(), 8U);
    EXPECT_EQ(r.end_user_length(), 56U);
    const MapCe ce = r.ce(0x1234);
    EXPECT_EQ(wire::to_text(ce.ipv4), "192.0.2.18");
    EXPECT_EQ(ce.ports.psid(), 0x34);
    EXPECT_EQ(wire::to_text(ce.ipv6), "2001:db8:12:3400:0:c000:212:34");
    EXPECT_EQ(ce.ports.ports(), 252U);
    const std::vector<std::uint16_t> first = {1232, 1233, 1234, 1235, 2256}, last = {64720, 64721, 64722, 64723};
    for (std::uint32_t i = 0; i < first.size(); ++i) EXPECT_EQ(ce.ports.port(i), first[i]);
    for (std::uint32_t i = 0; i < last.size(); ++i) EXPECT_EQ(ce.ports.port(248 + i), last[i]);
    EXPECT_EQ(ce.ports.port(247), 63699);
    EXPECT_EQ(r.ea_of(ce.ipv4, 1232), 0x1234U);
    EXPECT_EQ(r.ea_of(ce.ipv6), 0x1234U);
    EXPECT_FALSE(r.ea_of(ce.ipv4, 208)) << "A = 0";
}

// RFC 7597 Appendix A, example 4: a CE with a full address; example 5: the PSID is provisioned. The corrected values of the
// requirements page: RFC 7599's own examples contradict themselves.
TEST(MapRule, Rfc7597Examples4And5) {
    const MapRule full = rule("2001:db8:12:3400::/56", "192.0.2.18/32", 0, 6);
    EXPECT_EQ(full.problem(), "");
    EXPECT_EQ(wire::to_text(full.ce(0).ipv6), "2001:db8:12:3400:0:c000:212:0");
    EXPECT_EQ(full.ce(0).ports.psid_length(), 0U);
    MapRule given = full;
    given.psid = 0x34;
    given.psid_length_given = 8;
    EXPECT_EQ(given.problem(), "");
    EXPECT_EQ(wire::to_text(given.ce(0).ipv6), "2001:db8:12:3400:0:c000:212:34");
    EXPECT_EQ(given.ea_of(given.ce(0).ipv4, 1232), 0U);
    EXPECT_FALSE(given.ea_of(given.ce(0).ipv4, 1236));
}

// Of draft-ietf-softwire-map-03, as large providers still use it: 8 bits further to the left.
TEST(MapRule, IdentifiersOfDraft03) {
    MapRule r = rule("240b:10::/31", "106.72.0.0/15", 25, 4);
    const std::uint64_t number = ea(r, "106.72.50.97", 0x64);
    EXPECT_EQ(wire::to_text(r.ce(number).ipv6), "240b:10:3261:6400:0:6a48:3261:64");
    r.identifier = IdentifierFormat::draft03;
    EXPECT_EQ(wire::to_text(r.ce(number).ipv6), "240b:10:3261:6400:6a:4832:6100:6400");
    EXPECT_EQ(r.ea_of(r.ce(number).ipv6), number);
    MapRule beyond = rule("2001:db8::/72", "192.0.2.0/24", 0, 6);  // a prefix: RFC 7597 §6
    beyond.identifier = IdentifierFormat::draft03;
    EXPECT_EQ(wire::to_text(beyond.ce(0).ipv6), "2001:db8::c0:2:0:0") << "the end-user prefix has the first 8 bits";
}

// Jool's documentation of MAP-T.
TEST(MapRule, Jool) {
    MapRule r = rule("2001:db8:ce::/51", "192.0.2.0/24", 13, 0);
    EXPECT_EQ(r.psid_length(), 5U);
    EXPECT_EQ(ea(r, "192.0.2.2", 1), 0x41U);
    EXPECT_EQ(wire::to_text(r.ce(0x41).ipv6), "2001:db8:ce:41:0:c000:202:1");
    EXPECT_EQ(r.ce(0x41).ports.port(0), 2048);
    EXPECT_EQ(r.ce(0x41).ports.port(r.ce(0x41).ports.ports() - 1), 4095);
    r.psid_offset = 6;
    const flow::PortSet ports = r.ce(0x41).ports;
    EXPECT_EQ(ports.ports(), 2016U);
    EXPECT_EQ(ports.port(0), 1056);
    EXPECT_EQ(ports.port(31), 1087);
    EXPECT_EQ(ports.port(32), 2080);
    EXPECT_EQ(ports.port(2015), 64575);
}

// The packets of the Mapperf paper.
TEST(MapRule, Mapperf) {
    const MapRule r = rule("2001:db8:ce::/51", "192.0.2.0/24", 13, 0);
    const auto nine = ea(r, "192.0.2.189", 9);
    EXPECT_EQ(wire::to_text(r.ce(nine).ipv6), "2001:db8:ce:17a9:0:c000:2bd:9");
    EXPECT_EQ(r.ce(nine).ports.port(0), 18432);
    EXPECT_EQ(r.ce(nine).ports.port(2047), 20479);
    const auto other = r.ea_of(*wire::parse_ipv4("192.0.2.80"), 35336);
    ASSERT_TRUE(other);
    EXPECT_EQ(wire::to_text(r.ce(*other).ipv6), "2001:db8:ce:a11:0:c000:250:11");
}

// RFC 7597 Appendix B.2, and a rule in the benchmark range.
TEST(PortSet, GeneralizedModulus) {
    const flow::PortSet b2(6, 8, 0);
    EXPECT_EQ(b2.port(0), 1024);
    EXPECT_EQ(b2.port(3), 1027);
    EXPECT_EQ(b2.port(4), 2048);
    EXPECT_EQ(b2.port(b2.ports() - 1), 64515);
    const flow::PortSet contiguous(0, 6, 0);
    EXPECT_EQ(contiguous.port(0), 0);
    EXPECT_EQ(contiguous.ports(), 1024U);
    const MapRule r = rule("2001:2:0:4000::/50", "198.18.0.0/24", 14, 6);
    const MapCe ce = r.ce(0x255);
    EXPECT_EQ(wire::to_text(ce.ipv4), "198.18.0.9");
    EXPECT_EQ(wire::to_text(ce.ipv6), "2001:2:0:4255:0:c612:9:15");
    EXPECT_EQ(ce.ports.port(0), 1360);
    EXPECT_EQ(ce.ports.ports(), 1008U);
}

// A CE with an IPv4 prefix: the address in its IPv6 address is padded with zeros (RFC 7597 §6).
TEST(MapRule, PrefixOfAddresses) {
    const MapRule r = rule("2001:db8::/40", "192.0.0.0/16", 8, 6);
    EXPECT_EQ(r.ce_ipv4_length(), 24U);
    EXPECT_EQ(wire::to_text(r.ce(0x12).ipv4), "192.0.18.0");
    EXPECT_EQ(wire::to_text(r.ce(0x12).ipv6), "2001:db8:12::c000:1200:0");
    EXPECT_EQ(r.ea_of(*wire::parse_ipv4("192.0.18.77"), 5), 0x12U) << "no PSID: any port";
}

TEST(MapRule, Problems) {
    EXPECT_NE(rule("2001:db8::/40", "192.0.2.0/24", 49, 6).problem(), "");
    EXPECT_NE(rule("2001:db8::/40", "192.0.2.0/24", 16, 16).problem(), "");
    EXPECT_NE(rule("2001:db8::/40", "192.0.2.0/24", 20, 6).problem(), "") << "a PSID of 12 bits and an offset of 6";
    EXPECT_NE(rule("2001:db8::/96", "192.0.2.0/24", 40, 0).problem(), "");
    MapRule given = rule("2001:db8::/40", "192.0.2.0/24", 16, 6);
    given.psid = 1;
    EXPECT_NE(given.problem(), "");
}

// The CEs of a rule partition the ports of its addresses (RFC 7597 §5.1), and all directions of the arithmetic agree.
TEST(MapRule, RandomRules) {
    std::mt19937_64 random(7);
    const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    int tried = 0;
    for (int i = 0; i < 4000 && tried < 1500; ++i) {
        MapRule r;
        r.ipv4 = {wire::Ipv4Address{static_cast<std::uint32_t>(random())}, below(33)};
        r.ipv6 = {wire::Ipv6Address{static_cast<wire::Bits128>(random()) << 64 | random()}, below(100)};
        r.ea_bits = below(49);
        r.psid_offset = below(16);
        if (below(2) == 1) r.identifier = IdentifierFormat::draft03;
        if (!r.problem().empty()) continue;
        ++tried;
        const std::uint64_t number = random() % r.ces();
        const MapCe ce = r.ce(number);
        EXPECT_TRUE(r.ipv4.contains(ce.ipv4));
        EXPECT_TRUE(r.ipv6.contains(ce.ipv6));
        EXPECT_EQ(r.ea_of(ce.ipv6), number);
        const auto compiled = r.subscribers(false);
        EXPECT_EQ(compiled.numbers(), r.ces());
        EXPECT_EQ(compiled.host_bits, 32 - ce.ipv4_length);
        for (int j = 0; j < 5; ++j) {
            const auto port = ce.ports.port(static_cast<std::uint32_t>(random() % ce.ports.ports()));
            EXPECT_TRUE(ce.ports.contains(port));
            EXPECT_EQ(r.ea_of(ce.ipv4, port), number);
        }
    }
    EXPECT_GE(tried, 500);
}

TEST(PortSet, PartitionsThePorts) {
    for (const unsigned offset : {0U, 4U, 6U, 15U}) {
        for (const unsigned length : {0U, 1U, 5U, 8U}) {
            if (offset + length > 16) continue;
            std::vector<int> owners(65536, 0);
            for (std::uint32_t psid = 0; psid < (1U << length); ++psid) {
                const flow::PortSet set(offset, length, static_cast<std::uint16_t>(psid));
                std::uint32_t before = 0;
                for (std::uint32_t i = 0; i < set.ports(); ++i) {
                    const std::uint16_t port = set.port(i);
                    EXPECT_TRUE(i == 0 || port > before);
                    before = port;
                    ++owners[port];
                    EXPECT_TRUE(set.contains(port));
                }
            }
            const std::uint32_t first = offset == 0 ? 0 : 1U << (16 - offset);
            for (std::uint32_t port = 0; port < 65536; ++port) EXPECT_EQ(owners[port], port >= first ? 1 : 0);
        }
    }
}

}  // namespace
}  // namespace xlatperf::technology
