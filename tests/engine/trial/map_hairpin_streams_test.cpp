// From one CE to another through the border relay (RFC 7597 §5, RFC 7599 §5.1): hub and spoke. What is expected is worked out
// from the rules, with technology/map_rule.h's own decoding.
#include <set>

#include "technology/map_rule.h"
#include "trial/map_frames.h"
#include "wire/rfc6052.h"

namespace xlatperf::trial {
namespace {

using technology::MapRule;

struct RuledDomain {
    MapRule rule;
    std::string br, dmr;
};
wire::Ipv6Prefix v6(const std::string& text) { return *wire::parse_ipv6_prefix(text); }
// Shared addresses, an address each, a prefix each; the interface identifier as drafts had it.
std::vector<RuledDomain> ruled_domains() {
    return {{{v6("2001:db8::/40"), *wire::parse_ipv4_prefix("192.0.2.0/24"), 16, 6, {}, 0, {}},
             "2001:db8:ffff::1",
             "2001:db8:ffff::/64"},
            {{v6("2001:db8:100::/48"),
              *wire::parse_ipv4_prefix("198.51.100.0/24"),
              8,
              4,
              {},
              0,
              technology::IdentifierFormat::draft03},
             "2001:db8:fffe::1",
             "2001:db8:fffe::/96"},
            {{v6("2001:db8:200::/48"), *wire::parse_ipv4_prefix("203.0.113.0/24"), 4, 4, {}, 0, {}},
             "2001:db8:fffd::1",
             "2001:db8:fd::/48"}};
}
Configuration between_ces(const std::string& name, std::vector<RuledDomain> all = ruled_domains()) {
    nlohmann::json own = {{"name", name}, {"hairpinning", true}, {"domains", nlohmann::json::array()}};
    for (const auto& [rule, br, dmr] : all) {
        const bool draft = rule.identifier == technology::IdentifierFormat::draft03;
        nlohmann::json domain = {{"ipv6", wire::to_text(rule.ipv6)},
                                 {"ipv4", wire::to_text(rule.ipv4)},
                                 {"ea_bits", rule.ea_bits},
                                 {"psid_offset", rule.psid_offset},
                                 {"interface_identifier", draft ? "draft-03" : "rfc7597"},
                                 {"ces", 8}};
        domain[name == "map-e" ? "br" : "dmr"] = name == "map-e" ? br : dmr;
        own["domains"].push_back(domain);
    }
    auto configuration = without_technology();
    configuration.technology = technology::read_technology(own.dump());
    return configuration;
}

// Who has an IPv4 address and a port, and its MAP address for packets of that.
struct MapSharer {
    std::size_t domain = 0;
    std::uint64_t ea = 0;
    wire::Ipv6Address map;

    auto operator<=>(const MapSharer& other) const { return std::tie(domain, ea) <=> std::tie(other.domain, other.ea); }
    bool operator==(const MapSharer& other) const { return std::tie(domain, ea) == std::tie(other.domain, other.ea); }
};
MapSharer whose(wire::Ipv4Address address, std::uint16_t port, bool whole_address) {
    const auto all = ruled_domains();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto ea = all[i].rule.ea_of(address, port);
        if (!ea) continue;
        wire::Ipv6Address map = all[i].rule.ce(*ea).ipv6;
        const std::uint32_t host = address.value & ((1U << (32 - all[i].rule.ce_ipv4_length())) - 1);
        if (whole_address) map.value |= wire::Bits128{host} << 16;
        return {i, *ea, map};
    }
    ADD_FAILURE() << wire::to_text(address) << " port " << port << " is nobody's";
    return {};
}

TEST(MapHairpin, FromTunnelToTunnel) {  // R7597-5
    const auto all = ruled_domains();
    const auto configuration = between_ces("map-e");
    const auto stream = stream_of(configuration, flow::Direction::forward);
    EXPECT_EQ(stream.arrives, flow::Side::left);
    std::set<std::pair<MapSharer, MapSharer>> pairs;
    std::set<std::uint32_t> of_prefixes;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        const Bytes sent = leaving(stream, i), back = arriving(stream, i);
        ASSERT_EQ(sent.size(), back.size());
        const auto source = ipv4_at(sent, inner + 12), destination = ipv4_at(sent, inner + 16);
        const auto from = whose(source, wire::load16(&sent[inner + 20]), false),
                   to = whose(destination, wire::load16(&sent[inner + 22]), false);
        ASSERT_NE(from, to) << "nobody sends to himself";
        pairs.insert({from, to});
        if (from.domain == 2) of_prefixes.insert(source.value);
        EXPECT_EQ(ipv6_at(sent, ip + 8), from.map);
        EXPECT_EQ(wire::to_text(ipv6_at(sent, ip + 24)), all[from.domain].br);
        EXPECT_EQ(wire::to_text(ipv6_at(back, ip + 8)), all[to.domain].br);
        EXPECT_EQ(ipv6_at(back, ip + 24), to.map);
        for (const auto& frame : {sent, back}) expect_right_checksums(frame, inner);
        EXPECT_EQ(Bytes(sent.begin() + inner + 12, sent.end()), Bytes(back.begin() + inner + 12, back.end())) << "addresses, UDP";
        EXPECT_EQ(back[inner + 8], sent[inner + 8] - 1) << "RFC 1812 §5.3.1";
        EXPECT_TRUE(matches(stream, back));
        EXPECT_FALSE(matches(stream, sent));
    }
    EXPECT_GT(pairs.size(), 400U) << "of 552";
    EXPECT_GT(of_prefixes.size(), 60U) << "of 8 CEs with 16 addresses each";
}

