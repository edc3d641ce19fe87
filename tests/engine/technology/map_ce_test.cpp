// CEs with NAPT44 as requests ask for them: who is who on which link, and which ports the CE may use.
#include <gtest/gtest.h>

#include <array>

#include "technology/forwarded.h"
#include "technology/read_technology.h"
#include "technology/translated.h"
#include "technology/tunnelled.h"

namespace xlatperf::technology {
namespace {

// RFC 7597 Appendix A, example 1, and RFC 7599 Appendix A with the same rule: the CE is 192.0.2.18 with PSID 0x34.
const std::string ce_rule = R"("ipv6": "2001:db8::/40", "ipv4": "192.0.2.0/24", "ea_bits": 16, "psid_offset": 6)";
const std::string ce_1234 = ce_rule + R"(, "ea": 4660, "ces": 1)";

std::string map_e_ce(const std::string& domain) {
    return R"({"name": "map-e-ce", "domains": [{)" + domain + R"(, "br": "2001:db8:ffff::1"}]})";
}
std::string map_t_ce(const std::string& domain) {
    return R"({"name": "map-t-ce", "domains": [{)" + domain + R"(, "dmr": "2001:db8:ffff::/64"}]})";
}

std::shared_ptr<const Technology> read_ce(const std::string& own) { return read_stateful(own, "10.2.3.4"); }  // RFC 7599 App. A
std::string error_of_ce(const std::string& own) {
    try {
        read_ce(own);
        return "";
    } catch (const message::MessageError& error) {
        return error.what();
    }
}

bool has(const Pool& pool, const std::string& address, int port) {
    std::array<std::uint8_t, 16> wire{};
    if (const auto four = wire::parse_ipv4(address)) {
        four->store(wire.data());
    } else {
        wire::parse_ipv6(address)->store(wire.data());
    }
    return pool.contains(wire.data(), static_cast<std::uint16_t>(port));
}

TEST(MapECe, HasTheTunnelOnTheRight) {
    const auto ce = read_ce(map_e_ce(ce_1234));
    EXPECT_TRUE(ce->stateful());
    EXPECT_EQ(ce->link_family(Side::left), wire::Family::ipv4);
    EXPECT_EQ(ce->link_family(Side::right), wire::Family::ipv6);
    EXPECT_EQ(ce->family(Side::right), wire::Family::ipv4);
    EXPECT_EQ(ce->ip_headers(Side::left), 20U);
    EXPECT_EQ(ce->ip_headers(Side::right), 60U);
    EXPECT_EQ(ce->arrives(Side::left), forwarded_ipv4);
    EXPECT_EQ(ce->arrives(Side::right), tunnelled(forwarded_ipv4));
    EXPECT_FALSE(ce->tunnel(Side::left));
    const auto tunnel = ce->tunnel(Side::right);
    ASSERT_TRUE(tunnel);
    EXPECT_EQ(to_text(list_in(tunnel->ends[0])->at(0)), "2001:db8:12:3400:0:c000:212:34");
    EXPECT_EQ(to_text(list_in(tunnel->ends[1])->at(0)), "2001:db8:ffff::1");
    EXPECT_EQ(to_text(ce->addresses(Side::left, Side::left).at(2)), "10.0.0.4");
    EXPECT_EQ(to_text(ce->addresses(Side::right, Side::right).at(1)), "10.2.3.5");
    EXPECT_EQ(ce->routes(Side::left), (std::vector<std::string>{"10.0.0.2/31", "10.0.0.4/32"}));
    EXPECT_EQ(ce->routes(Side::right), std::vector<std::string>{"2001:db8:ffff::1/128"});
}

TEST(MapTCe, NamesServersByTheDmr) {  // RFC 7599 §5.1
    const auto ce = read_ce(map_t_ce(ce_1234));
    EXPECT_EQ(ce->family(Side::left), wire::Family::ipv4);
    EXPECT_EQ(ce->family(Side::right), wire::Family::ipv6);
    EXPECT_FALSE(ce->tunnel(Side::right));
    EXPECT_EQ(ce->arrives(Side::left), ipv4_from_ipv6);
    EXPECT_EQ(ce->arrives(Side::right), ipv6_from_ipv4);
    EXPECT_EQ(to_text(ce->addresses(Side::right, Side::left).at(0)), "10.2.3.4");
    EXPECT_EQ(to_text(ce->addresses(Side::right, Side::right).at(0)), "2001:db8:ffff:0:a:203:400:0");
    EXPECT_EQ(to_text(ce->addresses(Side::left, Side::right).at(0)), "2001:db8:12:3400:0:c000:212:34");
    EXPECT_EQ(ce->routes(Side::right), std::vector<std::string>{"2001:db8:ffff::/64"});
}

std::string in_mesh(const std::string& ce) {
    return ce.substr(0, ce.find('"', 10) + 1) + R"(, "mesh": true)" + ce.substr(ce.find('"', 10) + 1);
}

flow::MappedServers servers_of(const Technology& ce) { return std::get<flow::ConnectionFlows::Space>(ce.flows()).mapped.value(); }

TEST(MapCe, InAMeshServersAreBehindOthers) {  // R7597-5, RFC 7599 §5
    for (const auto& [message, beyond] :
         {std::pair(map_e_ce(ce_1234), "2001:db8:ffff::1/128"), std::pair(map_t_ce(ce_1234), "2001:db8:ffff::/64")}) {
        const auto ce = read_stateful(in_mesh(message), "192.0.2.19");
        const auto servers = servers_of(*ce);
        EXPECT_EQ(to_text(servers.address(0, 1236)), "2001:db8:13:3500:0:c000:213:35") << "PSID 0x35 has 1236 to 1239";
        EXPECT_EQ(to_text(servers.address(1, 1232)), "2001:db8:14:3400:0:c000:214:34");
        EXPECT_TRUE(servers.holds(servers.address(1, 65535)));
        for (const char* const other : {"2001:db8:12:3400:0:c000:212:34", "2001:db8:15:3400:0:c000:215:34",
                                        "2001:db8:13:3500:0:c000:213:34", "2001:db8:13:3500:0:c000:214:35", "2001:db8:ffff::1"})
            EXPECT_FALSE(servers.holds(*wire::parse_ipv6(other))) << other;
        EXPECT_TRUE(servers.may_have(1024));
        EXPECT_FALSE(servers.may_have(1023));
        EXPECT_EQ(ce->routes(Side::right), (std::vector<std::string>{"2001:db8::/40", beyond}));
        EXPECT_EQ(to_text(ce->servers().at(1)), "192.0.2.20");
        EXPECT_EQ(to_text(ce->addresses(Side::right, Side::left).at(0)), "192.0.2.19");
        EXPECT_EQ(to_text(ce->first_and_last(Side::right)[1]), "192.0.2.20");
    }
}

TEST(MapCe, InAMeshWithAProvisionedPsid) {  // RFC 7597 §5.2: all CEs of the rule have the same
    const auto ce = read_stateful(in_mesh(map_e_ce(R"("ipv6": "2001:db8::/40", "ipv4": "192.0.2.0/24", "ea_bits": 8, "psid": 52,
        "psid_length": 8, "ea": 18, "ces": 1, "interface_identifier": "draft-03")")),
                                  "192.0.2.19");
    const auto servers = servers_of(*ce);
    EXPECT_EQ(to_text(servers.address(0, 1232)), "2001:db8:13:0:c0:2:1300:3400");
    EXPECT_TRUE(servers.may_have(1235));
    EXPECT_FALSE(servers.may_have(1236));
    EXPECT_TRUE(servers.holds(servers.address(1, 2256)));
    EXPECT_FALSE(servers.holds(*wire::parse_ipv6("2001:db8:13:0:c0:2:1300:3500")));
}

TEST(MapCe, MayUseItsPortsAlone) {  // RFC 7599 §8.1: MUST; RFC 7597 §5.1
    for (const auto& [message, address, other] :
         {std::array{map_e_ce(ce_1234), std::string("192.0.2.18"), std::string("192.0.2.19")},
          std::array{map_t_ce(ce_1234), std::string("2001:db8:12:3400:0:c000:212:34"),
                     std::string("2001:db8:12:3400:0:c000:213:34")}}) {
        const auto ce = read_ce(message);
        const Pool& pool = *ce->pool();
        unsigned ports = 0;
        for (int port = 0; port < 65536; ++port) ports += has(pool, address, port);
        EXPECT_EQ(ports, 252U) << "63 ranges of 4";
        for (const int port : {1232, 1235, 2256, 64720, 64723}) EXPECT_TRUE(has(pool, address, port)) << port;
        for (const int port : {1231, 1236, 208, 0, 64724, 65535}) EXPECT_FALSE(has(pool, address, port)) << port;
        EXPECT_FALSE(has(pool, other, 1232));
        EXPECT_EQ(to_text(pool), address + ", PSID 52 (8 bits), ports 1232-1235 2256-2259 ... 64720-64723");
        EXPECT_EQ(pool.port_for(2258), 2258);
        EXPECT_EQ(pool.port_for(5000), 1232) << "the lowest";
    }
}

TEST(MapCe, PortZeroIsNone) {  // RFC 768
    const std::string contiguous = R"("ipv6": "2001:db8:ce::/51", "ipv4": "192.0.2.0/24", "ea_bits": 13, "psid_offset": 0)";
    const auto first = read_ce(map_e_ce(contiguous + R"(, "ea": 64, "ces": 1)"));  // PSID 0
    EXPECT_FALSE(has(*first->pool(), "192.0.2.2", 0));
    EXPECT_TRUE(has(*first->pool(), "192.0.2.2", 2047));
    EXPECT_FALSE(has(*first->pool(), "192.0.2.2", 2048));
    EXPECT_EQ(first->pool()->port_for(9999), 1);
    const std::string full = R"("ipv6": "2001:db8:ce::/51", "ipv4": "192.0.2.0/24", "ea_bits": 8)";
    const auto alone = read_ce(map_e_ce(full + R"(, "ea": 2, "ces": 1)"));
    EXPECT_TRUE(has(*alone->pool(), "192.0.2.2", 1)) << "nobody shares the address: A = 0 is its own";
    EXPECT_FALSE(has(*alone->pool(), "192.0.2.2", 0));
    EXPECT_EQ(to_text(*alone->pool()), "192.0.2.2, ports 1 to 65535");
}

TEST(MapCe, RefusesInOneLine) {
    const std::pair<std::string, std::string> cases[] = {
        {map_e_ce(ce_rule), "technology.domains[0].ea: missing: the EA bits of the CE that the DUT is"},
        {map_t_ce(ce_rule), "technology.domains[0].ea: missing"},
        {map_e_ce(R"("ipv6": "2001:db8::/40", "ipv4": "192.0.0.0/16", "ea_bits": 8, "ea": 1, "ces": 1)"),
         "technology.domains[0].ea_bits: 8 is not allowed: a CE with an IPv4 prefix needs no NAPT44"},
        {R"({"name": "map-e-ce", "domains": [{)" + ce_1234 + R"(, "br": "::1"}, {"ipv6": "2001:db9::/40",
            "ipv4": "198.51.100.0/24", "ea_bits": 16, "ea": 1, "ces": 1, "br": "::1"}]})",
         "technology.domains: a list of 2 is not allowed: one domain, that of the CE"},
        {map_t_ce(R"("ipv6": "2001:db8::/40", "ipv4": "192.0.2.2/32", "ea_bits": 16, "psid_offset": 0, "ea": 0, "ces": 1)"),
         "technology.domains[0].ea: 0 is not allowed: a CE with another port than 0"},
        {in_mesh(map_t_ce(R"("ipv6": "2001:db8::/40", "ipv4": "192.0.2.2/32", "ea_bits": 8, "ea": 1, "ces": 1)")),
         "technology.domains[0].ea_bits: 8 is not allowed: with mesh, some of the IPv4 address: no other CE of the domain has"},
        {in_mesh(map_e_ce(ce_1234)), "traffic.connections.servers.first: 10.2.3.4 is not allowed: with mesh, addresses of"},
        {R"({"name": "map-e-ce", "role": "ce", "domains": [{)" + ce_1234 + R"(, "br": "::1"}]})", "technology.role: unknown key"},
    };
    for (const auto& [message, begins] : cases) EXPECT_EQ(error_of_ce(message).substr(0, begins.size()), begins);
}

}  // namespace
}  // namespace xlatperf::technology
