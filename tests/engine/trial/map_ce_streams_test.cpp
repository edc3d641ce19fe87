// Frames of CEs with NAPT44: stateful, in a tunnel or translated on the right. What the CE chose is learnt and verified.
#include <gtest/gtest.h>

#include <set>

#include "frame/classifier.h"
#include "trial/map_frames.h"
#include "trial/receive/learner.h"
#include "trial/stateful_configurations.h"

namespace xlatperf::trial {
namespace {

// RFC 7597 Appendix A: 192.0.2.18, PSID 0x34.
Configuration ce_with_napt44(const std::string& name, bool mesh = false) {
    auto configuration = without_technology();
    const std::string beyond = name == "map-e-ce" ? R"("br": "2001:db8:ffff::1")" : R"("dmr": "2001:db8:ffff::/64")";
    configuration.technology =
        technology::read_stateful(R"({"name": ")" + name + R"(", "mesh": )" + (mesh ? "true" : "false") + R"(, "domains": [{)" +
                                      example + R"(, "ea": 4660, "ces": 1, )" + beyond + "}]}",
                                  mesh ? "192.0.2.200" : "198.19.0.2");
    configuration.connections.emplace();
    configuration.connections->space = {3, 2, {1024, 2031}, {1, 49151}, flow::Opening::pseudorandom};
    if (mesh) configuration.connections->space = {3, 2, {1024, 1025}, {1024, 49151}, flow::Opening::pseudorandom};
    return configuration;
}

frame::Stream ce_stream(const Configuration& configuration, flow::Direction direction) {
    auto description = of_phase(flow::Phase::steady, 100);
    description.frame_sizes = {64};
    description.frame_size_of = FrameSizeOf::ipv4;
    LinkLayer links;
    return make_stream(configuration, description, links, direction);
}

// As the CE makes it, from this address and port.
Bytes from_ce(const frame::Stream& stream, std::uint64_t i, const wire::Address& source, std::uint16_t port) {
    const auto& image = stream.expected_image(flow::Class::foreground);
    const auto flow = stream.foreground_flows(i);
    Bytes bytes(std::max(image.size(), frame::Image::readable));
    image.write(bytes.data(), flow, {frame::make_entry(source), image.destination_of(flow), port, flow.destination_port}, i, 77);
    bytes.resize(image.size());
    return bytes;
}

struct Ce {
    std::string name;
    wire::Address address, another;
};
const Ce all_ces[] = {
    {"map-e-ce", wire::parse_ipv4("192.0.2.18").value(), wire::parse_ipv4("192.0.2.19").value()},
    {"map-t-ce", wire::parse_ipv6("2001:db8:12:3400:0:c000:212:34").value(),
     wire::parse_ipv6("2001:db8:12:3400:0:c000:213:34").value()},
};

class MapCeStreams : public testing::TestWithParam<Ce> {
  protected:
    Configuration configuration = ce_with_napt44(GetParam().name);
    frame::Stream forward = ce_stream(configuration, flow::Direction::forward);
    frame::Stream reverse = ce_stream(configuration, flow::Direction::reverse);
    bool tunnel = GetParam().name == "map-e-ce";

