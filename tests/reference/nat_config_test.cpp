// What a NAT may be told, and what it says to mistakes.
#include <gtest/gtest.h>

#include "nat_bed.h"

namespace xlatperf::reference {
namespace {

using namespace test;

std::string error_of(Json technology, const char* pointer, const Json& value) {
    technology[Json::json_pointer(pointer)] = value;
    try {
        config_from_json(configuration(technology));
    } catch (const message::MessageError& error) {
        return error.what();
    }
    return "";
}

TEST(NatConfig, Everything) {
    Json technology = nat64;
    technology["pool"] = {{"first", "198.19.200.1"}, {"addresses", 20}, {"first_port", 5}, {"last_port", 6}};
    technology["state"] = {{"entries", 4'000'000},
                           {"when_full", "collect"},
                           {"collect", 7},
                           {"timeout_s", 0.5},
                           {"mapping", "address_and_port_dependent"}};
    technology["udp_checksum_zero"] = "compute";
    const auto settings_of = [](const Json& of) {
        return config_from_json(configuration(of)).gateway.technology->nat()->settings();
    };
    const NatSettings made = settings_of(technology);
    EXPECT_EQ(made.pool.addresses, 20u);
    EXPECT_EQ(made.pool.size(), 40u);
    EXPECT_EQ(made.entries, 4'000'000u);
    EXPECT_EQ(made.when_full, WhenFull::collect);
    EXPECT_EQ(made.collect, 7u);
    EXPECT_EQ(made.timeout_ns, 500'000'000u);
    EXPECT_FALSE(made.endpoint_independent);
    EXPECT_EQ(made.inside, wire::Family::ipv6);
    EXPECT_EQ(made.pool.family, wire::Family::ipv4);
    const NatSettings usual = settings_of(nat44);
    EXPECT_EQ(usual.entries, 65536u);
    EXPECT_TRUE(usual.endpoint_independent);
    EXPECT_EQ(usual.timeout_ns, 300'000'000'000u);
    EXPECT_EQ(usual.when_full, WhenFull::refuse);
}

TEST(NatConfig, Errors) {
    EXPECT_EQ(error_of(nat44, "/pool/first", "2001::1"), "technology.pool.first: \"2001::1\" is not allowed: an IPv4 address");
    EXPECT_EQ(error_of(nat66, "/pool/first", "198.19.0.1"),
              "technology.pool.first: \"198.19.0.1\" is not allowed: an IPv6 address");
    EXPECT_EQ(error_of(nat44, "/pool/last_port", 1999),
              "technology.pool.last_port: 1999 is not allowed: at least first_port, 2000");
    EXPECT_EQ(error_of(nat44, "/pool", nullptr), "technology.pool.first: missing: an IPv4 address");
    EXPECT_EQ(error_of(nat64, "/prefix", nullptr), "technology.prefix: missing: an IPv6 prefix, as 2001:db8::/96");
    EXPECT_NE(error_of(nat44, "/prefix", "2001:db8::/96").find("technology.prefix: unknown key"), std::string::npos);
    EXPECT_NE(error_of(nat44, "/pool/addresses", 65537).find("whole numbers, 1 to 65536"), std::string::npos);
    EXPECT_NE(error_of(nat44, "/pool/first", "223.255.255.255"), error_of(nat44, "/pool/first", "224.0.0.1"));
    EXPECT_NE(error_of(nat66, "/pool/first", "ff02::1"), "");
    EXPECT_NE(error_of(nat44, "/pool/first", "0.0.0.0"), "");
    EXPECT_EQ(error_of(nat44, "/state", {{"when_full", "explode"}}),
              "technology.state.when_full: \"explode\" is not allowed: \"refuse\", \"least_recently_used\", \"collect\"");
    EXPECT_EQ(error_of(nat44, "/state", {{"when_full", "collect"}}), "technology.state.collect: missing: how many entries go");
    EXPECT_EQ(error_of(nat44, "/state", {{"collect", 3}}),
              "technology.state.collect: 3 is not allowed: only with when_full \"collect\"");
    EXPECT_EQ(error_of(nat44, "/state", {{"entries", 5}, {"when_full", "collect"}, {"collect", 6}}),
              "technology.state.collect: 6 is not allowed: whole numbers, 1 to 5");
    EXPECT_NE(error_of(nat44, "/state", {{"entries", 0}}), "");
    EXPECT_NE(error_of(nat44, "/state", {{"timeout_s", 0}}), "");
}

TEST(NatConfig, FaultsOfMappingsNeedMappings) {
    NatBed bed(nat44);
    EXPECT_EQ(bed.ask({{"request", "impair"}, {"reverse", {{"change_mapping", {{"every", 2}}}}}})["error"],
              "reverse.change_mapping: only forward, with stateful translation");
    NatBed native(Json::parse(R"({"name": "native"})"));
    EXPECT_EQ(native.ask({{"request", "impair"}, {"forward", {{"outside_pool", {{"every", 2}}}}}})["error"],
              "forward.outside_pool: only forward, with stateful translation");
    EXPECT_EQ(native.ask({{"request", "clear"}})["deleted"], 0);
    EXPECT_FALSE(native.ask({{"request", "counters"}}).contains("state"));
}

}  // namespace
}  // namespace xlatperf::reference
