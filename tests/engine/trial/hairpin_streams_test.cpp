// From one subscriber to another through the same gateway (RFC 7596 §6.2): both ends, both tunnels, and where frames arrive.
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "trial/map_frames.h"

namespace xlatperf::trial {
namespace {

Configuration hairpin(const std::string& softwires) {
    auto configuration = without_technology();
    configuration.technology =
        technology::read_technology(R"({"name": "lw4o6", "hairpinning": true, "softwires": {)" + softwires + "}}");
    return configuration;
}
std::string of_rule(unsigned count) {
    return R"("ipv6": "2001:db8::/40", "ipv4": "192.0.2.0/24", "psid_length": 8, "lwaftr": "2001:db8:ffff::1", "count": )" +
           std::to_string(count);
}

// Who has an IPv4 address and a port, out of a list of all.
struct Owner {
    wire::Ipv6Address lwb4;
    std::size_t index;
};
std::optional<Owner> owner(const flow::Subscribers& all, wire::Ipv4Address address, std::uint16_t port) {
    for (std::uint32_t i = 0; i < all.count(); ++i) {
        const auto who = all(i);
        if (all.ipv4(who, 0) == address && all.rule(who.domain).ports(who.number).contains(port))
            return Owner{all.ipv6(who, 0), i};
    }
    return {};
}

TEST(Hairpin, FromOneSoftwireToAnother) {  // R7596-6.2
    const auto configuration = hairpin(of_rule(50));
    const auto& all = *std::get<flow::HairpinFlows::Space>(configuration.technology->flows()).subscribers;
    const auto stream = stream_of(configuration, flow::Direction::forward);
    EXPECT_EQ(stream.arrives, flow::Side::left);
    const std::string lwaftr = "2001:db8:ffff::1";
    std::set<std::pair<std::size_t, std::size_t>> pairs;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        const Bytes sent = leaving(stream, i), back = arriving(stream, i);
        ASSERT_EQ(sent.size(), back.size());
        const auto from = owner(all, ipv4_at(sent, inner + 12), wire::load16(&sent[inner + 20])),
                   to = owner(all, ipv4_at(sent, inner + 16), wire::load16(&sent[inner + 22]));
        ASSERT_TRUE(from && to) << i;
        ASSERT_NE(from->index, to->index) << "nobody sends to himself";
        pairs.insert({from->index, to->index});
        EXPECT_EQ(ipv6_at(sent, ip + 8), from->lwb4);
        EXPECT_EQ(wire::to_text(ipv6_at(sent, ip + 24)), lwaftr);
        EXPECT_EQ(wire::to_text(ipv6_at(back, ip + 8)), lwaftr);
        EXPECT_EQ(ipv6_at(back, ip + 24), to->lwb4);
        for (const auto& frame : {sent, back}) expect_right_checksums(frame, inner);
        EXPECT_EQ(Bytes(sent.begin() + inner + 12, sent.end()), Bytes(back.begin() + inner + 12, back.end())) << "addresses, UDP";
        EXPECT_EQ(back[inner + 8], sent[inner + 8] - 1) << "RFC 1812 §5.3.1";
        EXPECT_TRUE(matches(stream, back));
        EXPECT_FALSE(matches(stream, sent));
        EXPECT_EQ(back[5], 0x10) << "the left port's MAC address";
    }
    EXPECT_GT(pairs.size(), 700U) << "of 2450";
}

TEST(Hairpin, TwoSoftwiresSendToEachOther) {
    const auto configuration = hairpin(of_rule(2));
    const auto& all = *std::get<flow::HairpinFlows::Space>(configuration.technology->flows()).subscribers;
    const auto stream = stream_of(configuration, flow::Direction::forward);
    std::map<std::size_t, int> first;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        const Bytes sent = leaving(stream, i);
        const auto from = owner(all, ipv4_at(sent, inner + 12), wire::load16(&sent[inner + 20])),
                   to = owner(all, ipv4_at(sent, inner + 16), wire::load16(&sent[inner + 22]));
        ASSERT_TRUE(from && to);
        ASSERT_EQ(from->index, 1 - to->index);
        ++first[from->index];
    }
    EXPECT_GT(first[0], 400);
    EXPECT_GT(first[1], 400);
}

TEST(Hairpin, EachHasItsOwnLwAftr) {
    const auto path = std::filesystem::temp_directory_path() / ("xlatperf-hairpin-" + std::to_string(getpid()) + ".csv");
    std::ofstream(path) << "ipv6,ipv4,psid_offset,psid_length,psid,lwaftr\n"
                           "2001:db8::1,192.0.2.1,0,6,1,2001:db8:ffff::1\n2001:db8::2,192.0.2.1,0,6,2,2001:db8:ffff::1\n"
                           "2001:db8::3,192.0.2.2,0,0,0,2001:db8:ffff::2\n";
    const auto configuration = hairpin(R"("table": ")" + path.string() + "\"");
    std::filesystem::remove(path);
    const auto stream = stream_of(configuration, flow::Direction::forward);
    const std::map<std::string, std::string> lwaftr_of = {
        {"2001:db8::1", "2001:db8:ffff::1"}, {"2001:db8::2", "2001:db8:ffff::1"}, {"2001:db8::3", "2001:db8:ffff::2"}};
    std::set<std::pair<std::string, std::string>> seen;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        const Bytes sent = leaving(stream, i), back = arriving(stream, i);
        const auto from = wire::to_text(ipv6_at(sent, ip + 8)), to = wire::to_text(ipv6_at(back, ip + 24));
        ASSERT_EQ(wire::to_text(ipv6_at(sent, ip + 24)), lwaftr_of.at(from));
        ASSERT_EQ(wire::to_text(ipv6_at(back, ip + 8)), lwaftr_of.at(to));
        ASSERT_TRUE(matches(stream, back));
        seen.insert({from, to});
    }
    EXPECT_EQ(seen.size(), 6U) << "each to each other one";
}

TEST(Hairpin, WhatIsWrongIsSaid) {
    const auto stream = stream_of(hairpin(of_rule(50)), flow::Direction::forward);
    const auto reason = [&](const Bytes& frame) { return reason_of(stream, frame); };
    const Bytes right = arriving(stream, 3);
    EXPECT_EQ(reason(right), counter::Reason::expected);
    EXPECT_EQ(reason(leaving(stream, 3)), counter::Reason::wrong_address) << "sent back as it came";
    Bytes other = right;
    other[ip + 39] ^= 1;
    EXPECT_EQ(reason(other), counter::Reason::wrong_address) << "into another lwB4's tunnel";
    EXPECT_EQ(reason(arriving(stream, 4)), counter::Reason::expected) << "each by its own number";
}

TEST(Hairpin, WithoutADutFramesArriveOnTheRight) {
    auto configuration = hairpin(of_rule(50));
    configuration.loopback = true;
    const auto stream = stream_of(configuration, flow::Direction::forward);
    EXPECT_EQ(stream.arrives, flow::Side::right);
    EXPECT_EQ(leaving(stream, 3), arriving(stream, 3));
    for (const auto direction : flow::both_directions)
        EXPECT_EQ(arrival(map("map-e", "br"), direction), flow::receiver(direction));
}

}  // namespace
}  // namespace xlatperf::trial