    counter::Reason learn(state::Table& table, Bytes frame) {
        const std::size_t size = frame.size();
        frame.resize(std::max(size, frame::Image::readable));
        frame::Match match;
        EXPECT_TRUE(matches(frame::StreamVerifier(forward), frame.data(), size, match));
        return Learner(table, forward).learn(match);
    }
};

TEST_P(MapCeStreams, ClientsAreOnTheLeft) {
    for (std::uint64_t i = 0; i < 50; ++i) {
        const Bytes sent = leaving(forward, i);
        ASSERT_EQ(sent.size(), 60U);
        expect_right_checksums(sent, ip);
        EXPECT_EQ(ipv4_at(sent, ip + wire::ipv4::source).value >> 8, 0x0a0000U);
        EXPECT_EQ(ipv4_at(sent, ip + wire::ipv4::destination).value >> 8, 0xc61300U);
        EXPECT_EQ(sent[ip + wire::ipv4::ttl], 10);
    }
}

TEST_P(MapCeStreams, AnyOfItsPortsIsRight) {
    state::Table table(configuration.technology->pool()->family(), 100, state::WriteOrder::round_robin, 1);
    for (const int port : {1232, 1235, 64723}) {
        const Bytes frame = from_ce(forward, 3, GetParam().address, static_cast<std::uint16_t>(port));
        EXPECT_EQ(frame.size(), tunnel ? 100U : 80U);
        expect_right_checksums(frame, tunnel ? inner : ip);
        if (tunnel) {
            EXPECT_EQ(wire::to_text(ipv6_at(frame, ip + wire::ipv6::source)), "2001:db8:12:3400:0:c000:212:34");
            EXPECT_EQ(wire::to_text(ipv6_at(frame, ip + wire::ipv6::destination)), "2001:db8:ffff::1");
            EXPECT_EQ(frame[inner + wire::ipv4::ttl], 9);
        }
        EXPECT_TRUE(matches(forward, frame));
    }
    EXPECT_EQ(learn(table, from_ce(forward, 3, GetParam().address, 1232)), counter::Reason::expected);
    EXPECT_EQ(learn(table, from_ce(forward, 3, GetParam().address, 1232)), counter::Reason::expected);
    EXPECT_EQ(learn(table, from_ce(forward, 3, GetParam().address, 1233)), counter::Reason::mapping_changed);
}

TEST_P(MapCeStreams, OthersAreNot) {  // RFC 7599 §8.1: MUST
    state::Table table(configuration.technology->pool()->family(), 100, state::WriteOrder::round_robin, 1);
    EXPECT_EQ(learn(table, from_ce(forward, 3, GetParam().address, 1236)), counter::Reason::outside_pool) << "another CE's";
    EXPECT_EQ(learn(table, from_ce(forward, 3, GetParam().address, 208)), counter::Reason::outside_pool) << "nobody's";
    EXPECT_EQ(learn(table, from_ce(forward, 3, GetParam().another, 1232)), counter::Reason::outside_pool);
    EXPECT_EQ(table.learnt(), 0U);
}

TEST_P(MapCeStreams, WhatElseIsWrongIsTold) {
    const Bytes right = from_ce(forward, 3, GetParam().address, 1232);
    const auto told = [&](std::size_t at) {
        Bytes wrong = right;
        wrong[at] ^= 1;
        EXPECT_FALSE(matches(forward, wrong)) << at;
        const auto finding = frame::Classifier(forward).classify(wrong.data(), wrong.size());
        return finding.reason ? counter::name(*finding.reason) : counter::name(*finding.stray);
    };
    const std::size_t udp = right.size() - wire::udp::size - frame::probe::size;
    EXPECT_EQ(told(udp + 2), "wrong_port") << "the server's";
    EXPECT_EQ(told(udp + wire::udp::checksum), "udp_checksum");
    EXPECT_EQ(told(ip + wire::ipv6::hop_limit), "hop_limit");
    EXPECT_EQ(told(ip + wire::ipv6::destination + 15), "wrong_address");
    if (tunnel) {
        EXPECT_EQ(told(ip + wire::ipv6::source + 15), "wrong_address") << "not the CE's MAP address";
        EXPECT_EQ(told(inner + wire::ipv4::ttl), "hop_limit");
    }
}

// R7597-5: with the MAP address of another server's CE all else may be right.
TEST_P(MapCeStreams, InAMeshTheFarEndFollowsFromTheServer) {
    const auto in_mesh = ce_with_napt44(GetParam().name, true);
    const auto there = ce_stream(in_mesh, flow::Direction::forward), back = ce_stream(in_mesh, flow::Direction::reverse);
    const std::size_t at = ip + wire::ipv6::destination;
    std::set<std::string> ces;
    for (std::uint64_t i = 0; i < 50; ++i) {
        const Bytes right = from_ce(there, i, GetParam().address, 1232);
        const auto ce = wire::to_text(ipv6_at(right, at));
        ces.insert(ce);
        expect_right_checksums(right, tunnel ? inner : ip);
        EXPECT_TRUE(matches(there, right));
        Bytes other = from_ce(there, i + 1, GetParam().address, 1232);
        if (wire::to_text(ipv6_at(other, at)) == ce) continue;
        Bytes wrong = right;
        std::copy_n(other.begin() + static_cast<std::ptrdiff_t>(at), 16, wrong.begin() + static_cast<std::ptrdiff_t>(at));
        EXPECT_FALSE(matches(there, wrong));
        const auto finding = frame::Classifier(there).classify(wrong.data(), wrong.size());
        ASSERT_TRUE(finding.reason);
        EXPECT_EQ(counter::name(*finding.reason), std::string("wrong_address"));
    }
    const auto servers = *std::get<flow::ConnectionFlows::Space>(in_mesh.technology->flows()).mapped;
    const auto& image = back.sent_image(flow::Class::foreground);
    for (std::uint64_t i = 0; i < 50; ++i) {
        const auto flow = back.foreground_flows(i);
        Bytes sent(std::max(image.size(), frame::Image::readable));
        image.write(sent.data(), flow, back.sent_ends(flow::Class::foreground, flow), i, 77);
        sent.resize(image.size());
        expect_right_checksums(sent, tunnel ? inner : ip);
        EXPECT_EQ(wire::to_text(ipv6_at(sent, ip + wire::ipv6::source)),
                  wire::to_text(servers.address(flow.source_host, flow.source_port)));
    }
    EXPECT_GT(ces.size(), 4U) << "of two addresses, ports of several";
    EXPECT_FALSE(ces.contains("2001:db8:ffff::1"));
}

TEST_P(MapCeStreams, FramesBackGoToWhatWasLearnt) {
    const auto& image = reverse.sent_image(flow::Class::foreground);
    const auto flow = reverse.foreground_flows(5);
    Bytes sent(std::max(image.size(), frame::Image::readable));
    image.write(sent.data(), flow,
                {image.source(flow.source_host), frame::make_entry(GetParam().address), flow.source_port, 2256}, 5, 77);
    sent.resize(image.size());
    expect_right_checksums(sent, tunnel ? inner : ip);
    EXPECT_EQ(wire::load16(&sent[sent.size() - wire::udp::size - frame::probe::size + 2]), 2256);
    if (tunnel) {
        EXPECT_EQ(wire::to_text(ipv6_at(sent, ip + wire::ipv6::source)), "2001:db8:ffff::1");
        EXPECT_EQ(wire::to_text(ipv6_at(sent, ip + wire::ipv6::destination)), "2001:db8:12:3400:0:c000:212:34");
    }
    const Bytes back = arriving(reverse, 5);
    EXPECT_EQ(back.size(), 60U);
    expect_right_checksums(back, ip);
    EXPECT_TRUE(matches(reverse, back));
}

INSTANTIATE_TEST_SUITE_P(Both, MapCeStreams, testing::ValuesIn(all_ces),
                         [](const auto& one) { return std::string(one.param.name == "map-e-ce" ? "MapE" : "MapT"); });

}  // namespace
}  // namespace xlatperf::trial
