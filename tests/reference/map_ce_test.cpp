// CEs with NAPT44: NAPT44 and MAP one after the other, ports of the CE alone, checks and state.
#include <gtest/gtest.h>

#include <set>

#include "bed.h"
#include "control/config.h"
#include "nat/pool.h"

namespace xlatperf::reference {
namespace {

using namespace test;

// RFC 7597 and RFC 7599 Appendix A: 192.0.2.18 with PSID 0x34; clients of RFC 9693 §3.1.
const char *const ce_address = "192.0.2.18", *const ce_map = "2001:db8:12:3400:0:c000:212:34",
                  *const napt_relay = "2001:db8:ffff::1", *const napt_server = "198.19.0.2",
                  *const napt_server6 = "2001:db8:ffff:0:c6:1300:200:0", *const napt_host = "10.0.0.2";

Json ce_technology(const std::string& name) {
    Json json = Json::parse(R"({"domains": [{"ipv6": "2001:db8::/40", "ipv4": "192.0.2.0/24", "ea_bits": 16, "ea": 4660}]})");
    json["name"] = name;
    json["domains"][0][name == "map-e-ce" ? "br" : "dmr"] = name == "map-e-ce" ? napt_relay : "2001:db8:ffff::/64";
    return json;
}

Json ce_configuration(const Json& technology) {
    Json json = Json::parse(R"({
      "left": {"port": "x", "ipv4": "10.255.0.1/30", "routes": [{"prefix": "10.0.0.0/16", "via": "10.255.0.2"}],
               "neighbors": [{"address": "10.255.0.2", "mac": "12:12:12:12:12:12"}]},
      "right": {"port": "y", "ipv6": "2001:2:0:ffff::1/64",
                "routes": [{"prefix": "2001:db8:ffff::/48", "via": "2001:2:0:ffff::2"}],
                "neighbors": [{"address": "2001:2:0:ffff::2", "mac": "14:14:14:14:14:14"}]}})");
    json["technology"] = technology;
    return Json::parse(json.dump());
}

struct CeBed : Bed {
    explicit CeBed(const Json& technology) : Bed(config_from_json(ce_configuration(technology)).gateway) {}
    ~CeBed() {
        EXPECT_EQ(pool.live(), 0u);
        EXPECT_EQ(pool.wrongly_freed, 0u);
    }
    std::size_t entries() { return gateway.nat()->table().size(); }
};

Octets in_tunnel(const char* source, const char* destination, const Octets& packet) {
    return ipv6(source, destination, 4, packet, 64, 0xb8);
}

TEST(MapECe, TranslatesThenEncapsulates) {  // RFC 7597 §8
    CeBed bed(ce_technology("map-e-ce"));
    const Octets out = bed.through(Side::left, v4(napt_host, napt_server, 5000, 80));
    EXPECT_EQ(out, in_tunnel(ce_map, napt_relay, hop(v4(ce_address, napt_server, 1232, 80)))) << "its lowest port";
    EXPECT_EQ(bed.through(Side::left, v4("10.0.0.3", napt_server, 5000, 80)),
              in_tunnel(ce_map, napt_relay, hop(v4(ce_address, napt_server, 1233, 80))));
    EXPECT_EQ(bed.through(Side::left, v4("10.0.0.4", napt_server, 64723, 80)),
              in_tunnel(ce_map, napt_relay, hop(v4(ce_address, napt_server, 64723, 80))))
        << "a client's port that is the CE's stays (RFC 4787 REQ-3)";
    EXPECT_EQ(bed.through(Side::right, in_tunnel(napt_relay, ce_map, v4(napt_server, ce_address, 80, 1233))),
              hop(v4(napt_server, "10.0.0.3", 80, 5000)));
    EXPECT_EQ(bed.entries(), 3u);
}

TEST(MapTCe, TranslatesTwice) {  // RFC 7599 §8.1, §8.2
    CeBed bed(ce_technology("map-t-ce"));
    EXPECT_EQ(bed.through(Side::left, v4(napt_host, napt_server, 5000, 80)), hop(v6(ce_map, napt_server6, 1232, 80)));
    Octets back =
        hop(v4(napt_server, napt_host, 80, 5000));  // RFC 7915 §5.1: identification of the generator's first value, no DF
    put16(back, 4, 0);
    put16(back, 10, 0);
    put16(back, 10, static_cast<std::uint16_t>(~ones_sum(back, 0, 20)));
    EXPECT_EQ(bed.through(Side::right, v6(napt_server6, ce_map, 80, 1232)), back);
}

TEST(MapCe, InAMeshSendsToOthers) {  // RFC 7597 §5, RFC 7599 §5
    for (const bool tunnel : {true, false}) {
        Json json = ce_technology(tunnel ? "map-e-ce" : "map-t-ce");
        json["mesh"] = true;
        Json all = ce_configuration(json);
        all["right"]["routes"][0]["prefix"] = "2001:db8::/32";
        Bed bed(config_from_json(all).gateway);
        const char* const other = "2001:db8:13:3500:0:c000:213:35";  // 192.0.2.19, PSID 0x35: 1236 to 1239
        const auto between = [&](const char* from, const char* to, const Octets& inside, std::uint16_t port,
                                 std::uint16_t to_port) {
            return tunnel ? in_tunnel(from, to, inside) : v6(from, to, port, to_port);
        };
        const Octets right = bed.through(Side::left, v4(napt_host, "192.0.2.19", 5000, 1236));
        const Octets inside = v4(ce_address, "192.0.2.19", 1232, 1236);
        EXPECT_EQ(right, tunnel ? in_tunnel(ce_map, other, hop(inside)) : hop(v6(ce_map, other, 1232, 1236)));
        const Octets back = v4("192.0.2.19", ce_address, 1236, 1232);
        EXPECT_FALSE(bed.through(Side::right, between(other, ce_map, back, 1236, 1232)).empty());
        const Octets lying = v4("192.0.2.19", ce_address, 1232, 1232);  // a port with PSID 0x34
        EXPECT_TRUE(bed.through(Side::right, between(other, ce_map, lying, 1232, 1232)).empty());
        EXPECT_EQ(bed.refused(Direction::reverse, Fate::wrong_source_port), 1u);
        EXPECT_FALSE(bed.through(Side::left, v4(napt_host, napt_server, 5000, 80)).empty()) << "whoever is outside is too";
    }
}

TEST(MapCe, HasItsPortsAlone) {  // RFC 7597 §5.1: 63 ranges of 4
    CeBed bed(ce_technology("map-e-ce"));
    std::set<unsigned> ports;
    for (unsigned i = 0; i < 252; ++i) {
        const auto out = bed.through(Side::left, v4(napt_host, napt_server, static_cast<std::uint16_t>(2000 + i), 80));
        ASSERT_EQ(out.size(), 40u + 46u);
        ports.insert(get16(out, 40 + 20));
    }
    EXPECT_EQ(ports.size(), 252u);
    for (const unsigned port : ports) EXPECT_TRUE(port >= 1024 && (port >> 2 & 0xff) == 0x34) << port;
    EXPECT_TRUE(bed.through(Side::left, v4(napt_host, napt_server, 3000, 80)).empty());
    EXPECT_EQ(bed.refused(Direction::forward, Fate::pool_exhausted), 1u);
}

TEST(MapCe, WhatNobodyAskedForIsDropped) {  // RFC 7597 §8.1, RFC 7599 §8.2
    for (const bool tunnel : {true, false}) {
        CeBed bed(ce_technology(tunnel ? "map-e-ce" : "map-t-ce"));
        const auto inbound = [&](const char* from, const char* to, const char* inner_to, std::uint16_t port) {
            return tunnel ? in_tunnel(from, to, v4(napt_server, inner_to, 80, port)) : v6(from, to, 80, port);
        };
        const char* far = tunnel ? napt_relay : napt_server6;
        bed.through(Side::left, v4(napt_host, napt_server, 5000, 80));
        EXPECT_FALSE(bed.through(Side::right, inbound(far, ce_map, ce_address, 1232)).empty());
        EXPECT_TRUE(bed.through(Side::right, inbound(far, ce_map, ce_address, 1233)).empty());
        EXPECT_EQ(bed.refused(Direction::reverse, Fate::no_mapping), 1u);
        EXPECT_TRUE(bed.through(Side::right, inbound(far, ce_map, ce_address, 1236)).empty());
        EXPECT_EQ(bed.refused(Direction::reverse, Fate::wrong_destination_port), 1u);
        if (!tunnel) continue;
        EXPECT_TRUE(bed.through(Side::right, inbound("2001:db8:ffff::3", ce_map, ce_address, 1232)).empty());
        EXPECT_EQ(bed.refused(Direction::reverse, Fate::wrong_tunnel_end), 1u);
        EXPECT_TRUE(bed.through(Side::right, inbound(far, ce_map, "192.0.2.19", 1232)).empty());
        EXPECT_EQ(bed.refused(Direction::reverse, Fate::wrong_destination_address), 1u);
    }
}

TEST(MapCe, OnlyUdpGoesThrough) {
    CeBed bed(ce_technology("map-e-ce"));
    EXPECT_TRUE(bed.through(Side::left, v4(napt_host, napt_server, 5000, 80, 18, 0x2000)).empty());
    EXPECT_EQ(bed.refused(Direction::forward, Fate::fragment), 1u);
}

std::string error_of_ce(const Json& technology) {
    try {
        config_from_json(ce_configuration(technology));
        return "";
    } catch (const message::MessageError& error) {
        return error.what();
    }
}

TEST(MapCe, Configuration) {
    Json json = ce_technology("map-e-ce");
    json["role"] = "ce";
    EXPECT_EQ(error_of_ce(json).rfind("technology.role: unknown key", 0), 0u);
    json = ce_technology("map-e-ce");
    json["domains"][0].erase("ea");
    EXPECT_EQ(error_of_ce(json).substr(0, 24), "technology.domains[0].ea");
    json = ce_technology("map-t-ce");
    json["domains"][0]["ea_bits"] = 4;
    json["domains"][0]["ea"] = 1;
    EXPECT_EQ(error_of_ce(json),
              "technology.domains[0].ea_bits: 4 is not allowed: a CE with one address: a prefix needs no NAPT44");
    json = ce_technology("map-t-ce");
    json["domains"].push_back(json["domains"][0]);
    EXPECT_EQ(error_of_ce(json), "technology.domains: a list of 2 is not allowed: one domain, that of the CE");
    json = ce_technology("map-e-ce");
    json["state"] = {{"entries", 7}, {"timeout_s", 1}};
    EXPECT_EQ(error_of_ce(json), "");
    Json port_0 = ce_technology("map-t-ce");
    port_0["domains"][0].update({{"ipv4", "192.0.2.18/32"}, {"psid_offset", 0}, {"ea", 0}});
    EXPECT_EQ(error_of_ce(port_0), "technology.domains[0].ea: the CE is not allowed: one with another port than 0");
    json["state"]["entrys"] = 7;
    EXPECT_EQ(error_of_ce(json).substr(0, 23), "technology.state.entrys");
}

TEST(Pool, R7597_5_1_PortsOfOnePsid) {
    for (const auto& [offset, length] : {std::pair{6u, 8u}, {0u, 5u}, {4u, 12u}, {0u, 16u}, {1u, 3u}, {0u, 0u}}) {
        for (const unsigned psid : {0u, 1u, (1u << length) - 1}) {
            if (psid >= 1u << length) continue;
            Pool pool;
            pool.first = 7;
            pool.first_port = 1;
            pool.psid_offset = offset;
            pool.psid_length = length;
            pool.psid = static_cast<std::uint16_t>(psid);
            std::vector<std::uint16_t> own;  // by the definition: A, PSID, j
            for (unsigned port = 1; port < 65536; ++port) {
                const bool has_psid = ((port << offset & 0xffff) >> (16 - length)) == psid || length == 0;
                if (has_psid && (offset == 0 || port >> (16 - offset) != 0)) own.push_back(static_cast<std::uint16_t>(port));
            }
            ASSERT_EQ(pool.ports(), own.size()) << offset << " " << length << " " << psid;
            for (std::uint32_t i = 0; i < own.size(); ++i) {
                ASSERT_EQ(pool.endpoint(i), (Endpoint{7, own[i]}));
                ASSERT_EQ(pool.number({7, own[i]}), i);
            }
            std::size_t contained = 0;
            for (unsigned port = 0; port < 65536; ++port) contained += pool.contains_port(static_cast<std::uint16_t>(port));
            EXPECT_EQ(contained, own.size());
        }
    }
}

}  // namespace
}  // namespace xlatperf::reference
