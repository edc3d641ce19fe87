#include "control/config.h"

#include <gtest/gtest.h>

#include "control/plan_fields.h"
#include "control/requests.h"
#include "help.h"
#include "packets.h"
#include "technologies/kind.h"

namespace xlatperf::reference {
namespace {

using namespace test;

Json example() {
    return Json::parse(R"({
      "left": {"port": "net_memif0,role=server", "ipv6": "2001:2:0:7fff::1/64", "mtu": 1600,
               "routes": [{"prefix": "2001:2::/120", "via": "2001:2:0:7fff::2"}]},
      "right": {"port": "net_memif1,role=server", "ipv4": "198.18.255.1/30",
                "routes": [{"prefix": "198.19.0.0/24", "via": "198.18.255.2"}],
                "neighbors": [{"address": "198.18.255.2", "mac": "02:00:00:00:00:02"}]},
      "technology": {"name": "siit", "ipv6_side": "left", "prefix": "2001:db8:6464::/96",
                     "eam": [{"ipv4": "198.18.0.0/24", "ipv6": "2001:2::/120"}]},
      "impair": {"forward": {"drop": {"every": 10}}}})");
}

/// The error that a changed example gives; empty: none.
std::string error_of(const char* pointer, const Json& value) {
    Json json = example();
    json[Json::json_pointer(pointer)] = value;
    try {
        config_from_json(json);
    } catch (const message::MessageError& error) {
        return error.what();
    }
    return "";
}

TEST(Config, Example) {
    const Config config = config_from_json(example());
    EXPECT_TRUE(config.gateway.technology);
    EXPECT_EQ(config.ports[0].mtu, 1600u);
    EXPECT_FALSE(config.ports[1].mtu);
    EXPECT_EQ(config.gateway.plans[0].drop.every, 10u);
    EXPECT_EQ(config.gateway.sides[1].neighbors.size(), 1u);
}

TEST(Config, TechnologyAsTheEngineHasIt) {
    EXPECT_EQ(error_of("/technology", {{"name", "native"}, {"family", "ipv6"}}), "");
    EXPECT_EQ(error_of("/technology",
                       {{"name", "siit"}, {"ipv6_side", "right"}, {"prefix", "2001:db8:6464::/96"}, {"eam", Json::array()}}),
              "");
}

TEST(Config, OnePortForBothSides) {
    const Json port = "net_memif0,role=server";
    EXPECT_EQ(error_of("/right/port", port),
              "right.takes_vlan: null is not allowed: another one than the left side's, which is on the same port");
    Json json = example();
    json["right"]["port"] = port;
    json["right"]["takes_vlan"] = 7;
    EXPECT_TRUE(config_from_json(json).one_port()) << "one side may be without tag";
    json["left"]["takes_vlan"] = 8;
    EXPECT_TRUE(config_from_json(json).one_port());
    json["left"]["takes_vlan"] = 7;
    EXPECT_THROW(config_from_json(json), message::MessageError);
    EXPECT_FALSE(config_from_json(example()).one_port());
}

TEST(Config, DoubleTranslationIsOfIpv4) {
    const Json pool4 = {{"first", "198.19.0.1"}}, pool6 = {{"first", "2001:2::1"}};
    EXPECT_EQ(error_of("/technology", {{"name", "native"}, {"family", "ipv4"}, {"double_translation", true}}), "");
    const Json by_prefix = {{"prefix", "2001:db8:6464::/96"}};
    EXPECT_EQ(error_of("/technology", {{"name", "native"}, {"left", by_prefix}, {"right", by_prefix}}), "");
    EXPECT_EQ(error_of("/technology", {{"name", "native"}, {"left", by_prefix}}),
              "technology.right.prefix: missing; give \"prefix\" or \"eam\"");
    EXPECT_EQ(error_of("/technology", {{"name", "nat44"}, {"pool", pool4}, {"double_translation", false}}), "");
    EXPECT_EQ(error_of("/technology", {{"name", "nat44"}, {"pool", pool4}, {"double_translation", 1}}),
              "technology.double_translation: 1 is not allowed: true or false");
    EXPECT_NE(error_of("/technology", {{"name", "nat66"}, {"pool", pool6}, {"double_translation", true}}), "");
    EXPECT_EQ(error_of("/technology", {{"name", "native"}, {"double_translation", true}, {"udp_checksum_zero", "compute"}}), "");
    EXPECT_NE(error_of("/technology", {{"name", "native"}, {"udp_checksum_zero", "compute"}}), "");
}

TEST(Config, ErrorsNameKeyValueAndWhatIsAllowed) {
    EXPECT_EQ(error_of("/left/mtu", 12), "left.mtu: 12 is not allowed: whole numbers, 68 to 9600");
    EXPECT_EQ(error_of("/left/ipv6", "2001::1"), "left.ipv6: \"2001::1\" is not allowed: an IPv6 prefix, as 2001:db8::/96");
    EXPECT_EQ(error_of("/right/routes/0/via", "::1"), "right.routes[0].via: \"::1\" is not allowed: an IPv4 address");
    EXPECT_EQ(error_of("/technology/name", "nat"),
              R"(technology.name: "nat" is not allowed: "native", "siit", "nat44", "nat64", "nat66", "map-e", "map-t", )"
              R"("map-e-ce", "map-t-ce", "lw4o6", "lw4o6-b4", "dslite", "dslite-b4")");
    EXPECT_EQ(error_of("/technology/prefix", "2001:db8::/95"),
              "technology.prefix: 2001:db8::/95 is not allowed: a length of 32, 40, 48, 56, 64 or 96 (RFC 6052 section 2.2)");
    EXPECT_NE(error_of("/technology/eam/0/ipv6", "2001:2::/121").find("technology.eam[0].ipv6"), std::string::npos);
    EXPECT_NE(error_of("/left/colour", 1).find("left.colour: unknown key; known: ipv4, ipv6, mtu"), std::string::npos);
    EXPECT_EQ(error_of("/hugepages", "maybe"), "hugepages: \"maybe\" is not allowed: \"auto\", \"never\", \"require\"");
    EXPECT_EQ(error_of("/left", nullptr), "left.port: missing: a string");
    EXPECT_EQ(error_of("/left/routes/0/prefix", "a\nb"), "left.routes[0].prefix: \"a?b\" is not allowed: an IPv4 or IPv6 prefix");
    EXPECT_NE(error_of("/impair/forward/drop", {{"every", -1}}), "");
    EXPECT_NE(error_of("/impair/sideways", Json::object()), "");
}

TEST(Config, AWrongTypeAnywhereIsAnError) {
    // Every value of the example replaced by values of other types: an error or nothing, no other exception.
    const Json flat = example().flatten();
    for (const auto& [pointer, old] : flat.items())
        for (const Json& value : {Json(-1), Json("x"), Json::array({Json()}), Json{{"a", 1}}, Json(1.5), Json(true)})
            EXPECT_NO_THROW(error_of(pointer.c_str(), value)) << pointer << " " << value;
}

Plan plan_of(const Json& forward) {
    const Json json = {{"forward", forward}};
    Fields fields(&json, "", nullptr);
    const auto plans = read_plans(fields, false);
    fields.no_more();
    return plans[0].value();
}

TEST(PlanFields, Everything) {
    const Plan plan = plan_of(Json::parse(R"({"drop": {"every": 7, "positions": [5, 1]}, "duplicate": {"every": 2},
        "stall": {"at": 3, "for_ms": 1.5, "mode": "buffer"}, "capacity": {"rate_fps": 1000.5, "buffer": 32},
        "corrupt": [{"what": "payload", "every": 4}, {"what": "udp_checksum", "positions": [9]}], "hop_limit": {"every": 5},
        "untranslated": {"every": 6}, "delay_us": 50, "delays": [{"every": 100, "delay_us": 1000}], "reorder": {"every": 9, "by": 3}})"));
    EXPECT_EQ(plan.drop.positions, (std::vector<std::uint64_t>{1, 5}));
    EXPECT_EQ(plan.stall->for_ns, 1'500'000u);
    EXPECT_EQ(plan.stall->buffer, 4096u);
    EXPECT_EQ(plan.corrupt.size(), 3u);
    EXPECT_EQ(plan.corrupt[2].what, Alteration::hop_limit);
    EXPECT_EQ(plan.delay_ns, 50'000u);
    EXPECT_EQ(plan.delays.at(0).delay_ns, 1'000'000u);
    EXPECT_EQ(plan.reorder->by, 3u);
}

TEST(PlanFields, Errors) {
    for (const char* text : {R"({"drop": {}})", R"({"drop": {"positions": [0]}})", R"({"drop": 5})", R"({"delay_us": -1})",
                             R"({"corrupt": {"what": "colour", "every": 1}})", R"({"reorder": {"every": 3, "by": 3}})",
                             R"({"stall": {"at": 0, "for_ms": 1}})", R"({"stall": {"at": 1, "for_ms": 1, "buffer": 3}})",
                             R"({"capacity": {"rate_fps": 0, "buffer": 1}})", R"({"drops": {"every": 1}})", R"([])"})
        EXPECT_THROW(plan_of(Json::parse(text)), message::MessageError) << text;
}

TEST(Requests, ErrorsChangeNothing) {
    HeapPool pool;
    Recorder recorder(pool);
    Gateway gateway(config_from_json(example()).gateway, pool, recorder);
    EXPECT_EQ(answer_request(gateway, R"({"request": "impair", "id": 4, "forward": {}, "reverse": {"drop": 1}})").json.dump(),
              R"({"error":"reverse.drop: 1 is not allowed: an object","id":4})");
    EXPECT_EQ(gateway.impairments(Direction::forward).plan().drop.every, 10u);
    EXPECT_EQ(answer_request(gateway, R"({"request": "impair", "forward": {}})").json.dump(), R"({"response":"impair"})");
    EXPECT_EQ(gateway.impairments(Direction::forward).plan().drop.every, 0u);
    for (const char* line : {"", "{", "[]", "1", "null", R"({"request": 1})", R"({"request": "x"})", "{\"request\": \"\xff\"}",
                             R"({"request": "impair"})", R"({"request": "reset", "what": 1})"})
        EXPECT_TRUE(answer_request(gateway, line).json.contains("error")) << line;
    EXPECT_TRUE(answer_request(gateway, R"({"request": "quit"})").quit);
    EXPECT_TRUE(answer_request(gateway, R"({"request": "counters"})").json.contains("forward"));
}

TEST(Help, NamesEveryTechnologyRequestAndField) {
    const std::string page = help_text();
    for (const auto* kind : kinds()) EXPECT_NE(page.find("{\"name\": \"" + std::string(kind->name) + "\""), std::string::npos);
    for (const auto& kind : requests())
        EXPECT_NE(page.find("{\"request\": \"" + std::string(kind.name) + "\"}"), std::string::npos);
    for (const char* text : {"left.routes[].via", "hugepages", "domains[].psid_offset", "state.when_full", "checks.source_port",
                             "forward.reorder.flush_ms", "map-e, map-e-ce: the border relay"})
        EXPECT_NE(page.find(text), std::string::npos) << text;
    std::istringstream lines(page);
    for (std::string line; std::getline(lines, line);) EXPECT_LT(line.size(), 200u) << line;
}

}  // namespace
}  // namespace xlatperf::reference
