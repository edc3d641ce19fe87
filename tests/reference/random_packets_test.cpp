// Pseudorandom and damaged packets: nothing may be read or written outside its buffer (the build with AddressSanitizer
// sees that), no buffer may be lost, and what leaves must be well-formed.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <random>

#include "gateway/gateway.h"
#include "gateway/neighbor_messages.h"
#include "impair/alter.h"
#include "packets.h"
#include "technology_of.h"

namespace xlatperf::reference {
namespace {

using namespace test;

const Octets gateway_mac(6, 0x02), tester(6, 0x12);

class Packets {
  public:
    explicit Packets(unsigned seed) : random_(seed) {}
    unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
    std::uint8_t octet() { return static_cast<std::uint8_t>(random_()); }
    Octets octets(std::size_t size) {
        Octets o(size);
        for (auto& x : o) x = octet();
        return o;
    }
    /// A correct packet of some kind, mostly damaged afterwards.
    Octets frame(bool v6) {
        Octets inner = below(3) == 0 ? icmp(v6) : udp(below(1400));
        const std::uint8_t protocol = inner.size() > 1 && inner[0] != 0xc0 ? (v6 ? 58 : 1) : 17;
        Octets packet =
            v6 && below(2) == 0 ? extended(ipv4("198.18.0.2", "198.19.0.2", protocol, inner), 4)
            : v6                ? extended(inner, protocol)
                 : ipv4("198.19.0.2", "198.18.0.2", protocol, inner, static_cast<std::uint16_t>(below(4) == 0 ? random_() : 0));
        if (below(3) != 0)
            for (unsigned i = below(4) + 1; i > 0; --i)
                packet[below(static_cast<unsigned>(std::min<std::size_t>(packet.size(), 80)))] = octet();
        if (!v6 && below(4) != 0) repair(packet);
        if (below(4) == 0) packet.resize(below(static_cast<unsigned>(packet.size()) + 1));
        return ethernet(v6 ? 0x86dd : 0x0800, packet, gateway_mac, tester);
    }

  private:
    std::mt19937_64 random_;

