// Stateful translation by the gateway as a whole: headers, checksums, routes, and what isn't translated.
#include <gtest/gtest.h>

#include "bed.h"
#include "control/config.h"
#include "control/requests.h"

namespace xlatperf::reference {
namespace {

using namespace test;

/// Routes and neighbours of all technologies; clients 10.0.0.2 and 2001:2::2, servers 198.19.0.2 and 2001:2:0:8000::2.
Json configuration(const Json& technology) {
    Json json = Json::parse(R"({
      "left": {"port": "x", "ipv4": "10.255.0.1/30", "ipv6": "2001:2:0:7fff::1/64",
               "routes": [{"prefix": "10.0.0.0/16", "via": "10.255.0.2"}, {"prefix": "2001:2::/64", "via": "2001:2:0:7fff::2"}],
               "neighbors": [{"address": "10.255.0.2", "mac": "12:12:12:12:12:12"},
                             {"address": "2001:2:0:7fff::2", "mac": "12:12:12:12:12:12"}]},
      "right": {"port": "y", "ipv4": "198.19.255.1/30", "ipv6": "2001:2:0:ffff::1/64",
                "routes": [{"prefix": "198.19.0.0/17", "via": "198.19.255.2"},
                           {"prefix": "2001:2:0:8000::/64", "via": "2001:2:0:ffff::2"}],
                "neighbors": [{"address": "198.19.255.2", "mac": "14:14:14:14:14:14"},
                              {"address": "2001:2:0:ffff::2", "mac": "14:14:14:14:14:14"}]}})");
    json["technology"] = technology;
    return Json::parse(json.dump());  // numbers as they're read, not as C++ has them
}
const Json nat44 = Json::parse(R"({"name": "nat44", "pool": {"first": "198.19.200.1", "first_port": 2000, "last_port": 2999}})");
const Json nat64 = Json::parse(R"({"name": "nat64", "prefix": "2001:db8:6464::/96", "pool": {"first": "198.19.200.1",
                                   "first_port": 2000, "last_port": 2999}})");
const Json nat66 = Json::parse(R"({"name": "nat66", "pool": {"first": "2001:2:0:c000::1", "first_port": 2000,
                                   "last_port": 2999}})");

struct NatBed : Bed {
    explicit NatBed(const Json& technology) : Bed(config_from_json(configuration(technology)).gateway) {}
    ~NatBed() {
        EXPECT_EQ(pool.live(), 0u);
        EXPECT_EQ(pool.wrongly_freed, 0u);
    }
    /// What leaves when the packet arrives, without its Ethernet header; empty: nothing.
    Octets through(Side side, const Octets& packet) {
        recorder.sent.clear();
        const std::uint16_t type = packet[0] >> 4 == 4 ? 0x0800 : 0x86dd;
        side == Side::left ? from_left(type, packet) : from_right(type, packet);
        if (recorder.sent.size() != 1) return {};
        EXPECT_EQ(recorder.sent[0].side, other(side));
        const Octets& frame = recorder.sent[0].octets;
        const Octets macs = side == Side::left ? hex("141414141414 040404040404") : hex("121212121212 020202020202");
        EXPECT_EQ(Octets(frame.begin(), frame.begin() + 12), macs);
        EXPECT_EQ(get16(frame, 12), frame[14] >> 4 == 4 ? 0x0800 : 0x86dd);
        return Octets(frame.begin() + 14, frame.end());
    }
    Json ask(const Json& request) { return answer_request(gateway, request.dump()).json; }
    Json state() { return ask({{"request", "counters"}})["state"]; }
    std::uint64_t refused(Fate fate, Direction direction = Direction::reverse) const { return Bed::refused(direction, fate); }
};

Octets v4(const char* source, const char* destination, std::uint16_t source_port, std::uint16_t destination_port,
          std::size_t size = 18, std::uint16_t flags_offset = 0) {
    return with_checksum(ipv4(source, destination, 17, udp(size, source_port, destination_port), flags_offset), 17, 6);
}
Octets v6(const char* source, const char* destination, std::uint16_t source_port, std::uint16_t destination_port,
          std::size_t size = 18) {
    return with_checksum(ipv6(source, destination, 17, udp(size, source_port, destination_port)), 17, 6);
}
/// With the next lower TTL.
Octets hop(Octets packet) {
    if (packet[0] >> 4 == 6) {
        --packet[7];
        return packet;
    }
    --packet[8];
    put16(packet, 10, 0);
    put16(packet, 10, static_cast<std::uint16_t>(~ones_sum(packet, 0, 20)));
    return packet;
}

