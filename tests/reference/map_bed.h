// A gateway for MAP, and packets in and out of it.
#pragma once

#include <gtest/gtest.h>

#include "bed.h"
#include "both_links.h"
#include "control/config.h"

namespace xlatperf::reference::test {

// RFC 7597 and RFC 7599 Appendix A, with a host of the benchmarking range outside.
inline const char *const ce6 = "2001:db8:12:3400:0:c000:212:34", *const br6 = "2001:db8:ffff::1", *const far4 = "198.19.0.2",
                         *const far6 = "2001:db8:ffff:0:c6:1300:200:0", *const ce4 = "192.0.2.18";

inline Json map_technology(const char* name, const char* role) {
    Json json = Json::parse(R"({"domains": [{"ipv6": "2001:db8::/40", "ipv4": "192.0.2.0/24", "ea_bits": 16}]})");
    json["name"] = name;
    json["role"] = role;
    const bool tunnels = json["name"] == "map-e";
    json["domains"][0][tunnels ? "br" : "dmr"] = tunnels ? br6 : "2001:db8:ffff::/64";
    if (json["role"] == "ce") json["domains"][0]["ea"] = 0x1234;
    return json;
}

inline Json without(Json technology, const char* check) {
    technology["checks"] = {{check, false}};
    return technology;
}

/// CEs or the CE's hosts on the left.
inline Json map_configuration(const Json& technology) {
    Json json = both_links();
    if (technology["role"] == "br") {
        json["left"]["routes"] = {{{"prefix", "2001:db8::/40"}, {"via", "2001:2:0:7fff::2"}}};
        json["right"]["routes"] = {{{"prefix", "198.19.0.0/17"}, {"via", "198.19.255.2"}}};
    } else {
        json["left"]["routes"] = {
            {{"prefix", technology.contains("mesh") ? "192.0.2.18/32" : "192.0.2.0/24"}, {"via", "10.255.0.2"}}};
        json["right"]["routes"] = {
            {{"prefix", technology.contains("mesh") ? "2001:db8::/32" : "2001:db8:ffff::/48"}, {"via", "2001:2:0:ffff::2"}}};
    }
    json["technology"] = technology;
    return Json::parse(json.dump());
}

struct MapBed : Bed {
    explicit MapBed(const Json& technology) : Bed(config_from_json(map_configuration(technology)).gateway) {}
    ~MapBed() {
        EXPECT_EQ(pool.live(), 0u);
        EXPECT_EQ(pool.wrongly_freed, 0u);
    }
};

inline Octets tunnelled(const char* source, const char* destination, const Octets& inner, std::uint8_t hop_limit = 64,
                        std::uint8_t traffic_class = 0xb8) {
    return ipv6(source, destination, 4, inner, hop_limit, traffic_class);
}
/// RFC 7915 §5.1: identification of the generator's first value, no DF.
inline Octets translated(const char* source, const char* destination, std::uint16_t source_port, std::uint16_t destination_port) {
    Octets packet = hop(v4(source, destination, source_port, destination_port));
    put16(packet, 4, 0);
    put16(packet, 10, 0);
    put16(packet, 10, static_cast<std::uint16_t>(~ones_sum(packet, 0, 20)));
    return packet;
}

}  // namespace xlatperf::reference::test