    static void repair(Octets& packet) {
        const std::size_t header = std::min<std::size_t>(4u * (packet[0] & 15), packet.size());
        if (header < 20) return;
        put16(packet, 10, 0);
        put16(packet, 10, static_cast<std::uint16_t>(~ones_sum(packet, 0, header)));
    }
    Octets icmp(bool v6) {
        const Octets types = v6 ? Octets{1, 2, 3, 4, 128, 129, 133, 135, 136} : Octets{0, 3, 4, 5, 8, 11, 12, 13};
        Octets message = octets(8);
        message[0] = types[below(static_cast<unsigned>(types.size()))];
        message[1] = static_cast<std::uint8_t>(below(5));
        const Octets quoted = v6 ? ipv6("2001:2:0:1000::2", "2001:2::2", below(2) ? 17 : 58, udp(below(600)))
                                 : ipv4("198.18.0.2", "198.19.0.2", below(2) ? 17 : 1, udp(below(600)));
        message.insert(message.end(), quoted.begin(), quoted.begin() + below(static_cast<unsigned>(quoted.size())));
        if (!v6) {
            put16(message, 2, 0);
            put16(message, 2, static_cast<std::uint16_t>(~ones_sum(message, 0, message.size())));
        }
        return message;
    }
    Octets extended(const Octets& inner, std::uint8_t protocol) {
        Octets payload;
        std::uint8_t next = protocol;
        Octets chain = inner;
        for (unsigned i = below(3); i > 0; --i) {
            const std::uint8_t kinds[] = {0, 43, 44, 60};
            const std::uint8_t kind = kinds[below(4)];
            Octets header = octets(8);
            header[0] = next;
            header[1] = static_cast<std::uint8_t>(below(8) == 0 ? octet() : 0);
            chain.insert(chain.begin(), header.begin(), header.end());
            next = kind;
        }
        Octets packet = ipv6("2001:2::2", "2001:2:0:1000::2", next, chain);
        return protocol == 58 && next == 58 ? with_checksum(packet, 58, 2) : packet;
    }
};

/// Those of which the random packets are made, and small tables.
const std::map<std::string, const char*> technologies = {
    {"native", R"({"name": "native"})"},
    {"siit", R"({"name": "siit", "ipv6_side": "left", "udp_checksum_zero": "compute", "prefix": "2001:db8:6464::/96",
                 "eam": [{"ipv4": "198.18.0.0/24", "ipv6": "2001:2::/120"},
                         {"ipv4": "198.19.0.0/24", "ipv6": "2001:2:0:1000::/120"}]})"},
    {"nat64", R"({"name": "nat64", "prefix": "2001:2:0:1000::/96",
                  "pool": {"first": "198.18.0.2", "first_port": 7, "last_port": 7},
                  "state": {"entries": 1, "timeout_s": 0.001, "when_full": "least_recently_used"}})"},
    {"nat66", R"({"name": "nat66", "pool": {"first": "2001:2:0:2000::1", "addresses": 2, "first_port": 1, "last_port": 65535},
                  "state": {"entries": 2, "timeout_s": 0.001, "when_full": "least_recently_used"}})"},
    {"map_e", R"({"name": "map-e", "role": "br", "domains": [{"ipv6": "2001:2::/48", "ipv4": "198.18.0.0/24", "ea_bits": 12,
                  "br": "2001:2:0:1000::2"}], "checks": {"source_address": false, "source_port": false,
                  "interface_identifier": false, "ea_bits": false}})"},
    {"map_t", R"({"name": "map-t", "role": "br", "domains": [{"ipv6": "2001:2::/48", "ipv4": "198.18.0.0/24", "ea_bits": 12,
                  "dmr": "2001:2:0:1000::/64"}], "checks": {"source_address": false, "source_port": false,
                  "interface_identifier": false, "ea_bits": false}})"},
    {"ce_e", R"({"name": "map-e-ce", "domains": [{"ipv6": "2001:2:0:1000::/64", "ipv4": "198.19.0.2/32", "ea_bits": 0, "ea": 0,
                 "br": "2001:2::2"}], "checks": {"interface_identifier": false, "border_relay": false},
                 "state": {"entries": 2, "timeout_s": 0.001, "when_full": "least_recently_used"}})"},
    {"ce_t", R"({"name": "map-t-ce", "domains": [{"ipv6": "2001:2:0:1000::/64", "ipv4": "198.19.0.2/32", "ea_bits": 0, "ea": 0,
                 "dmr": "2001:2::/64"}], "udp_checksum_zero": "compute", "checks": {"interface_identifier": false},
                 "state": {"entries": 2, "timeout_s": 0.001, "when_full": "least_recently_used"}})"},
    {"dslite", R"({"name": "dslite", "aftr": "2001:2:0:1000::2", "pool": {"first": "198.18.0.2", "first_port": 7, "last_port": 7},
                   "state": {"entries": 1, "timeout_s": 0.001, "when_full": "least_recently_used"}, "sessions": 1,
                   "checks": {"source_address": false}})"},
    {"ce_dslite", R"({"name": "dslite-b4", "b4": "2001:2:0:1000::2", "aftr": "2001:2::2", "checks": {"aftr": false}})"},
};

std::shared_ptr<Technology> lw4o6() {
    const auto path = std::filesystem::temp_directory_path() / ("xlatperf-random-" + std::to_string(getpid()) + ".csv");
    std::ofstream(path) << "ipv6,ipv4,psid_offset,psid_length,psid,lwaftr\n2001:2::2,198.18.0.2,0,0,0,2001:2:0:1000::2\n";
    const nlohmann::json json = {
        {"name", "lw4o6"}, {"role", "lwaftr"}, {"table", path.string()}, {"checks", {{"source_address", false}}}};
    const auto found = technology_of(json);
    std::filesystem::remove(path);
    return found;
}

class RandomPackets : public testing::TestWithParam<const char*> {};