TEST(NatGateway, Nat44Headers) {
    NatBed bed(nat44);
    EXPECT_EQ(bed.through(Side::left, v4("10.0.0.2", "198.19.0.2", 5000, 7, 19)),
              hop(v4("198.19.200.1", "198.19.0.2", 2000, 7, 19)));
    EXPECT_EQ(bed.through(Side::left, v4("10.0.0.3", "198.19.0.2", 2500, 8)), hop(v4("198.19.200.1", "198.19.0.2", 2500, 8)));
    EXPECT_EQ(bed.through(Side::right, v4("198.19.0.2", "198.19.200.1", 7, 2000)), hop(v4("198.19.0.2", "10.0.0.2", 7, 5000)));
    EXPECT_EQ(bed.through(Side::right, v4("198.19.0.2", "198.19.200.1", 8, 2500, 18, 0x4000)),
              hop(v4("198.19.0.2", "10.0.0.3", 8, 2500, 18, 0x4000)));
    EXPECT_EQ(bed.state()["entries"], 2);
    EXPECT_EQ(bed.gateway.counters(Direction::forward).translated, 2u);
    EXPECT_EQ(bed.gateway.counters(Direction::reverse).translated, 2u);
    EXPECT_EQ(bed.gateway.impairments(Direction::forward).counters().test_packets, 2u);
}

TEST(NatGateway, Nat66Headers) {
    NatBed bed(nat66);
    EXPECT_EQ(bed.through(Side::left, v6("2001:2::2", "2001:2:0:8000::2", 5000, 7)),
              hop(v6("2001:2:0:c000::1", "2001:2:0:8000::2", 2000, 7)));
    EXPECT_EQ(bed.through(Side::right, v6("2001:2:0:8000::2", "2001:2:0:c000::1", 7, 2000)),
              hop(v6("2001:2:0:8000::2", "2001:2::2", 7, 5000)));
}

TEST(NatGateway, Nat64Headers) {
    NatBed bed(nat64);
    const Octets four = bed.through(Side::left, v6("2001:2::2", "2001:db8:6464::c613:2", 5000, 7));
    Octets expected = hop(v4("198.19.200.1", "198.19.0.2", 2000, 7));
    put16(expected, 4, 0);  // the identification is the translator's
    put16(expected, 10, 0);
    put16(expected, 10, static_cast<std::uint16_t>(~ones_sum(expected, 0, 20)));
    EXPECT_EQ(four, expected);
    EXPECT_EQ(bed.through(Side::right, v4("198.19.0.2", "198.19.200.1", 7, 2000)),
              hop(v6("2001:db8:6464::c613:2", "2001:2::2", 7, 5000)));
    // RFC 7915 §5.1: DF above 1260 bytes.
    EXPECT_EQ(get16(bed.through(Side::left, v6("2001:2::2", "2001:db8:6464::c613:2", 5000, 7, 1300)), 6), 0x4000);
}

TEST(NatGateway, EveryChecksumIsRight) {
    // All source ports, so that each value of the checksum comes about; zero is sent as ones (RFC 768).
    for (const Json& technology : {nat44, nat64, nat66}) {
        Json wide = technology;
        wide["pool"]["first_port"] = 1;
        wide["pool"]["last_port"] = 65535;
        NatBed bed(wide);
        const bool six = technology["name"] != "nat44", nat64_used = technology["name"] == "nat64";
        unsigned ones = 0;
        for (unsigned port = 1; port < 65536; port += 1) {
            const auto p = static_cast<std::uint16_t>(port);
            const Octets out =
                bed.through(Side::left, six ? v6("2001:2::2", nat64_used ? "2001:db8:6464::c613:2" : "2001:2:0:8000::2", p, 7, 2)
                                            : v4("10.0.0.2", "198.19.0.2", p, 7, 2));
            ASSERT_FALSE(out.empty()) << port;
            ASSERT_EQ(transport_sum(out, 17), 0xffff) << port;
            if (out[0] >> 4 == 4) {
                ASSERT_EQ(ones_sum(out, 0, 20), 0xffff) << port;
            }
            const std::uint16_t field = get16(out, (out[0] >> 4 == 4 ? 20u : 40u) + 6);
            ASSERT_NE(field, 0);
            if (field == 0xffff) ++ones;
        }
        EXPECT_GT(ones, 0u);
        EXPECT_EQ(bed.state()["entries"], 65535);
    }
}

