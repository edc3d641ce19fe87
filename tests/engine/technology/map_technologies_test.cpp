// MAP-E and MAP-T as requests ask for them: who is named on which link, what is routed, what is refused.
#include <gtest/gtest.h>

#include "technology/forwarded.h"
#include "technology/map_rule.h"
#include "technology/read_technology.h"
#include "technology/texts.h"
#include "technology/translated.h"
#include "technology/tunnelled.h"

namespace xlatperf::technology {
namespace {

// RFC 7597 Appendix A, example 1, and RFC 7599 Appendix A with the same rule.
const std::string example = R"("ipv6": "2001:db8::/40", "ipv4": "192.0.2.0/24", "ea_bits": 16, "psid_offset": 6)";
std::string map_e(const std::string& domain, const std::string& role = "br") {
    return R"({"name": "map-e", "role": ")" + role + R"(", "domains": [{)" + domain + R"(, "br": "2001:db8:ffff::1"}]})";
}
std::string map_t(const std::string& domain, const std::string& role = "br") {
    return R"({"name": "map-t", "role": ")" + role + R"(", "domains": [{)" + domain + R"(, "dmr": "2001:db8:ffff::/64"}]})";
}

TEST(MapE, BorderRelayHasTheTunnelOnTheLeft) {  // R8219-4.2-3: the Tester sends IPv4 in IPv6
    const auto br = read_technology(map_e(example));
    EXPECT_EQ(br->family(Side::left), wire::Family::ipv4);
    EXPECT_EQ(br->link_family(Side::left), wire::Family::ipv6);
    EXPECT_EQ(br->link_family(Side::right), wire::Family::ipv4);
    EXPECT_EQ(br->ip_headers(Side::left), 60U);
    EXPECT_EQ(br->ip_headers(Side::right), 20U);
    EXPECT_EQ(br->arrives(Side::left), tunnelled(forwarded_ipv4));
    EXPECT_EQ(br->arrives(Side::right), forwarded_ipv4);
    const auto tunnel = br->tunnel(Side::left);
    ASSERT_TRUE(tunnel);
    EXPECT_TRUE(std::holds_alternative<OfSubscriber>(tunnel->ends[0]));
    EXPECT_EQ(to_text(list_in(tunnel->ends[1])->at(0)), "2001:db8:ffff::1");
    EXPECT_FALSE(br->tunnel(Side::right));
    EXPECT_EQ(br->routes(Side::left), std::vector<std::string>{"2001:db8::/40"});
    EXPECT_EQ(br->routes(Side::right), std::vector<std::string>{"198.19.0.0/24"});
}

TEST(MapE, CustomerEdgeHasItOnTheRight) {
    const auto ce = read_technology(map_e(example + R"(, "ea": 4660, "ces": 1)", "ce"));
    EXPECT_FALSE(ce->tunnel(Side::left));
    ASSERT_TRUE(ce->tunnel(Side::right));
    EXPECT_EQ(subscribers_of(*ce)->count(), 1U);
    const auto who = (*subscribers_of(*ce))(0);
    EXPECT_EQ(wire::to_text(subscribers_of(*ce)->ipv6(who, 0)), "2001:db8:12:3400:0:c000:212:34");
    EXPECT_EQ(wire::to_text(subscribers_of(*ce)->ipv4(who, 0)), "192.0.2.18");
    const flow::PortRange increasing(flow::Order::increasing, 0, 65535);
    EXPECT_EQ(subscribers_of(*ce)->port(who, increasing, 0, 0), 1232);
    EXPECT_EQ(subscribers_of(*ce)->port(who, increasing, 251, 0), 64723);
    EXPECT_EQ(ce->routes(Side::right), std::vector<std::string>{"2001:db8:ffff::1/128"});
    EXPECT_EQ(ce->routes(Side::left), std::vector<std::string>{"192.0.2.18/32"});
}

TEST(MapT, NamesWhoIsOutsideByTheDmr) {  // RFC 7599 Appendix A: 10.2.3.4
    const auto br = read_technology(map_t(example), "10.2.3.0/24");
    EXPECT_EQ(br->family(Side::left), wire::Family::ipv6);
    EXPECT_FALSE(br->tunnel(Side::left));
    EXPECT_EQ(br->arrives(Side::left), ipv6_from_ipv4);
    EXPECT_EQ(br->arrives(Side::right), ipv4_from_ipv6);
    EXPECT_EQ(to_text(br->addresses(Side::right, Side::left).at(0)), "2001:db8:ffff:0:a:203:200:0") << "host 2";
    EXPECT_EQ(to_text(br->addresses(Side::right, Side::right).at(0)), "10.2.3.2");
    EXPECT_TRUE(std::holds_alternative<OfSubscriber>(br->names(Side::left, Side::left)));
    EXPECT_TRUE(std::holds_alternative<OfSubscriber>(br->names(Side::left, Side::right)));
    const auto ce = read_technology(map_t(example + R"(, "ea": 4660, "ces": 1)", "ce"));
    EXPECT_EQ(ce->routes(Side::right), std::vector<std::string>{"2001:db8:ffff::/64"});
}

TEST(MapT, EveryDomainHasItsOwnDmr) {
    const auto br = read_technology(R"({"name": "map-t", "domains": [
 {"ipv6": "2001:db8::/40", "ipv4": "192.0.2.0/24", "ea_bits": 16, "dmr": "2001:db8:ff00::/40", "ces": 3},
 {"ipv6": "2001:db8:100::/40", "ipv4": "203.0.113.0/24", "ea_bits": 16, "psid_offset": 4, "dmr": "2001:db8:fe00::/96", "ces": 4}]})",
                                    "198.19.0.0/24", 2);
    EXPECT_EQ(subscribers_of(*br)->count(), 7U);
    EXPECT_EQ(std::get<flow::SubscriberFlows::Space>(br->flows()).far_hosts, 2U);
    const auto seen = br->addresses(Side::right, Side::left);
    ASSERT_EQ(seen.size(), 4U) << "two hosts for each of two domains";
    EXPECT_EQ(to_text(seen[1]), "2001:db8:ffc6:1301:2::") << "RFC 6052 §2.2: /40";
    EXPECT_EQ(to_text(seen[2]), "2001:db8:fe00::c613:2");
}

