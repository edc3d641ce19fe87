#include <gtest/gtest.h>

#include <set>

#include "frame/classifier.h"
#include "frame/one_frame.h"
#include "frame/text.h"
#include "rfc1071.h"
#include "technology/forwarded.h"
#include "technology/translated.h"
#include "trial/stateful_configurations.h"
#include "trial/streams.h"
#include "wire/byte_order.h"

namespace xlatperf::trial {
namespace {

using flow::Class;
using flow::Direction;
using flow::Phase;
using Bytes = std::vector<std::uint8_t>;

Bytes written(const frame::Image& image, const flow::Flow& flow, const frame::Ends& ends, std::uint64_t sequence) {
    Bytes bytes(std::max(image.size(), frame::Image::head));
    image.write(bytes.data(), flow, ends, sequence, 0);
    bytes.resize(image.size());
    return bytes;
}
Bytes sent_bytes(const frame::Stream& stream, std::uint64_t sequence) {
    const auto of = stream.mix(sequence);
    const auto flow = stream.flows(of)(sequence);
    return written(stream.sent_image(of), flow, stream.sent_ends(of, flow), sequence);
}
Bytes expected_bytes(const frame::Stream& stream, std::uint64_t sequence) {
    const auto of = stream.mix(sequence);
    const auto flow = stream.flows(of)(sequence);
    return written(stream.expected_image(of), flow, stream.expected_ends(of, flow), sequence);
}

// What the Responder sends when it has learnt `port` of the pool's first address.
Bytes sent_to_learnt(const frame::Stream& stream, std::uint64_t sequence, std::uint16_t port) {
    const auto& image = stream.sent_image(Class::foreground);
    const flow::Flow flow = stream.foreground_flows(sequence);
    const auto client = frame::make_entry(stream.pool->first);
    return written(image, flow, {image.source(flow.source_host), client, flow.source_port, port}, sequence);
}

// IP and UDP header of the frame, after its data became octets 00 to 11 hex and its UDP checksum was calculated anew.
std::string headers(Bytes frame) {
    Bytes packet(frame.begin() + wire::ethernet::size, frame.end());
    const std::size_t udp = packet[0] >> 4 == 4 ? wire::ipv4::size : wire::ipv6::size;
    EXPECT_EQ(wire::load16(&packet[udp + wire::udp::checksum]), rfc1071::udp_checksum(packet)) << "with the probe";
    for (std::size_t i = 0; i < 18; ++i) packet[udp + wire::udp::size + i] = static_cast<std::uint8_t>(i);
    wire::store16(&packet[udp + wire::udp::checksum], rfc1071::udp_checksum(packet));
    return frame::hex_bytes(packet.data(), udp + wire::udp::size);
}

Description smallest(Nat nat, Phase phase) {
    auto found = of_phase(phase, 10);
    if (nat == Nat::nat44) found.frame_sizes = {64};
    return found;
}

struct Golden {
    Nat nat;
    const char *forward, *translated, *back, *restored;
};

// Scapy 2.5, TOS 0xb8, data 00 to 11 hex: 10.0.0.2 or 2001:2::2 port 1024 to 198.19.0.2 or 2001:2:0:8000::2 port 1 (R9693-3.1,
// standards.md §2.1), which the DUT shows as 198.19.0.1 or 2001:2:0:8000::1, forward with port 1024, back to port 5000. NAT64 is
// RFC 7915: DF 0 (R7915-V).
const Golden golden[] = {
    {Nat::nat44, "45b8002e000040000a119ff00a000002c613000204000001001ae350",
     "45b8002e000040000911e4ddc6130001c613000204000001001a273e", "45b8002e000040000a11e3ddc6130002c613000100011388001a17b6",
     "45b8002e000040000911a0f0c61300020a00000200010400001ae350"},
    {Nat::nat64, "6b800000001a110a2001000200000000000000000000000220010db86464000000000000c613000204000001001a3b30",
     "45b8002e00000000091124dec6130001c613000204000001001a273e", "45b8002e000040000a11e3ddc6130002c613000100011388001a17b6",
     "6b800000001a110920010db86464000000000000c61300022001000200000000000000000000000200010400001a3b30"},
    {Nat::nat66, "6b800000001a110a200100020000000000000000000000022001000200008000000000000000000204000001001af35d",
     "6b800000001a1109200100020000800000000000000000012001000200008000000000000000000204000001001a735e",
     "6b800000001a110a200100020000800000000000000000022001000200008000000000000000000100011388001a63d6",
     "6b800000001a1109200100020000800000000000000000022001000200000000000000000000000200010400001af35d"}};

TEST(StatefulStreams, GoldenVectors) {
    for (const auto& [nat, forward, translated, back, restored] : golden) {
        const auto configuration = stateful(nat);
        const auto out = make_stream(configuration, smallest(nat, Phase::establish), {}, Direction::forward);
        EXPECT_EQ(headers(sent_bytes(out, 0)), forward) << name(nat);
        EXPECT_EQ(headers(expected_bytes(out, 0)), translated)
            << name(nat) << ", for the pool's first address and the client's port";
        auto asked = smallest(nat, Phase::each_once);
        auto turns = configuration;
        turns.connections->read_order = flow::ReadOrder::round_robin;
        const auto home = make_stream(turns, asked, {}, Direction::reverse);
        EXPECT_EQ(headers(sent_to_learnt(home, 0, 5000)), back) << name(nat);
        EXPECT_EQ(headers(expected_bytes(home, 0)), restored) << name(nat);
    }
}

TEST(StatefulStreams, WhatTheDirectionsAre) {
    for (const auto nat : all_nats) {
        const auto forward = make_stream(stateful(nat), of_phase(Phase::steady, 10), {}, Direction::forward);
        EXPECT_TRUE(forward.any_source);
        EXPECT_FALSE(forward.learnt_destination);
        const auto reverse = make_stream(stateful(nat), of_phase(Phase::steady, 10), {}, Direction::reverse);
        EXPECT_FALSE(reverse.any_source) << "a client's own four tuple comes back";
        EXPECT_TRUE(reverse.learnt_destination);
        for (const auto* stream : {&forward, &reverse}) {
            const auto family = stream->expected[0]->family();
            EXPECT_EQ(stream->arriving[0], nat == Nat::nat64 ? technology::translated(family) : technology::forwarded(family));
            ASSERT_TRUE(stream->pool);
            EXPECT_EQ(wire::to_text(stream->pool->first), nat == Nat::nat66 ? "2001:2:0:8000::1" : "198.19.0.1");
        }
    }
    EXPECT_FALSE(make_stream(siit(), of_phase(Phase::steady, 10), {}, Direction::forward).any_source);
}

TEST(StatefulStreams, NumberOfFrames) {
    EXPECT_EQ(make_stream(stateful(Nat::nat44), of_phase(Phase::steady, 10), {}, Direction::forward).frames, 1000U);
    for (const auto phase : {Phase::establish, Phase::each_once}) {
        for (const std::uint64_t count : {1U, 3U, 40'000U, 4'000'000U}) {
            for (const double rate : {1.0, 1000.0 / 3, 123'456.7, 150e6}) {
                auto asked = of_phase(phase, count);
                asked.rates = {{rate, static_cast<double>(count) / rate}};
                ASSERT_EQ(make_schedule(asked, 2e9).frames(), count) << "R9693-4.5: exactly N";
            }
        }
    }
}

TEST(StatefulStreams, EstablishOpensEveryConnectionWithItsOwnFourTuple) {  // R9693-4.4-1, E1
    for (const auto nat : all_nats) {
        const auto configuration = stateful(nat, 3, 2, flow::Opening::pseudorandom);
        const auto asked = of_phase(Phase::establish, 2000);
        const auto stream = make_stream(configuration, asked, {}, Direction::forward);
        const auto connections = make_connections(configuration, *asked.connections);
        std::set<std::string> seen;
        for (std::uint64_t sequence = 0; sequence < stream.frames; ++sequence) {
            const auto frame = sent_bytes(stream, sequence);
            const auto packet = frame::parse_packet(frame.data(), frame.size()).value();
            ASSERT_EQ(stream.foreground_flows(sequence).connection, sequence);
            ASSERT_EQ(wire::load16(&frame[packet.transport]), connections(sequence).client_port);
            ASSERT_EQ(wire::load16(&frame[packet.transport + 2]), connections(sequence).server_port);
            seen.insert(wire::to_text(packet.source) + wire::to_text(packet.destination) +
                        frame::describe_ports(&frame[packet.transport]));
        }
        EXPECT_EQ(seen.size(), 2000U) << name(nat);
    }
}

// R9693-4.4-2: an entry that a DUT kept of one experiment is of no use in the next.
TEST(StatefulStreams, AnotherDrawOpensOtherFourTuples) {
    const auto configuration = stateful(Nat::nat44, 3, 2, flow::Opening::pseudorandom);
    std::set<std::array<std::uint32_t, 4>> seen;
    std::size_t opened = 0;
    for (const std::uint32_t draw : {0U, 1U, 2U, 0x7fffffffU}) {
        auto asked = of_phase(Phase::establish, 2000);
        asked.connections->draw = draw;
        const auto connections = make_connections(configuration, *asked.connections);
        for (std::uint64_t c = 0; c < 2000; ++c) {
            const auto tuple = connections(c);
            seen.insert({tuple.client, tuple.client_port, tuple.server, tuple.server_port});
        }
        opened += 2000;
        EXPECT_GT(seen.size(), opened - 100) << "draw " << draw << ": 2,000 of 387,072";
    }
}

TEST(StatefulStreams, SomeConnectionsOnly) {
    auto asked = of_phase(Phase::each_once, 500);
    asked.connections->some = 10;
    const auto all = make_stream(stateful(Nat::nat44), of_phase(Phase::each_once, 500), {}, Direction::reverse),
               some = make_stream(stateful(Nat::nat44), asked, {}, Direction::reverse);
    EXPECT_EQ(some.frames, 10U);
    for (std::uint64_t sequence = 0; sequence < 10; ++sequence)
        EXPECT_EQ(some.foreground_flows(sequence).connection, all.foreground_flows(sequence).connection);
}

// R9693-4.6-1: what comes back has the client's own four tuple, each once.
TEST(StatefulStreams, EachOnceRestoresEveryFourTuple) {
    for (const auto nat : all_nats) {
        const auto configuration = stateful(nat, 3, 2, flow::Opening::pseudorandom);
        const auto out = make_stream(configuration, of_phase(Phase::establish, 500), {}, Direction::forward);
        const auto home = make_stream(configuration, of_phase(Phase::each_once, 500), {}, Direction::reverse);
        std::set<std::uint64_t> seen;
        for (std::uint64_t sequence = 0; sequence < home.frames; ++sequence) {
            const auto connection = home.foreground_flows(sequence).connection;
            seen.insert(connection);
            const auto there = sent_bytes(out, connection), back = expected_bytes(home, sequence);
            const auto from = frame::parse_packet(there.data(), there.size()).value(),
                       to = frame::parse_packet(back.data(), back.size()).value();
            ASSERT_EQ(from.source, to.destination);
            ASSERT_EQ(from.destination, to.source);
            ASSERT_EQ(wire::load16(&there[from.transport]), wire::load16(&back[to.transport + 2]));
            ASSERT_EQ(wire::load16(&there[from.transport + 2]), wire::load16(&back[to.transport]));
            ASSERT_EQ(frame::Classifier(home).classify(back.data(), back.size()).reason, counter::Reason::expected);
        }
        EXPECT_EQ(seen.size(), 500U);
    }
}

TEST(StatefulStreams, PhaseOneAndValidationHaveNoBackground) {
    const auto configuration = with_background(stateful(Nat::nat64), 1, 2);
    EXPECT_FALSE(make_stream(configuration, of_phase(Phase::establish, 100), {}, Direction::forward).sent[1]);
    EXPECT_FALSE(make_stream(configuration, of_phase(Phase::each_once, 100), {}, Direction::reverse).sent[1]);
    const auto steady = make_stream(configuration, of_phase(Phase::steady, 100), {}, Direction::forward);
    ASSERT_TRUE(steady.sent[1]);
    EXPECT_EQ(steady.mix.foreground_below(1000), 500U);
}

TEST(StatefulStreams, RoundRobinSkipsNoConnectionForTheBackground) {  // R9693-4.10
    auto configuration = with_background(stateful(Nat::nat64), 1, 2);
    configuration.connections->read_order = flow::ReadOrder::round_robin;
    const auto stream = make_stream(configuration, of_phase(Phase::steady, 10), {}, Direction::reverse);
    std::vector<std::uint64_t> order;
    for (std::uint64_t sequence = 0; sequence < 24; ++sequence) {
        if (stream.mix(sequence) == Class::foreground) order.push_back(stream.foreground_flows(sequence).connection);
    }
    EXPECT_EQ(order, (std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1}));
}

TEST(StatefulStreams, SteadyFramesOfBothDirectionsAreOfDifferentConnections) {
    const auto configuration = stateful(Nat::nat44);
    const auto forward = make_stream(configuration, of_phase(Phase::steady, 100'000), {}, Direction::forward),
               reverse = make_stream(configuration, of_phase(Phase::steady, 100'000), {}, Direction::reverse);
    int equal = 0;
    for (std::uint64_t i = 0; i < 1000; ++i)
        equal += forward.foreground_flows(i).connection == reverse.foreground_flows(i).connection ? 1 : 0;
    EXPECT_LT(equal, 5);
}

// Nobody translates: what was sent comes back, and the clients look like the pool's first address with their own ports.
TEST(StatefulStreams, LoopbackExpectsWhatWasSent) {
    for (const auto nat : all_nats) {
        auto configuration = stateful(nat, 3, 2, flow::Opening::pseudorandom);
        configuration.loopback = true;
        const auto out = make_stream(configuration, of_phase(Phase::establish, 500), {}, Direction::forward),
                   home = make_stream(configuration, of_phase(Phase::each_once, 500), {}, Direction::reverse);
        EXPECT_FALSE(out.any_source);
        for (const auto* stream : {&out, &home}) EXPECT_EQ(stream->arriving[0], technology::untouched);
        for (std::uint64_t sequence = 0; sequence < 500; ++sequence) {
            ASSERT_EQ(sent_bytes(out, sequence), expected_bytes(out, sequence));
            const auto back = sent_to_learnt(home, sequence, home.foreground_flows(sequence).destination_port);
            ASSERT_EQ(back, expected_bytes(home, sequence));
            ASSERT_TRUE(matches(home, back));
        }
    }
}

TEST(StatefulStreams, FrameSizes) {  // R8219-5.1-1
    EXPECT_EQ(mean_frame_size(stateful(Nat::nat44), of_phase(Phase::steady, 1), flow::Direction::forward, flow::Side::right,
                              Class::foreground),
              84U);
    EXPECT_EQ(mean_frame_size(stateful(Nat::nat64), of_phase(Phase::steady, 1), flow::Direction::forward, flow::Side::left,
                              Class::foreground),
              84U);
    EXPECT_EQ(mean_frame_size(stateful(Nat::nat64), of_phase(Phase::steady, 1), flow::Direction::forward, flow::Side::right,
                              Class::foreground),
              64U);
    EXPECT_EQ(mean_frame_size(stateful(Nat::nat66), of_phase(Phase::steady, 1), flow::Direction::forward, flow::Side::right,
                              Class::foreground),
              84U);
}

}  // namespace
}  // namespace xlatperf::trial