TEST(NatGateway, R768_NoUdpChecksumStaysNone) {
    NatBed bed(nat44);
    Octets packet = v4("10.0.0.2", "198.19.0.2", 5000, 7);
    put16(packet, 26, 0);
    EXPECT_EQ(get16(bed.through(Side::left, packet), 26), 0);
    NatBed nat64_bed(nat64);
    nat64_bed.through(Side::left, v6("2001:2::2", "2001:db8:6464::c613:2", 2500, 7));
    Octets back = v4("198.19.0.2", "198.19.200.1", 7, 2500);
    put16(back, 26, 0);
    EXPECT_TRUE(nat64_bed.through(Side::right, back).empty());
    EXPECT_EQ(nat64_bed.refused(Fate::udp_checksum_zero), 1u);
}

TEST(NatGateway, DamagedStaysDamaged) {
    NatBed bed(nat44);
    Octets packet = v4("10.0.0.2", "198.19.0.2", 5000, 7);
    packet.back() ^= 1;
    EXPECT_NE(transport_sum(bed.through(Side::left, packet), 17), 0xffff);
    packet[10] ^= 1;
    EXPECT_TRUE(bed.through(Side::left, packet).empty());
    EXPECT_EQ(bed.refused(Fate::ipv4_checksum, Direction::forward), 1u);
}

TEST(NatGateway, WhatIsNotTranslated) {
    NatBed bed(nat44);
    bed.through(Side::left, v4("10.0.0.2", "198.19.0.2", 2500, 7));
    EXPECT_TRUE(bed.through(Side::right, v4("198.19.0.2", "198.19.200.1", 7, 2501)).empty());
    EXPECT_TRUE(bed.through(Side::right, v4("198.19.0.2", "198.19.200.1", 7, 80)).empty());  // not a port of the pool
    EXPECT_EQ(bed.refused(Fate::no_mapping), 2u);
    EXPECT_TRUE(bed.through(Side::right, v4("198.19.0.2", "10.0.0.2", 7, 2500)).empty());
    EXPECT_EQ(bed.refused(Fate::inside_address), 1u);
    EXPECT_TRUE(bed.through(Side::left, v4("10.0.0.3", "198.19.200.1", 9, 2500)).empty());  // hairpinning
    EXPECT_EQ(bed.refused(Fate::no_mapping, Direction::forward), 1u);
    EXPECT_TRUE(bed.through(Side::left, ipv4("10.0.0.2", "198.19.0.2", 6, Octets(20))).empty());
    EXPECT_TRUE(bed.through(Side::right, ipv4("198.19.0.2", "198.19.200.1", 1, hex("03 03 fcfc 00000000"))).empty());
    EXPECT_EQ(bed.refused(Fate::not_udp, Direction::forward), 1u);
    EXPECT_EQ(bed.refused(Fate::not_udp), 1u);
    EXPECT_TRUE(bed.through(Side::left, ipv4("10.0.0.2", "198.19.0.2", 17, Octets(16), 0x2000)).empty());
    EXPECT_TRUE(bed.through(Side::left, ipv4("10.0.0.2", "198.19.0.2", 17, Octets(16), 2)).empty());
    EXPECT_EQ(bed.refused(Fate::fragment, Direction::forward), 2u);
    EXPECT_TRUE(bed.through(Side::left, ipv4("10.0.0.2", "198.19.0.2", 17, Octets(7))).empty());
    EXPECT_EQ(bed.refused(Fate::malformed, Direction::forward), 1u);
    bed.from_left(0x0800, v4("10.0.0.2", "203.0.113.1", 2600, 7));
    EXPECT_EQ(bed.refused(Fate::no_route, Direction::forward), 1u);
    EXPECT_EQ(bed.state()["entries"], 1);
}