TEST(MapTechnologies, RefuseInOneLine) {
    const std::pair<std::string, std::string> cases[] = {
        {map_e(R"("ipv6": "2001:db8::/40", "ipv4": "192.0.2.0/24", "ea_bits": 49)"), "technology.domains[0].ea_bits: 49"},
        {map_e(R"("ipv6": "2001:db8::/40", "ipv4": "192.0.2.0/24", "ea_bits": 20)"),
         "technology.domains[0].ea_bits: 20 is not "
         "allowed: with psid_offset 6 at most 18: 8 of the IPv4 address and 10 of the PSID (RFC 7597 section 5.1)"},
        {map_e(R"("ipv6": "2001:db8::/40", "ipv4": "192.0.2.1/32", "ea_bits": 0, "psid": 1, "psid_length": 12)"),
         "technology.domains[0].psid_length: 12 is not allowed: with psid_offset 6 at most 10 (RFC 7597 section 5.1)"},
        {map_e(example + R"(, "interface_identifier": "draft-00")"),
         "technology.domains[0].interface_identifier: \"draft-00\" is not allowed: \"rfc7597\", \"draft-03\""},
        {map_e(R"("ipv6": "2001:db8::/96", "ipv4": "192.0.2.0/24", "ea_bits": 40, "psid_offset": 0)"),
         "technology.domains[0].ea_bits: 40"},
        {map_e(example + R"(, "ces": 70000)"), "technology.domains[0].ces: 70000 is not allowed: whole numbers, 1 to 65536"},
        {map_e(example + R"(, "ea": 65536, "ces": 1)"), "technology.domains[0].ea: 65536"},
        {map_e(example + R"(, "ea": 1, "ces": 2)"), "technology.domains[0].ces: 2 is not allowed: 1 with ea"},
        {map_e(example, "router"), "technology.role: \"router\""},
        {map_e(example + R"(, "psid": 1, "psid_length": 8)"), "technology.domains[0].psid: not allowed"},
        {map_e(example + R"(, "speed": 1)"), "technology.domains[0].speed: unknown key"},
        {R"({"name": "map-e"})", "technology.domains: a list of 0 is not allowed: 1 to 4096 domains"},
        {R"({"name": "map-e", "domains": [{)" + example + R"(, "br": "::1"}, {)" + example + R"(, "br": "::1"}]})",
         "technology.domains[1]: 2001:db8::/40 and 192.0.2.0/24 are not allowed"},
        {R"({"name": "map-t", "domains": [{)" + example + R"(, "dmr": "2001:db8:ffff::/72"}]})",
         "technology.domains[0].dmr: 2001:db8:ffff::/72"},
    };
    for (const auto& [message, begins] : cases) {
        const auto error = error_of(message);
        EXPECT_EQ(error.substr(0, begins.size()), begins) << message << "\n" << error;
        EXPECT_EQ(error.find('\n'), std::string::npos);
    }
}

}  // namespace
}  // namespace xlatperf::technology
