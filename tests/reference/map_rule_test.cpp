// The vectors of standards.md §4.5, and what is true of any rule.
#include "technologies/map_rule.h"

#include <gtest/gtest.h>

#include <random>

namespace xlatperf::reference {
namespace {

using namespace wire;

MapRule rule(const char* ipv6, const char* ipv4, unsigned ea_bits, unsigned psid_offset) {
    MapRule made;
    made.ipv6 = *parse_ipv6_prefix(ipv6);
    made.ipv4 = *parse_ipv4_prefix(ipv4);
    made.ea_bits = ea_bits;
    made.psid_offset = psid_offset;
    return made;
}

std::string address_of(const MapRule& rule, const char* ipv4, std::uint16_t port) {
    const Ce ce = rule.ce_of(*parse_ipv4(ipv4), port);
    return to_text(rule.map_address(ce, ce.ipv4.address));
}

TEST(ReferenceMapRule, R7597_A_Examples) {  // RFC 7597 Appendix A, examples 1 to 3
    const MapRule example = rule("2001:db8::/40", "192.0.2.0/24", 16, 6);
    EXPECT_EQ(example.psid_of(1232), 0x34);
    EXPECT_EQ(example.psid_of(64723), 0x34);
    EXPECT_NE(example.psid_of(1236), 0x34);
    EXPECT_FALSE(example.is_given(208));  // 0x34 with A = 0
    EXPECT_EQ(address_of(example, "192.0.2.18", 1232), "2001:db8:12:3400:0:c000:212:34");
    EXPECT_EQ(example.ea_of(*parse_ipv6("2001:db8:12:3400:0:c000:212:34")), 0x1234u);
    const Ce ce = example.ce_of_ea(0x1234);
    EXPECT_EQ(to_text(ce.ipv4), "192.0.2.18/32");
    EXPECT_EQ(ce.psid, 0x34);
}

TEST(ReferenceMapRule, PublishedAddresses) {
    const MapRule jool = rule("2001:db8:ce::/51", "192.0.2.0/24", 13, 0);
    EXPECT_EQ(address_of(jool, "192.0.2.2", 2048), "2001:db8:ce:41:0:c000:202:1");
    EXPECT_EQ(address_of(jool, "192.0.2.189", 18432), "2001:db8:ce:17a9:0:c000:2bd:9");
    EXPECT_EQ(address_of(jool, "192.0.2.80", 35336), "2001:db8:ce:a11:0:c000:250:11");
    EXPECT_EQ(address_of(rule("2001:2:0:4000::/50", "198.18.0.0/24", 14, 6), "198.18.0.9", 1360), "2001:2:0:4255:0:c612:9:15");
}

TEST(ReferenceMapRule, IdentifiersOfDraft03) {  // draft-ietf-softwire-map-03
    MapRule draft = rule("240b:10::/31", "106.72.0.0/15", 25, 4);
    const std::uint16_t port = 1 << 12 | 0x64 << 4;
    EXPECT_EQ(address_of(draft, "106.72.50.97", port), "240b:10:3261:6400:0:6a48:3261:64");
    draft.behind_psid = 8;
    EXPECT_EQ(address_of(draft, "106.72.50.97", port), "240b:10:3261:6400:6a:4832:6100:6400");
    EXPECT_EQ(to_text(*ipv4_in(draft, *parse_ipv6("240b:10:3261:6400:6a:4832:6100:6400"))), "106.72.50.97");
    MapRule beyond = rule("2001:db8::/73", "192.0.2.0/24", 0, 6);
    EXPECT_TRUE(ipv4_in(beyond, *parse_ipv6("2001:db8::")));
    beyond.behind_psid = 8;
    EXPECT_FALSE(ipv4_in(beyond, *parse_ipv6("2001:db8::"))) << "the end-user prefix has a bit of it";
}

TEST(ReferenceMapRule, R7597_A_4_And_5) {  // full address; no EA bits and a provisioned PSID
    EXPECT_EQ(address_of(rule("2001:db8:12:3400::/56", "192.0.2.18/32", 0, 6), "192.0.2.18", 1), "2001:db8:12:3400:0:c000:212:0");
    MapRule provisioned = rule("2001:db8:12:3400::/56", "192.0.2.18/32", 0, 6);
    provisioned.psid = 0x34;
    provisioned.provisioned_length = 8;
    EXPECT_EQ(address_of(provisioned, "192.0.2.18", 1232), "2001:db8:12:3400:0:c000:212:34");
    EXPECT_TRUE(provisioned.has(provisioned.ce_of_ea(0), 1232));
    EXPECT_FALSE(provisioned.has(provisioned.ce_of_ea(0), 1236));
}

TEST(ReferenceMapRule, EndUserPrefixesBeyond64BitsTakeTheIdentifiersPlace) {
    const MapRule long_one = rule("2001:db8::/96", "192.0.2.0/24", 16, 6);
    EXPECT_EQ(address_of(long_one, "192.0.2.18", 1232), "2001:db8::1234:34");
    EXPECT_EQ(address_of(rule("2001:db8::/112", "192.0.2.0/24", 16, 6), "192.0.2.18", 1232), "2001:db8::1234");
    EXPECT_FALSE(ipv4_in(long_one, {}));
}

TEST(ReferenceMapRule, WhoHasAnAddressAndPortIsWhoTheMapAddressSays) {
    std::mt19937 random(1);
    const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    unsigned tried = 0, prefixes = 0;
    while (tried < 2000) {
        MapRule any;
        any.ipv4 = {{static_cast<std::uint32_t>(random())}, below(33)};
        any.ipv6 = {{Bits128{random()} << 96}, 1 + below(64)};
        any.ea_bits = below(49);
        any.psid_offset = below(16);
        if (any.psid_offset + any.psid_length() > 16 || any.end_user_length() > 128) continue;
        ++tried;
        const Ipv4Address address{any.ipv4.network().value |
                                  (any.ipv4.length == 32 ? 0 : static_cast<std::uint32_t>(random()) >> any.ipv4.length)};
        const auto port = static_cast<std::uint16_t>(random());
        const Ce ce = any.ce_of(address, port);
        prefixes += ce.ipv4.length < 32 ? 1 : 0;
        EXPECT_TRUE(ce.ipv4.contains(address));
        const Ipv6Address map_address = any.map_address(ce, address);
        EXPECT_TRUE(any.ipv6.contains(map_address));
        const Ce again = any.ce_of_ea(any.ea_of(map_address));
        EXPECT_EQ(again.ipv4, ce.ipv4);
        EXPECT_EQ(again.psid, ce.psid);
        EXPECT_TRUE(any.has(again, port) || !any.is_given(port));
        if (any.end_user_length() <= 80) {
            EXPECT_EQ(ipv4_in(any, map_address), address);
        }
    }
    EXPECT_GT(prefixes, 100u);
}

}  // namespace
}  // namespace xlatperf::reference