TEST(NatGateway, TtlEndsHere) {
    for (const Json& technology : {nat44, nat64, nat66}) {
        NatBed bed(technology);
        const bool six = technology["name"] != "nat44";
        Octets packet = technology["name"] == "nat64" ? v6("2001:2::2", "2001:db8:6464::c613:2", 2500, 7)
                        : six                         ? v6("2001:2::2", "2001:2:0:8000::2", 2500, 7)
                                                      : v4("10.0.0.2", "198.19.0.2", 2500, 7);
        packet[six ? 7 : 8] = 2;
        packet = hop(packet);
        bed.recorder.sent.clear();
        bed.from_left(six ? 0x86dd : 0x0800, packet);
        EXPECT_EQ(bed.refused(Fate::hop_limit, Direction::forward), 1u);
        ASSERT_EQ(bed.recorder.sent.size(), 1u);
        EXPECT_EQ(bed.recorder.sent[0].side, Side::left);
        EXPECT_EQ(bed.recorder.sent[0].octets[six ? 54 : 34], six ? 3 : 11);
        EXPECT_EQ(bed.state()["entries"], 0);
    }
}

TEST(NatGateway, ThePoolMayBeTheGatewaysOwnAddress) {
    Json own = nat44;
    own["pool"]["first"] = "198.19.255.1";
    NatBed bed(own);
    EXPECT_EQ(bed.through(Side::left, v4("10.0.0.2", "198.19.0.2", 2500, 7)), hop(v4("198.19.255.1", "198.19.0.2", 2500, 7)));
    EXPECT_EQ(bed.through(Side::right, v4("198.19.0.2", "198.19.255.1", 7, 2500)), hop(v4("198.19.0.2", "10.0.0.2", 7, 2500)));
    bed.from_right(0x0800, with_checksum(ipv4("198.19.255.2", "198.19.255.1", 1, hex("08 00 0000 0001 0002 61")), 1, 2, false));
    EXPECT_EQ(bed.gateway.counters(Side::right).echo_replies, 1u);
}

TEST(NatGateway, OtherFamiliesAndPrefixesAreRouted) {
    NatBed bed(nat44);
    const Octets six = v6("2001:2::2", "2001:2:0:8000::2", 5000, 7);
    EXPECT_EQ(bed.through(Side::left, six), hop(six));
    NatBed nat64_bed(nat64);
    EXPECT_EQ(nat64_bed.through(Side::left, six), hop(six));
    const Octets back = v6("2001:2:0:8000::2", "2001:2::2", 7, 5000);
    EXPECT_EQ(nat64_bed.through(Side::right, back), hop(back));
    EXPECT_EQ(nat64_bed.gateway.counters(Direction::forward).native, 1u);
    EXPECT_EQ(nat64_bed.state()["entries"], 0);
}

TEST(NatGateway, LongPacketsAreFragmentedOrRefused) {
    NatBed bed(nat64);
    bed.through(Side::left, v6("2001:2::2", "2001:db8:6464::c613:2", 2500, 7));
    bed.recorder.sent.clear();
    bed.from_right(0x0800, v4("198.19.0.2", "198.19.200.1", 7, 2500, 1452));
    EXPECT_EQ(bed.recorder.sent.size(), 2u);
    bed.recorder.sent.clear();
    bed.from_right(0x0800, v4("198.19.0.2", "198.19.200.1", 7, 2500, 1472, 0x4000));
    EXPECT_EQ(bed.refused(Fate::too_big), 1u);
}

