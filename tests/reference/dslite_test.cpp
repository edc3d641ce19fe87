// DS-Lite: the AFTR with the B4 in its state, its checks and limits; the B4.
#include "nat_bed.h"

namespace xlatperf::reference {
namespace {

using namespace test;

const char *const aftr = "2001:2:0:af::1", *const b4_a = "2001:2::b4:1", *const b4_b = "2001:2::b4:2",
                  *const ds_client = "10.0.0.2", *const ds_pool = "198.19.200.1", *const ds_server = "198.19.0.2";

Json aftr_technology(Json more = Json::object()) {
    Json json = Json::parse(R"({"name": "dslite", "aftr": "2001:2:0:af::1",
                                "pool": {"first": "198.19.200.1", "first_port": 2000, "last_port": 2999}})");
    json.update(more);
    return json;
}

Octets softwired(const char* source, const char* destination, const Octets& packet) {
    return ipv6(source, destination, 4, packet, 64, 0xb8);
}

TEST(Aftr, R6333_6_6_TellsB4sApart) {
    NatBed bed(aftr_technology());
    const Octets same = v4(ds_client, ds_server, 2100, 80);
    EXPECT_EQ(bed.through(Side::left, softwired(b4_a, aftr, same)), hop(v4(ds_pool, ds_server, 2100, 80)));
    EXPECT_EQ(bed.through(Side::left, softwired(b4_b, aftr, same)), hop(v4(ds_pool, ds_server, 2000, 80)))
        << "its port is the other one's";
    EXPECT_EQ(bed.state()["entries"], 2);
    EXPECT_EQ(bed.through(Side::right, v4(ds_server, ds_pool, 80, 2000)),
              softwired(aftr, b4_b, hop(v4(ds_server, ds_client, 80, 2100))));
    EXPECT_EQ(bed.through(Side::right, v4(ds_server, ds_pool, 80, 2100)),
              softwired(aftr, b4_a, hop(v4(ds_server, ds_client, 80, 2100))));
    EXPECT_TRUE(bed.through(Side::right, v4(ds_server, ds_pool, 80, 2001)).empty());
    EXPECT_EQ(bed.refused(Fate::no_mapping), 1u);
}

TEST(Aftr, AfterItsStateWasDeleted) {
    NatBed bed(aftr_technology());
    const Octets packet = v4(ds_client, ds_server, 2100, 80);
    EXPECT_FALSE(bed.through(Side::left, softwired(b4_a, aftr, packet)).empty());
    EXPECT_EQ(bed.ask({{"request", "clear"}})["deleted"], 1);
    EXPECT_TRUE(bed.through(Side::right, v4(ds_server, ds_pool, 80, 2100)).empty());
    EXPECT_FALSE(bed.through(Side::left, softwired(b4_b, aftr, packet)).empty());
    EXPECT_EQ(bed.through(Side::right, v4(ds_server, ds_pool, 80, 2100)),
              softwired(aftr, b4_b, hop(v4(ds_server, ds_client, 80, 2100))));
}

TEST(Aftr, SessionsOfAB4AreLimited) {  // RFC 6888 REQ-4
    NatBed bed(aftr_technology({{"sessions", 2}, {"state", {{"entries", 3}, {"when_full", "least_recently_used"}}}}));
    const auto open = [&](const char* b4, std::uint16_t port) {
        return !bed.through(Side::left, softwired(b4, aftr, v4(ds_client, ds_server, port, 80))).empty();
    };
    EXPECT_TRUE(open(b4_a, 2100));
    EXPECT_TRUE(open(b4_a, 2101));
    EXPECT_FALSE(open(b4_a, 2102));
    EXPECT_TRUE(open(b4_a, 2100)) << "it has that already";
    EXPECT_EQ(bed.refused(Fate::session_limit, Direction::forward), 1u);
    EXPECT_EQ(bed.state()["limited"], 1);
    EXPECT_TRUE(open(b4_b, 2102));
    EXPECT_TRUE(open(b4_b, 2103)) << "instead of the first one's 2101";
    EXPECT_TRUE(open(b4_a, 2102)) << "so it has room again";
    EXPECT_EQ(bed.ask({{"request", "clear"}})["deleted"], 3);
    EXPECT_TRUE(open(b4_a, 2103));
    EXPECT_TRUE(open(b4_a, 2104));
    EXPECT_FALSE(open(b4_a, 2105));
}

TEST(Aftr, EachCheckDropsWhatItIsFor) {
    struct Wrong {
        const char* check;
        Octets packet;
        Fate fate;
    };
    const std::vector<Wrong> all = {
        {"source_address", softwired(b4_a, aftr, v4("198.18.0.2", ds_server, 2100, 80)), Fate::wrong_source_address},  // §11
        {"aftr", softwired(b4_a, "2001:2:0:af::2", v4(ds_client, ds_server, 2100, 80)), Fate::no_route},
    };
    for (const Wrong& wrong : all) {
        NatBed strict(aftr_technology()), lax(aftr_technology({{"checks", {{wrong.check, false}}}}));
        strict.from_left(0x86dd, wrong.packet);
        EXPECT_EQ(strict.refused(wrong.fate, Direction::forward), 1u) << wrong.check;
        EXPECT_EQ(strict.gateway.counters(Direction::forward).translated, 0u) << wrong.check;
        lax.from_left(0x86dd, wrong.packet);
        EXPECT_EQ(lax.gateway.counters(Direction::forward).translated, 1u) << wrong.check;
    }
    for (const char* allowed : {"10.255.255.255", "172.16.0.1", "172.31.0.1", "192.168.3.4", "192.0.0.2"}) {
        NatBed bed(aftr_technology());
        EXPECT_FALSE(bed.through(Side::left, softwired(b4_a, aftr, v4(allowed, ds_server, 2100, 80))).empty()) << allowed;
    }
    for (const char* refused : {"172.32.0.1", "192.0.0.8", "11.0.0.1"}) {
        NatBed bed(aftr_technology());
        EXPECT_TRUE(bed.through(Side::left, softwired(b4_a, aftr, v4(refused, ds_server, 2100, 80))).empty()) << refused;
    }
}

TEST(Aftr, WithoutB4sInItsStateTheirClientsAreOne) {
    NatBed bed(aftr_technology({{"checks", {{"b4", false}}}}));
    const Octets same = v4(ds_client, ds_server, 2100, 80);
    EXPECT_EQ(bed.through(Side::left, softwired(b4_a, aftr, same)), hop(v4(ds_pool, ds_server, 2100, 80)));
    EXPECT_EQ(bed.through(Side::left, softwired(b4_b, aftr, same)), hop(v4(ds_pool, ds_server, 2100, 80)));
    EXPECT_EQ(bed.through(Side::right, v4(ds_server, ds_pool, 80, 2100)),
              softwired(aftr, b4_a, hop(v4(ds_server, ds_client, 80, 2100))))
        << "who came first";
}

TEST(Aftr, WhatItDoesNotTranslate) {
    NatBed bed(aftr_technology());
    bed.from_left(0x86dd, softwired(b4_a, aftr, v4(ds_client, ds_pool, 2100, 2000)));
    EXPECT_EQ(bed.refused(Fate::no_mapping, Direction::forward), 1u) << "to the pool";
    bed.from_left(0x86dd, softwired(b4_a, aftr, ipv4(ds_client, ds_server, 6, udp(20))));
    EXPECT_EQ(bed.refused(Fate::not_udp, Direction::forward), 1u);
    bed.from_left(0x86dd, softwired(b4_a, aftr, v4(ds_client, ds_server, 2100, 80, 18, 0x2000)));
    EXPECT_EQ(bed.refused(Fate::fragment, Direction::forward), 1u);
    bed.from_left(0x86dd, softwired(b4_a, aftr, hex("45 00")));
    EXPECT_EQ(bed.refused(Fate::malformed, Direction::forward), 1u);
    EXPECT_EQ(bed.state()["entries"], 0);
}

TEST(DsliteB4, EncapsulatesToItsAftr) {  // RFC 6333 §5
    const Json technology = {{"name", "dslite-b4"}, {"b4", "2001:2:0:4000::2"}, {"aftr", "2001:2:0:8000::1"}};
    const char *const own = "2001:2:0:4000::2", *const far = "2001:2:0:8000::1";
    const Octets up = v4(ds_client, ds_server, 2100, 80), down = v4(ds_server, ds_client, 80, 2100);
    NatBed bed(technology);
    EXPECT_EQ(bed.through(Side::left, up), softwired(own, far, hop(up)));
    EXPECT_EQ(bed.through(Side::right, softwired(far, own, down)), hop(down));
    bed.from_right(0x86dd, softwired("2001:2:0:8000::2", own, down));
    EXPECT_EQ(bed.refused(Fate::wrong_tunnel_end), 1u);
    Json lenient = technology;
    lenient["checks"] = {{"aftr", false}};
    NatBed lax(lenient);
    EXPECT_EQ(lax.through(Side::right, softwired("2001:2:0:8000::2", own, down)), hop(down));
}

TEST(DsliteConfig, OneLineForEachError) {
    const auto error_of = [](const Json& technology) -> std::string {
        try {
            config_from_json(configuration(technology));
        } catch (const message::MessageError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(error_of(aftr_technology({{"sessions", 0}})), "technology.sessions: 0 is not allowed: whole numbers, 1 to 4000000");
    EXPECT_EQ(error_of(aftr_technology({{"aftr", "x"}})), "technology.aftr: \"x\" is not allowed: an IPv6 address");
    EXPECT_EQ(error_of(aftr_technology({{"checks", {{"lwaftr", false}}}})),
              "technology.checks.lwaftr: unknown key, the nearest is aftr");
    EXPECT_EQ(error_of({{"name", "dslite-b4"}, {"b4", "::1"}}), "technology.aftr: missing: an IPv6 address");
}

}  // namespace
}  // namespace xlatperf::reference
