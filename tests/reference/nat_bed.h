// A gateway with a NAT between recorded links.
#pragma once

#include <gtest/gtest.h>

#include "bed.h"
#include "both_links.h"
#include "control/config.h"
#include "control/requests.h"

namespace xlatperf::reference::test {

/// Routes and neighbours of all technologies; clients 10.0.0.2 and 2001:2::2, servers 198.19.0.2 and 2001:2:0:8000::2.
inline Json configuration(const Json& technology) {
    Json json = both_links();
    json["left"]["routes"] = Json::parse(R"([{"prefix": "10.0.0.0/16", "via": "10.255.0.2"},
                                             {"prefix": "2001:2::/64", "via": "2001:2:0:7fff::2"}])");
    json["right"]["routes"] = Json::parse(R"([{"prefix": "198.19.0.0/17", "via": "198.19.255.2"},
                                              {"prefix": "2001:2:0:8000::/64", "via": "2001:2:0:ffff::2"}])");
    json["technology"] = technology;
    return Json::parse(json.dump());  // numbers as they're read, not as C++ has them
}
inline const Json nat44 =
    Json::parse(R"({"name": "nat44", "pool": {"first": "198.19.200.1", "first_port": 2000, "last_port": 2999}})");
inline const Json nat64 = Json::parse(R"({"name": "nat64", "prefix": "2001:db8:6464::/96", "pool": {"first": "198.19.200.1",
                                   "first_port": 2000, "last_port": 2999}})");
inline const Json nat66 = Json::parse(R"({"name": "nat66", "pool": {"first": "2001:2:0:c000::1", "first_port": 2000,
                                   "last_port": 2999}})");

struct NatBed : Bed {
    explicit NatBed(const Json& technology) : Bed(config_from_json(configuration(technology)).gateway) {}
    ~NatBed() {
        EXPECT_EQ(pool.live(), 0u);
        EXPECT_EQ(pool.wrongly_freed, 0u);
    }
    Json ask(const Json& request) { return answer_request(gateway, request.dump()).json; }
    Json state() { return ask({{"request", "counters"}})["state"]; }
    std::uint64_t refused(Fate fate, Direction direction = Direction::reverse) const { return Bed::refused(direction, fate); }
};

}  // namespace xlatperf::reference::test