TEST(NatGateway, TableFullPoolExhaustedAndClear) {
    Json small = nat44;
    small["state"] = {{"entries", 10}, {"mapping", "address_and_port_dependent"}};
    NatBed bed(small);
    for (std::uint16_t i = 0; i < 15; ++i)
        bed.through(Side::left, v4("10.0.0.2", "198.19.0.2", 2000, static_cast<std::uint16_t>(100 + i)));
    EXPECT_EQ(bed.refused(Fate::table_full, Direction::forward), 5u);
    Json state = bed.state();
    EXPECT_EQ(state, Json({{"entries", 10},
                           {"capacity", 10},
                           {"created", 10},
                           {"expired", 0},
                           {"replaced", 0},
                           {"cleared", 0},
                           {"refused", 5},
                           {"exhausted", 0}}));
    EXPECT_EQ(bed.ask({{"request", "clear"}, {"id", 3}}), Json({{"response", "clear"}, {"deleted", 10}, {"id", 3}}));
    EXPECT_EQ(bed.state()["entries"], 0);
    EXPECT_TRUE(bed.through(Side::right, v4("198.19.0.2", "198.19.200.1", 100, 2000)).empty());
    EXPECT_FALSE(bed.through(Side::left, v4("10.0.0.2", "198.19.0.2", 2000, 100)).empty());
    bed.ask({{"request", "reset"}});
    state = bed.state();
    EXPECT_EQ(state["entries"], 1);
    EXPECT_EQ(state["created"], 0);
    EXPECT_EQ(state["cleared"], 0);
}