TEST(MapHairpin, FromTheMapAddressIntoTheDefaultMappingRule) {  // R7599-8
    const auto all = ruled_domains();
    const auto configuration = between_ces("map-t");
    const auto stream = stream_of(configuration, flow::Direction::forward);
    EXPECT_EQ(stream.arrives, flow::Side::left);
    std::set<std::pair<std::size_t, std::size_t>> pairs;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        const Bytes sent = leaving(stream, i), back = arriving(stream, i);
        ASSERT_EQ(sent.size(), back.size());
        const std::uint16_t source_port = wire::load16(&sent[inner]), destination_port = wire::load16(&sent[inner + 2]);
        EXPECT_EQ(wire::load16(&back[inner]), source_port);
        EXPECT_EQ(wire::load16(&back[inner + 2]), destination_port);
        const auto map_source = ipv6_at(sent, ip + 8), map_destination = ipv6_at(back, ip + 24);
        // The IPv4 addresses are known from how the other end is called.
        std::optional<MapSharer> from, to;
        std::optional<wire::Ipv4Address> source, destination;
        for (const auto& domain : all) {
            if (!to && (destination = wire::rfc6052::extract(v6(domain.dmr), ipv6_at(sent, ip + 24))))
                to = whose(*destination, destination_port, true);
            if (!from && (source = wire::rfc6052::extract(v6(domain.dmr), ipv6_at(back, ip + 8))))
                from = whose(*source, source_port, true);
        }
        ASSERT_TRUE(from && to) << i;
        EXPECT_EQ(map_source, from->map);
        EXPECT_EQ(map_destination, to->map);
        pairs.insert({from->domain, to->domain});
        const auto of_from = wire::rfc6052::extract(v6(all[from->domain].dmr), ipv6_at(sent, ip + 24));
        const auto of_to = wire::rfc6052::extract(v6(all[to->domain].dmr), ipv6_at(back, ip + 8));
        ASSERT_TRUE(of_from && of_to) << "the sender's domain, then the receiver's";
        EXPECT_EQ(whose(*of_from, destination_port, true), *to);
        EXPECT_EQ(whose(*of_to, source_port, true), *from);
        for (const auto& frame : {sent, back}) expect_right_checksums(frame, ip);
        EXPECT_EQ(back[ip + 7], sent[ip + 7] - 1);
        EXPECT_TRUE(matches(stream, back));
        EXPECT_FALSE(matches(stream, sent));
    }
    EXPECT_EQ(pairs.size(), 9U) << "from each domain to each";
}

TEST(MapHairpin, OneDefaultMappingRuleForAll) {
    auto all = ruled_domains();
    for (auto& domain : all) domain.dmr = "64:ff9b::/96";
    const auto stream = stream_of(between_ces("map-t", all), flow::Direction::forward);
    for (std::uint64_t i = 0; i < 200; ++i) {
        const Bytes sent = leaving(stream, i), back = arriving(stream, i);
        EXPECT_TRUE(v6("64:ff9b::/96").contains(ipv6_at(sent, ip + 24)));
        EXPECT_TRUE(v6("64:ff9b::/96").contains(ipv6_at(back, ip + 8)));
    }
}

TEST(MapHairpin, WhatIsWrongIsSaid) {
    for (const std::string name : {"map-e", "map-t"}) {
        const auto stream = stream_of(between_ces(name), flow::Direction::forward);
        const auto reason = [&](const Bytes& frame) { return reason_of(stream, frame); };
        const Bytes right = arriving(stream, 3);
        EXPECT_EQ(reason(right), counter::Reason::expected) << name;
        EXPECT_EQ(reason(leaving(stream, 3)), counter::Reason::wrong_address) << name << ": sent back as it came";
        EXPECT_EQ(reason(arriving(stream, 4)), counter::Reason::expected) << name << ": each by its own number";
    }
}

TEST(MapHairpin, WithoutADutFramesArriveOnTheRight) {
    for (const std::string name : {"map-e", "map-t"}) {
        auto configuration = between_ces(name);
        configuration.loopback = true;
        const auto stream = stream_of(configuration, flow::Direction::forward);
        EXPECT_EQ(stream.arrives, flow::Side::right);
        EXPECT_EQ(leaving(stream, 3), arriving(stream, 3));
    }
}

}  // namespace
}  // namespace xlatperf::trial
