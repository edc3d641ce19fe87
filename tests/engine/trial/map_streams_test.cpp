// The frames of MAP-E and MAP-T: what leaves, what must come back, and what is found in what isn't so. Addresses and ports are
// checked with MapRule, which the frames aren't made with.
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "frame/classifier.h"
#include "technology/map_rule.h"
#include "trial/map_frames.h"
#include "wire/byte_order.h"
#include "wire/rfc6052.h"

namespace xlatperf::trial {
namespace {

using flow::Class;
using flow::Direction;

// A subscriber's end of an IPv4 packet at `at`, and the CE's IPv6 address at `mapped`, belong together.
void expect_ce(const technology::MapRule& rule, const Bytes& frame, std::size_t at, bool sends, std::size_t mapped) {
    const std::size_t udp = at + wire::ipv4::size;
    const auto address = ipv4_at(frame, at + (sends ? wire::ipv4::source : wire::ipv4::destination));
    const auto port = wire::load16(&frame[udp + (sends ? wire::udp::source_port : wire::udp::destination_port)]);
    const auto ea = rule.ea_of(address, port);
    ASSERT_TRUE(ea) << wire::to_text(address) << " port " << port;
    EXPECT_EQ(wire::to_text(rule.ce(*ea).ipv6), wire::to_text(ipv6_at(frame, mapped)));
}

technology::MapRule random_rule(std::mt19937_64& random) {
    const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    technology::MapRule rule;
    do {
        rule.ipv4 = {wire::Ipv4Address{static_cast<std::uint32_t>(random())}, below(33)};
        rule.ipv6 = {wire::Ipv6Address{static_cast<wire::Bits128>(random()) << 64 | random()}, 1 + below(63)};
        rule.ea_bits = below(49);
        rule.psid_offset = below(16);
        // With a longer end-user prefix parts of the IPv4 address are gone from the interface identifier.
    } while (!rule.problem().empty() || rule.end_user_length() > 64);
    return rule;
}
std::string text(const technology::MapRule& rule) {
    return R"("ipv6": ")" + wire::to_text(rule.ipv6) + R"(", "ipv4": ")" + wire::to_text(rule.ipv4) + R"(", "ea_bits": )" +
           std::to_string(rule.ea_bits) + R"(, "psid_offset": )" + std::to_string(rule.psid_offset);
}

TEST(MapEStreams, EncapsulateAndDecapsulate) {  // R2473-6.4, R8219-4.2-3, RFC 7597 §8, RFC 2473 §5
    std::mt19937_64 random(9);
    for (int i = 0; i < 200; ++i) {
        const auto rule = random_rule(random);
        for (const std::string role : {"br", "ce"}) {
            const auto configuration = map("map-e", role, text(rule));
            for (const auto direction : flow::both_directions) {
                const auto stream = stream_of(configuration, direction);
                const bool up = direction == Direction::forward;
                // Who sends into the tunnel, and who must find it encapsulated.
                const bool tester_encapsulates = (role == "br") == up;
                for (std::uint64_t sequence = 0; sequence < 20; ++sequence) {
                    const Bytes leaves = leaving(stream, sequence), comes = arriving(stream, sequence);
                    const Bytes &outside = tester_encapsulates ? leaves : comes, &plain = tester_encapsulates ? comes : leaves;
                    ASSERT_EQ(outside.size(), 100U);
                    ASSERT_EQ(plain.size(), 60U);
                    expect_ce(rule, outside, inner, up, ip + (up ? wire::ipv6::source : wire::ipv6::destination));
                    EXPECT_EQ(wire::to_text(ipv6_at(outside, ip + (up ? wire::ipv6::destination : wire::ipv6::source))),
                              "2001:db8:ffff::1");
                    EXPECT_EQ(wire::load16(&outside[ip + wire::ipv6::payload_length]), 46);
                    EXPECT_EQ(outside[ip + wire::ipv6::next_header], 4);
                    EXPECT_EQ(outside[ip + wire::ipv6::hop_limit], 64);
                    EXPECT_EQ(wire::load32(&outside[ip]), 0x6b800000U) << "the traffic class is carried over, flow label 0";
                    EXPECT_EQ(leaves[(tester_encapsulates ? inner : ip) + wire::ipv4::ttl], 10);
                    EXPECT_EQ(comes[(tester_encapsulates ? ip : inner) + wire::ipv4::ttl], 9);
                    expect_right_checksums(outside, inner);
                    expect_right_checksums(plain, ip);
                    // Inside it is the same packet but for the TTL and its checksum.
                    Bytes a = packet(outside, inner), b = packet(plain, ip);
                    for (auto* one : {&a, &b}) (*one)[8] = (*one)[10] = (*one)[11] = 0;
                    EXPECT_EQ(a, b);
                    EXPECT_TRUE(matches(stream, comes));
                    EXPECT_FALSE(matches(stream, leaves));
                }
            }
        }
    }
}

TEST(MapTStreams, TranslateToTheMapAddress) {  // RFC 7599 §8
    std::mt19937_64 random(10);
    for (int i = 0; i < 200; ++i) {
        const auto rule = random_rule(random);
        for (const std::string role : {"br", "ce"}) {
            const auto configuration = map("map-t", role, text(rule));
            for (const auto direction : flow::both_directions) {
                const auto stream = stream_of(configuration, direction);
                const bool up = direction == Direction::forward, sends_ipv6 = (role == "br") == up;
                for (std::uint64_t sequence = 0; sequence < 20; ++sequence) {
                    const Bytes leaves = leaving(stream, sequence), comes = arriving(stream, sequence);
                    const Bytes &v6 = sends_ipv6 ? leaves : comes, &v4 = sends_ipv6 ? comes : leaves;
                    ASSERT_EQ(v6.size(), 80U);
                    ASSERT_EQ(v4.size(), 60U);
                    const auto ce = ipv6_at(v6, ip + (up ? wire::ipv6::source : wire::ipv6::destination));
                    const auto far = ipv6_at(v6, ip + (up ? wire::ipv6::destination : wire::ipv6::source));
                    const auto host = ipv4_at(v4, ip + (up ? wire::ipv4::destination : wire::ipv4::source));
                    EXPECT_EQ(wire::to_text(far),
                              wire::to_text(wire::rfc6052::embed(*wire::parse_ipv6_prefix("2001:db8:ffff::/64"), host)));
                    const std::size_t udp = ip + wire::ipv4::size;
                    const auto address = ipv4_at(v4, ip + (up ? wire::ipv4::source : wire::ipv4::destination));
                    const auto ea = rule.ea_of(address, wire::load16(&v4[udp + (up ? 0U : 2U)]));
                    ASSERT_TRUE(ea);
                    const auto map_ce = rule.ce(*ea);
                    // RFC 7597 §6; with an IPv4 prefix the packet's own address.
                    const wire::Bits128 host_bits = address.value - map_ce.ipv4.value;
                    EXPECT_TRUE(ce.value == (map_ce.ipv6.value | host_bits << 16)) << wire::to_text(ce);
                    expect_right_checksums(v6, ip);
                    expect_right_checksums(v4, ip);
                    EXPECT_TRUE(matches(stream, comes));
                }
            }
        }
    }
}

// RFC 7597 Appendix A, example 2, and RFC 7599 Appendix A: 192.0.2.18:1232 to 10.2.3.4:80.
TEST(MapTStreams, Rfc7599Example) {
    Configuration configuration = map("map-t", "ce", example + R"(, "ea": 4660, "ces": 1)");
    configuration.technology = technology::read_technology(R"({"name": "map-t", "role": "ce", "domains": [{)" + example +
                                                               R"(, "ea": 4660, "ces": 1, "dmr": "2001:db8:ffff::/64"}]})",
                                                           "10.2.3.2/30");
    configuration.ports[0] = {flow::PortRange(flow::Order::fixed, 0, 0), flow::PortRange(flow::Order::fixed, 80, 80)};
    const auto stream = stream_of(configuration, Direction::forward);
    const Bytes comes = arriving(stream, 0);
    EXPECT_EQ(wire::to_text(ipv6_at(comes, ip + wire::ipv6::source)), "2001:db8:12:3400:0:c000:212:34");
    EXPECT_EQ(wire::to_text(ipv6_at(comes, ip + wire::ipv6::destination)), "2001:db8:ffff:0:a:203:200:0") << "host 10.2.3.2";
    EXPECT_EQ(wire::load16(&comes[ip + wire::ipv6::size]), 1232);
    EXPECT_EQ(wire::load16(&comes[ip + wire::ipv6::size + 2]), 80);
}

// What is wrong with one octet of a frame that arrives in a tunnel.
TEST(MapEStreams, FaultsAreFound) {
    const auto stream = stream_of(map("map-e", "br"), Direction::reverse, 128);
    const Bytes right = arriving(stream, 3);
    const frame::Classifier classifier(stream);
    const auto found = [&](const std::function<void(Bytes&)>& spoil) {
        Bytes frame = right;
        spoil(frame);
        EXPECT_FALSE(matches(stream, frame));
        const auto finding = classifier.classify(frame.data(), frame.size());
        return (finding.reason ? std::string(name(*finding.reason)) : std::string(name(*finding.stray))) + ": " + finding.text;
    };
    const auto at = [&](std::size_t place) { return [place](Bytes& frame) { frame[place] ^= 1; }; };
    const auto begins = [](const std::string& text, const std::string& with) {
        EXPECT_EQ(text.substr(0, with.size()), with) << text;
    };
    begins(found(at(ip + wire::ipv6::source + 15)), "wrong_address: outer source 2001:db8:ffff::, expected 2001:db8:ffff::1");
    begins(found(at(ip + wire::ipv6::destination + 15)), "wrong_address: outer destination ");
    begins(found(at(ip + wire::ipv6::hop_limit)), "hop_limit: outer hop limit 65, expected 64");
    begins(found([](Bytes& frame) { frame[ip] ^= 0x10; }), "malformed");
    begins(found(at(ip)), "traffic_class: outer traffic class 0xa8, expected 0xb8");
    begins(found([](Bytes& frame) { frame[ip + 1] ^= 0x10; }), "traffic_class: outer traffic class");
    begins(found(at(ip + wire::ipv6::payload_length + 1)), "malformed");
    begins(found([](Bytes& frame) { frame[ip + wire::ipv6::payload_length + 1] -= 2; }), "payload: ");
    begins(found(at(inner + wire::ipv4::ttl)), "hop_limit: TTL 8, expected 9");
    begins(found(at(inner + wire::ipv4::source + 3)), "wrong_address: source");
    begins(found(at(inner + wire::ipv4::destination + 3)), "wrong_address: destination");
    begins(found(at(inner + wire::ipv4::identification)), "identification: identification");
    begins(found(at(inner + wire::ipv4::checksum)), "ip_checksum");
    begins(found(at(inner + 20)), "wrong_port");
    begins(found(at(inner + 26)), "udp_checksum");
    begins(found(at(right.size() - 1)), "payload: UDP data changed: octet");
    begins(found([](Bytes& frame) { frame.push_back(0); }), "wrong_length");
    begins(found([](Bytes& frame) {
               frame.erase(frame.begin() + ip, frame.begin() + inner);
               wire::store16(&frame[12], wire::ethernet::ipv4);
           }),
           "untranslated: IPv4 198.19.0.2 > ");
    begins(found([](Bytes& frame) {  // fragmented after encapsulation: a Fragment header in front of the first 32 bytes
               const Bytes header = {4, 0, 0, 1, 0, 0, 0, 7};
               frame.insert(frame.begin() + inner, header.begin(), header.end());
               frame.resize(inner + 40);
               frame[ip + wire::ipv6::next_header] = 44;
               wire::store16(&frame[ip + wire::ipv6::payload_length], 40);
           }),
           "fragment: IPv6 2001:db8:ffff::1 > ");
    Bytes labelled = right;
    labelled[ip + 3] = 0x77;
    EXPECT_TRUE(matches(stream, labelled)) << "RFC 2473 §6.6: the flow label is the tunnel's own";

    const auto up = stream_of(map("map-e", "br"), Direction::forward);
    const Bytes still = leaving(up, 0);
    EXPECT_NE(frame::Classifier(up).classify(still.data(), still.size()).text.find("still in a tunnel"), std::string::npos);
}

TEST(MapEStreams, BackgroundIsNative) {  // R8219-5.3-3
    auto configuration = map("map-e", "br");
    configuration.foreground_of = 2;
    for (const auto direction : flow::both_directions) {
        const auto stream = stream_of(configuration, direction);
        for (std::uint64_t i = 0; i < 50; ++i) {
            const Bytes comes = arriving(stream, i);
            EXPECT_TRUE(matches(stream, comes)) << i;
            if (stream.mix(i) == Class::background) {
                EXPECT_EQ(comes.size(), 100U) << "as large as the tunnel's frames";
            }
        }
    }
}

TEST(MapEStreams, SizesThatFit) {  // R8219-5.1-1
    const auto configuration = map("map-e", "br");
    Description description;
    description.frame_size_of = FrameSizeOf::ipv4;
    for (const auto& [size, allowed] : {std::pair{63, false}, {64, true}, {1482, true}, {1483, false}}) {
        description.frame_sizes = {static_cast<std::size_t>(size)};
        EXPECT_EQ(impossible_size(configuration, description, 1522).empty(), allowed) << size;
    }
    description.frame_size_of = FrameSizeOf::ipv6;
    for (const auto& [size, allowed] : {std::pair{103, false}, {104, true}, {1522, true}, {1523, false}}) {
        description.frame_sizes = {static_cast<std::size_t>(size)};
        EXPECT_EQ(impossible_size(configuration, description, 1522).empty(), allowed) << size;
    }
}

}  // namespace
}  // namespace xlatperf::trial