TEST(NatGateway, TimeGoesOn) {
    Json brief = nat44;
    brief["state"] = {{"timeout_s", 2.5}};
    NatBed bed(brief);
    bed.now = 1'000'000'000;
    bed.through(Side::left, v4("10.0.0.2", "198.19.0.2", 2500, 7));
    bed.gateway.poll(bed.now = 3'499'999'999);
    EXPECT_EQ(bed.state()["entries"], 1);
    bed.gateway.poll(bed.now = 3'500'000'000);
    EXPECT_EQ(bed.state()["expired"], 1);
}

TEST(NatGateway, FaultsAreOrderedAndCounted) {
    NatBed bed(nat44);
    EXPECT_EQ(bed.ask({{"request", "impair"},
                       {"forward",
                        {{"change_mapping", {{"positions", {14}}}},
                         {"share_mapping", {{"positions", {4, 12}}}},
                         {"outside_pool", {{"every", 10}}},
                         {"drop", {{"positions", {1}}}}}}}),
              Json({{"response", "impair"}}));
    std::vector<Octets> sent;
    for (std::uint16_t i = 0; i < 20; ++i)
        sent.push_back(bed.through(Side::left, v4("10.0.0.2", "198.19.0.2", static_cast<std::uint16_t>(2100 + i % 10), 7)));
    EXPECT_TRUE(sent[0].empty());  // dropped behind the translation
    const auto expect = [&](std::size_t i, const char* source, std::uint16_t port) {
        EXPECT_EQ(sent[i], hop(v4(source, "198.19.0.2", port, 7))) << i;
    };
    expect(2, "198.19.200.1", 2102);
    expect(3, "198.19.200.1", 2102);   // shares
    expect(9, "198.19.200.0", 2109);   // outside
    expect(11, "198.19.200.1", 2101);  // a known connection can't begin to share
    expect(13, "198.19.200.1", 2000);  // has its own mapping now
    expect(19, "198.19.200.0", 2109);
    const Json forward = bed.ask({{"request", "counters"}})["forward"];
    const Json& counted = forward["impairments"];
    EXPECT_EQ(forward["test_packets"], 20);
    EXPECT_EQ(counted["changed_mapping"], 1);
    EXPECT_EQ(counted["changed_packets"], 1);
    EXPECT_EQ(counted["shared_mapping"], 1);
    EXPECT_EQ(counted["outside_pool"], 2);
    EXPECT_EQ(counted["not_applicable"], 1);
    EXPECT_EQ(counted["dropped"], 1);
    bed.ask({{"request", "reset"}});  // positions begin again
    bed.through(Side::left, v4("10.0.0.2", "198.19.0.2", 2100, 7));
    EXPECT_EQ(bed.ask({{"request", "counters"}})["forward"]["impairments"]["dropped"], 1);
    EXPECT_EQ(bed.ask({{"request", "counters"}})["forward"]["impairments"]["outside_pool"], 0);
}

TEST(NatGateway, UntranslatedLeavesAsItArrived) {
    for (const Json& technology : {nat44, nat64}) {
        NatBed bed(technology);
        bed.ask({{"request", "impair"}, {"forward", {{"untranslated", {{"every", 2}}}}}});
        const Octets packet =
            technology == nat44 ? v4("10.0.0.2", "198.19.0.2", 2500, 7) : v6("2001:2::2", "2001:db8:6464::c613:2", 2500, 7);
        EXPECT_NE(bed.through(Side::left, packet), packet);
        EXPECT_EQ(bed.through(Side::left, packet), packet);
        EXPECT_EQ(bed.gateway.impairments(Direction::forward).counters().untranslated, 1u);
    }
}

std::string error_of(Json technology, const char* pointer, const Json& value) {
    technology[Json::json_pointer(pointer)] = value;
    try {
        config_from_json(configuration(technology));
    } catch (const ConfigError& error) {
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
    const GatewaySettings made = config_from_json(configuration(technology)).gateway;
    EXPECT_EQ(made.nat->pool.addresses, 20u);
    EXPECT_EQ(made.nat->pool.size(), 40u);
    EXPECT_EQ(made.nat->entries, 4'000'000u);
    EXPECT_EQ(made.nat->when_full, WhenFull::collect);
    EXPECT_EQ(made.nat->collect, 7u);
    EXPECT_EQ(made.nat->timeout_ns, 500'000'000u);
    EXPECT_FALSE(made.nat->endpoint_independent);
    EXPECT_EQ(made.nat->inside, wire::Family::ipv6);
    EXPECT_EQ(made.nat->pool.family, wire::Family::ipv4);
    EXPECT_TRUE(made.siit->compute_udp_checksum_zero);
    const NatSettings usual = *config_from_json(configuration(nat44)).gateway.nat;
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
    EXPECT_EQ(error_of(nat44, "/pool", nullptr), "technology.pool: missing");
    EXPECT_EQ(error_of(nat64, "/prefix", nullptr), "technology.prefix: missing");
    EXPECT_NE(error_of(nat44, "/prefix", "2001:db8::/96").find("technology.prefix: unknown key"), std::string::npos);
    EXPECT_NE(error_of(nat44, "/pool/addresses", 65537).find("an integer, 1 to 65536"), std::string::npos);
    EXPECT_NE(error_of(nat44, "/pool/first", "223.255.255.255"), error_of(nat44, "/pool/first", "224.0.0.1"));
    EXPECT_NE(error_of(nat66, "/pool/first", "ff02::1"), "");
    EXPECT_NE(error_of(nat44, "/pool/first", "0.0.0.0"), "");
    EXPECT_EQ(error_of(nat44, "/state", {{"when_full", "explode"}}),
              "technology.state.when_full: \"explode\" is not allowed: refuse, least_recently_used, collect");
    EXPECT_EQ(error_of(nat44, "/state", {{"when_full", "collect"}}), "technology.state.collect: missing");
    EXPECT_EQ(error_of(nat44, "/state", {{"collect", 3}}),
              "technology.state.collect: 3 is not allowed: only with when_full \"collect\"");
    EXPECT_EQ(error_of(nat44, "/state", {{"entries", 5}, {"when_full", "collect"}, {"collect", 6}}),
              "technology.state.collect: 6 is not allowed: an integer, 1 to 5");
    EXPECT_NE(error_of(nat44, "/state", {{"entries", 0}}), "");
    EXPECT_NE(error_of(nat44, "/state", {{"timeout_s", 0}}), "");
}

TEST(NatConfig, FaultsOfMappingsNeedMappings) {
    NatBed bed(nat44);
    EXPECT_EQ(bed.ask({{"request", "impair"}, {"reverse", {{"change_mapping", {{"every", 2}}}}}})["error"],
              "reverse.change_mapping: only forward, with technology nat44, nat64 or nat66");
    NatBed native(Json::parse(R"({"name": "native"})"));
    EXPECT_EQ(native.ask({{"request", "impair"}, {"forward", {{"outside_pool", {{"every", 2}}}}}})["error"],
              "forward.outside_pool: only forward, with technology nat44, nat64 or nat66");
    EXPECT_EQ(native.ask({{"request", "clear"}})["deleted"], 0);
    EXPECT_FALSE(native.ask({{"request", "counters"}}).contains("state"));
}

}  // namespace
}  // namespace xlatperf::reference