TEST_P(RandomPackets, ThroughTheGateway) {
    GatewaySettings s;
    const std::string technology = GetParam();
    const bool is_ce = technology.starts_with("ce");
    const Side six_side = is_ce ? Side::right : Side::left, four_side = other(six_side);
    auto &six = s.sides[index(six_side)], &four = s.sides[index(four_side)];
    six.ipv6 = wire::parse_ipv6_prefix("2001:2:0:7fff::1/64");
    four.ipv4 = wire::parse_ipv4_prefix("198.18.255.1/30");
    six.ipv6_routes = {{*wire::parse_ipv6_prefix("::/0"), *wire::parse_ipv6("2001:2:0:7fff::2")}};
    four.ipv4_routes = {{*wire::parse_ipv4_prefix(is_ce ? "198.19.0.0/16" : "0.0.0.0/0"), *wire::parse_ipv4("198.18.255.2")}};
    six.neighbors = {{NeighborAddress::of(six_side, *wire::parse_ipv6("2001:2:0:7fff::2")), {}}};
    four.neighbors = {{NeighborAddress::of(four_side, *wire::parse_ipv4("198.18.255.2")), {}}};
    four.mtu = 900;
    s.technology = technology == "lw4o6" ? lw4o6() : technology_of(nlohmann::json::parse(technologies.at(technology)));
    if (technology == "nat66") {
        s.sides[1].ipv6_routes = {{*wire::parse_ipv6_prefix("2001:2:0:1000::/64"), *wire::parse_ipv6("2001:2:0:ffff::2")}};
        s.sides[1].neighbors.push_back({NeighborAddress::of(Side::right, *wire::parse_ipv6("2001:2:0:ffff::2")), {}});
        s.plans[0].change_mapping = {2, {}};
        s.plans[0].share_mapping = {3, {}};
    }
    for (Plan& plan : s.plans) {
        plan.duplicate = {5, {}};
        plan.untranslated = {7, {}};
        plan.delay_ns = 3000;
        plan.reorder = Reorder{{9, {}}, 3, 1000};
        for (std::size_t i = 0; i < alterations; ++i) plan.corrupt.push_back({static_cast<Alteration>(i), {3 + i, {}}});
    }
    HeapPool pool;
    Recorder recorder(pool);
    Packets packets(technology == "siit" ? 1 : 2);
    {
        Gateway gateway(s, pool, recorder);
        wire::Mac own{};
        std::copy(gateway_mac.begin(), gateway_mac.end(), own.begin());
        gateway.set_mac(Side::left, own);
        gateway.set_mac(Side::right, own);
        for (std::uint64_t i = 0; i < 40'000; ++i) {
            const bool v6 = packets.below(2) == 0;
            gateway.receive(v6 ? six_side : four_side, pool.with(packets.frame(v6)), i * 1000);
            gateway.poll(i * 1000 + 500);
            if (recorder.sent.size() > 1000) recorder.sent.clear();
        }
        EXPECT_GT(gateway.counters(Direction::forward).fates[0], 500u);
        EXPECT_GT(gateway.counters(Direction::reverse).fates[0], 500u);
        if (technology == "nat64" || technology == "lw4o6" || technology.rfind("map", 0) == 0) {
            EXPECT_GT(gateway.counters(Direction::reverse).translated, 100u);
        }
        if (technology.rfind("map", 0) == 0 || technology == "lw4o6") {
            EXPECT_GT(gateway.counters(Direction::forward).translated, 100u);
        }
        if (gateway.nat()) {
            EXPECT_GT(gateway.nat()->counters().created, 100u);
            EXPECT_GT(gateway.counters(Direction::forward).translated, 100u);
        }
    }
    EXPECT_EQ(pool.live(), 0u);
    EXPECT_EQ(pool.wrongly_freed, 0u);
}
INSTANTIATE_TEST_SUITE_P(Technologies, RandomPackets,
                         testing::Values("siit", "native", "nat64", "nat66", "map_e", "map_t", "ce_e", "ce_t", "lw4o6", "dslite",
                                         "ce_dslite"),
                         [](const auto& technology) { return technology.param; });

TEST(RandomMessages, ArpAndNeighborDiscovery) {
    Packets packets(3);
    for (int i = 0; i < 20'000; ++i) {
        Octets frame(neighbor_frame_size);
        write_solicitation(frame.data(), {}, *wire::parse_ipv6("2001:2::2"), *wire::parse_ipv6("2001:2::3"));
        frame[54 + packets.below(32)] = packets.octet();
        Octets ip(frame.begin() + 14, frame.end());
        ip = with_checksum(ip, 58, 2);
        std::copy(ip.begin(), ip.end(), frame.begin() + 14);
        frame.resize(packets.below(8) == 0 ? packets.below(86) : 86);
        frame.shrink_to_fit();
        parse_neighbor_message(frame);
        frame.resize(std::min<std::size_t>(frame.size(), 50));
        frame.shrink_to_fit();
        if (frame.size() > 14) put16(frame, 12, 0x0806);
        parse_arp(frame);
        for (std::size_t what = 0; what < alterations; ++what) alter(frame, static_cast<Alteration>(what));
    }
}

}  // namespace
}  // namespace xlatperf::reference
