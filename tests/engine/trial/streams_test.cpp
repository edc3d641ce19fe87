#include "trial/streams.h"

#include <gtest/gtest.h>

#include "frame/classifier.h"
#include "frame/packet.h"
#include "technology/forwarded.h"
#include "technology/translated.h"
#include "trial/configurations.h"
#include "wire/byte_order.h"

namespace xlatperf::trial {
namespace {

using flow::Class;
using flow::Direction;
using flow::Side;
using wire::Family;

Description description(std::size_t size, FrameSizeOf of = FrameSizeOf::ipv6) {
    Description found;
    found.number = 7;
    found.frame_sizes = {size};
    found.frame_size_of = of;
    return found;
}

const LinkLayer macs = [] {
    LinkLayer found;
    for (std::uint8_t i = 0; i < 2; ++i) {
        found.tester[i] = {2, 0, 0, 0, 0, static_cast<std::uint8_t>(0x10 + i)};
        found.gateway_ipv4[i] = {2, 0, 0, 0, 4, static_cast<std::uint8_t>(0x20 + i)};
        found.gateway_ipv6[i] = {2, 0, 0, 0, 6, static_cast<std::uint8_t>(0x20 + i)};
    }
    return found;
}();

std::vector<std::uint8_t> frame(const frame::Image& image, const frame::Stream& stream, std::uint64_t sequence) {
    std::vector<std::uint8_t> bytes(std::max(image.size(), frame::Image::head));
    const auto flow = stream.flows(stream.mix(sequence))(sequence);
    image.write(bytes.data(), flow, image.ends(flow), sequence, 0);
    bytes.resize(image.size());
    return bytes;
}

// standards.md §1.2: SIIT's IPv6 frame is 20 bytes larger, whichever of both was named (R8219-5.1-1).
TEST(FrameSize, OfBothSides) {
    const auto translated = siit();
    EXPECT_EQ(mean_frame_size(translated, description(84), Direction::forward, Side::left, Class::foreground), 84U);
    EXPECT_EQ(mean_frame_size(translated, description(84), Direction::forward, Side::right, Class::foreground), 64U);
    EXPECT_EQ(
        mean_frame_size(translated, description(1498, FrameSizeOf::ipv4), Direction::forward, Side::left, Class::foreground),
        1518U);
    EXPECT_EQ(
        mean_frame_size(translated, description(1498, FrameSizeOf::ipv4), Direction::forward, Side::right, Class::foreground),
        1498U);
    const auto mixed = with_background(siit());
    for (const auto side : flow::both_sides) {
        EXPECT_EQ(mean_frame_size(mixed, description(64, FrameSizeOf::ipv4), Direction::forward, side, Class::background), 84U)
            << "background has the IPv6 size";
        EXPECT_EQ(mean_frame_size(mixed, description(512), Direction::forward, side, Class::background), 512U);
    }
    EXPECT_EQ(mean_frame_size(native_ipv4(), description(64), Direction::forward, Side::right, Class::foreground), 64U);
    EXPECT_EQ(
        mean_frame_size(with_background(native_ipv4()), description(64), Direction::forward, Side::right, Class::background), 84U)
        << "none is smaller";
}

// As RFC 2544's Testers have it: frames leave in one size on both sides.
TEST(FrameSize, OfTheSender) {
    const auto of = description(512, FrameSizeOf::sender);
    const auto translated = siit(), mixed = with_background(siit());
    for (const auto direction : flow::both_directions) {
        const auto from = flow::sender(direction), to = flow::receiver(direction);
        EXPECT_EQ(mean_frame_size(translated, of, direction, from, Class::foreground), 512U);
        EXPECT_EQ(mean_frame_size(translated, of, direction, to, Class::foreground), to == Side::left ? 532U : 492U);
        for (const auto side : flow::both_sides) EXPECT_EQ(mean_frame_size(mixed, of, direction, side, Class::background), 512U);
        EXPECT_EQ(mean_frame_size(mixed, description(84, FrameSizeOf::sender), direction, from, Class::background), 84U);
    }
}

TEST(ImpossibleSize, OfTheSender) {
    const auto of = [](std::size_t size, std::array<bool, 2> directions) {
        auto found = description(size, FrameSizeOf::sender);
        found.directions = directions;
        return impossible_size(siit(), found, 1522);
    };
    constexpr std::array both = {true, true}, forward = {true, false}, reverse = {false, true};
    EXPECT_EQ(of(84, both) + of(1502, both) + of(84, forward) + of(1522, forward) + of(64, reverse) + of(1502, reverse), "");
    EXPECT_NE(of(83, both).find("83 is not allowed: 84 to 1502"), std::string::npos) << "IPv6 holds no less";
    EXPECT_NE(of(1503, both).find("1503 is not allowed: 84 to 1502"), std::string::npos) << "IPv4 grows";
    EXPECT_NE(of(83, forward).find("83 is not allowed: 84 to 1522"), std::string::npos);
    EXPECT_NE(of(63, reverse).find("63 is not allowed: 64 to 1502"), std::string::npos);
}

TEST(ImpossibleSize, NamesTheRange) {
    EXPECT_EQ(impossible_size(siit(), description(84), 1522), "");
    EXPECT_EQ(impossible_size(siit(), description(1522), 1522), "");
    EXPECT_EQ(impossible_size(siit(), description(64, FrameSizeOf::ipv4), 1522), "");
    EXPECT_EQ(impossible_size(siit(), description(1502, FrameSizeOf::ipv4), 1522), "");
    EXPECT_EQ(impossible_size(native_ipv4(), description(64), 1522), "");
    EXPECT_EQ(impossible_size(native_ipv6(), description(84, FrameSizeOf::ipv4), 1522), "") << "all frames are IPv6";
    for (const auto& [text, wanted] :
         {std::pair{impossible_size(siit(), description(83), 1522), "83 is not allowed: 84 to 1522"},
          {impossible_size(siit(), description(1523), 1522), "1523 is not allowed: 84 to 1522"},
          {impossible_size(siit(), description(63, FrameSizeOf::ipv4), 1522), "63 is not allowed: 64 to 1502"},
          {impossible_size(siit(), description(1503, FrameSizeOf::ipv4), 1522), "1503 is not allowed: 64 to 1502"},
          {impossible_size(native_ipv4(), description(63), 1522), "63 is not allowed: 64 to 1522"},
          {impossible_size(native_ipv6(), description(64), 1522), "64 is not allowed: 84 to 1522"}}) {
        EXPECT_NE(text.find(wanted), std::string::npos) << text;
    }
}

TEST(Streams, NumberOfFrames) {
    const auto frames = [](double rate, double duration) {
        auto asked = description(84);
        asked.rates = {{rate, duration}};
        return make_stream(siit(), asked, macs, Direction::forward).frames;
    };
    EXPECT_EQ(frames(50000, 5), 250000U);
    EXPECT_EQ(frames(1000.0 / 3, 3), 1000U) << "rounding costs no frame";
    EXPECT_EQ(frames(0.1, 10), 1U);
    EXPECT_EQ(frames(0.1, 19.99), 1U);
    EXPECT_EQ(frames(150e6, 3600), 540'000'000'000U);
    EXPECT_EQ(frames(1488095.25, 60), 89285715U);
}

TEST(Streams, FramesOfAllRates) {
    auto asked = description(84);
    asked.rates = {{1000, 1}, {500, 0.5}, {1000.0 / 3, 3}};
    EXPECT_EQ(make_stream(siit(), asked, macs, Direction::forward).frames, 2250U);
    const auto schedule = make_schedule(asked, 1e9);
    EXPECT_EQ(schedule.frames(), 2250U);
    EXPECT_EQ(schedule.due_ticks(1000), 1'000'000'000U);
    EXPECT_EQ(schedule.due_ticks(1250), 1'500'000'000U);
    EXPECT_EQ(asked.duration_s(), 4.5);
    EXPECT_EQ(asked.fastest_fps(), 1000);
}

TEST(Streams, FlowsThatBeginOneByOne) {  // R8219-10.2.2: the trial is longer by (n - 1) t, and each flow keeps its own rate
    auto asked = description(84);
    asked.rates = {{1000, 2}};
    asked.incremental = {4, 0.5};  // 250 frames a second each
    EXPECT_EQ(asked.duration_s(), 3.5);
    EXPECT_EQ(asked.slowest_fps(), 250);
    const auto schedule = make_schedule(asked, 1e9);
    EXPECT_EQ(schedule.frames(), 125U + 250U + 375U + 2000U);
    EXPECT_EQ(schedule.due_ticks(1), 4'000'000U);
    EXPECT_EQ(schedule.due_ticks(125), 500'000'000U);
    EXPECT_EQ(schedule.due_ticks(126), 502'000'000U);
    EXPECT_EQ(schedule.due_ticks(750), 1'500'000'000U);
    EXPECT_EQ(schedule.due_ticks(2750), 3'500'000'000U);
    DueTime due(schedule);
    for (std::uint64_t frame = 0; frame < schedule.frames(); ++frame, due.next())
        ASSERT_EQ(due.ticks(), schedule.due_ticks(frame));
}

TEST(Streams, FlowsThatBeginFasterThanTheirFramesKeepTime) {
    auto asked = description(84);
    asked.rates = {{1000, 1}};
    asked.incremental = {1000, 0.003};  // each has a frame in a second: some are due before the first flow's second
    const auto schedule = make_schedule(asked, 1e9);
    EXPECT_EQ(schedule.frames(), 1499U + 1000U) << "half the rate for 2.997 s";
    std::uint64_t before = 0;
    for (std::uint64_t frame = 1; frame < schedule.frames(); ++frame) {
        ASSERT_GT(schedule.due_ticks(frame), before) << frame;
        before = schedule.due_ticks(frame);
    }
    EXPECT_NEAR(static_cast<double>(schedule.due_ticks(1499)), 2.997e9 + 0.5e6, 1e6);
}

TEST(Streams, OnlyFlowsThatAreCountedBeginOneByOne) {
    auto asked = description(84);
    asked.incremental = {4, 0.5};
    auto configuration = siit();
    EXPECT_EQ(impossible_beginnings(configuration, asked),
              "trial.incremental.flows: 4 is not allowed: none, as the flows of forward frames aren't counted");
    configuration.ports[0].flows = 4;
    configuration.ports[1].flows = 5;
    EXPECT_EQ(impossible_beginnings(configuration, asked),
              "trial.incremental.flows: 4 is not allowed: 5, as reverse frames have");
    asked.directions[1] = false;
    EXPECT_EQ(impossible_beginnings(configuration, asked), "");
}

TEST(Streams, MacAddresses) {
    const auto configuration = with_background(siit(), 1, 2);
    for (const auto direction : flow::both_directions) {
        const auto stream = make_stream(configuration, description(84), macs, direction);
        const auto from = flow::index(flow::sender(direction)), to = flow::index(flow::receiver(direction));
        for (std::uint64_t sequence = 0; sequence < 2; ++sequence) {
            const auto of = stream.mix(sequence);
            const auto gateway = [&](std::size_t side, Family family) {
                return family == Family::ipv4 ? macs.gateway_ipv4[side] : macs.gateway_ipv6[side];
            };
            const auto sent = frame(stream.sent_image(of), stream, sequence),
                       received = frame(stream.expected_image(of), stream, sequence);
            EXPECT_TRUE(std::equal(sent.begin(), sent.begin() + 6, gateway(from, stream.sent_image(of).family()).begin()));
            EXPECT_TRUE(std::equal(sent.begin() + 6, sent.begin() + 12, macs.tester[from].begin()));
            EXPECT_TRUE(std::equal(received.begin(), received.begin() + 6, macs.tester[to].begin()));
            EXPECT_TRUE(
                std::equal(received.begin() + 6, received.begin() + 12, gateway(to, stream.expected_image(of).family()).begin()));
        }
    }
}

frame::Packet packet(const frame::Image& image, const frame::Stream& stream, std::uint64_t sequence) {
    const auto bytes = frame(image, stream, sequence);
    return frame::parse_packet(bytes.data(), bytes.size()).value();
}

TEST(Streams, AddressesOfSiit) {
    for (const auto ipv6_side : flow::both_sides) {
        const auto configuration = siit(ipv6_side);
        for (const auto direction : flow::both_directions) {
            const auto stream = make_stream(configuration, description(84), macs, direction);
            const auto sent = packet(*stream.sent[0], stream, 0), received = packet(*stream.expected[0], stream, 0);
            const auto& six = sent.family == Family::ipv6 ? sent : received;
            const auto& four = sent.family == Family::ipv6 ? received : sent;
            const bool forward = direction == Direction::forward;
            EXPECT_EQ(sent.family == Family::ipv6, flow::sender(direction) == ipv6_side);
            EXPECT_EQ(wire::to_text(six.source), forward ? "2001:2::2" : "2001:2:0:1000::2");
            EXPECT_EQ(wire::to_text(six.destination), forward ? "2001:2:0:1000::2" : "2001:2::2");
            EXPECT_EQ(wire::to_text(four.source), forward ? "198.18.0.2" : "198.19.0.2");
            EXPECT_EQ(wire::to_text(four.destination), forward ? "198.19.0.2" : "198.18.0.2");
            EXPECT_EQ(stream.arriving[0], technology::translated(received.family));
        }
    }
}

TEST(Streams, ExpectedHopLimitAndTrafficClass) {  // RFC 7915 §4.1, §5.1
    auto configuration = with_background(siit(), 1, 2);
    configuration.hop_limit = 64;
    configuration.hops = {{{2, 1}, {4, 3}}};
    for (const auto direction : flow::both_directions) {
        const auto stream = make_stream(configuration, description(84), macs, direction);
        for (std::uint64_t sequence = 0; sequence < 2; ++sequence) {
            const auto of = stream.mix(sequence);
            const int hops = (direction == Direction::forward ? 1 : 3) + (of == Class::foreground ? 1 : 0);
            EXPECT_EQ(packet(stream.sent_image(of), stream, sequence).hop_limit, 64);
            EXPECT_EQ(packet(stream.expected_image(of), stream, sequence).hop_limit, 64 - hops);
            EXPECT_EQ(packet(stream.expected_image(of), stream, sequence).traffic_class, 0xb8);
            EXPECT_EQ(packet(stream.expected_image(of), stream, sequence).flow_label, 0U);
        }
    }
}

std::uint16_t flags(const frame::Image& image, const frame::Stream& stream) {
    return wire::load16(&frame(image, stream, 0)[wire::ethernet::size + wire::ipv4::flags_offset]);
}

// RFC 7915 §5.1: DF is 0 up to an IPv4 packet of 1260 bytes (an IPv6 packet of 1280: a frame of 1298), else 1.
TEST(Streams, ExpectedDfFromIpv6) {
    for (const auto& [size, wanted] : {std::pair{84U, 0U}, {1297U, 0U}, {1298U, 0U}, {1299U, 0x4000U}, {1518U, 0x4000U}}) {
        const auto stream = make_stream(siit(), description(size), macs, Direction::forward);
        EXPECT_EQ(flags(*stream.expected[0], stream), wanted) << size;
    }
    for (const bool wanted : {false, true}) {
        auto native = native_ipv4();
        native.dont_fragment = wanted;
        const auto stream = make_stream(native, description(1518), macs, Direction::forward);
        EXPECT_EQ(flags(*stream.sent[0], stream), wanted ? 0x4000 : 0);
        EXPECT_EQ(flags(*stream.expected[0], stream), wanted ? 0x4000 : 0) << "a router leaves it alone";
        auto translated = siit();
        translated.dont_fragment = wanted;
        const auto reverse = make_stream(translated, description(84), macs, Direction::reverse);
        EXPECT_EQ(flags(*reverse.sent[0], reverse), wanted ? 0x4000 : 0);
    }
}

// R7915-V: IPv4 that became IPv6 and IPv4 again. ID and DF are the DUT's, by the rule that one translation has; no more is.
TEST(Streams, AfterTwoTranslations) {
    auto twice = with_background(native_ipv4(), 1, 2);
    twice.technology = std::make_shared<technology::Native>(ipv4_hosts("198.18.0.0/24"), ipv4_hosts("198.19.0.0/24"), true);
    for (const auto direction : flow::both_directions) {
        for (const auto& [size, df] : {std::pair{64U, 0U}, {1278U, 0U}, {1279U, 0x4000U}, {1518U, 0x4000U}}) {
            const auto stream = make_stream(twice, description(size), macs, direction);
            EXPECT_EQ(stream.arriving[0], technology::ipv4_from_ipv6);
            EXPECT_EQ(stream.arriving[1], technology::forwarded_ipv6);
            EXPECT_EQ(flags(*stream.sent[0], stream), 0x4000) << size;
            EXPECT_EQ(flags(*stream.expected[0], stream), df) << size;
            EXPECT_EQ(stream.expected_image(Class::foreground).size(), size - 4) << "IPv4 on both sides";
        }
        EXPECT_EQ(make_stream(native_ipv4(), description(64), macs, direction).arriving[0], technology::forwarded_ipv4);
    }
    twice.loopback = true;
    EXPECT_EQ(make_stream(twice, description(64), macs, Direction::forward).arriving[0], technology::untouched);
}

TEST(Streams, LoopbackExpectsWhatWasSent) {
    auto configuration = with_background(siit(), 1, 2);
    configuration.loopback = true;
    const auto stream = make_stream(configuration, description(84), macs, Direction::forward);
    for (const auto& rules : stream.arriving) EXPECT_EQ(rules, technology::untouched);
    for (std::uint64_t sequence = 0; sequence < 2; ++sequence) {
        const auto of = stream.mix(sequence);
        const auto sent = frame(stream.sent_image(of), stream, sequence);
        EXPECT_EQ(sent, frame(stream.expected_image(of), stream, sequence));
        EXPECT_TRUE(std::equal(sent.begin(), sent.begin() + 6, macs.tester[1].begin())) << "from port to port";
        EXPECT_EQ(frame::Classifier(stream).classify(sent.data(), sent.size()).reason, counter::Reason::expected);
    }
}

TEST(Streams, OnlyTheClassesThatOccurHaveImages) {
    const auto only_background = make_stream(with_background(siit(), 0, 1), description(84), macs, Direction::forward);
    EXPECT_FALSE(only_background.sent[0] || only_background.expected[0]);
    EXPECT_TRUE(only_background.sent[1] && only_background.expected[1]);
    const auto only_foreground = make_stream(siit(), description(84), macs, Direction::forward);
    EXPECT_TRUE(only_foreground.sent[0] && only_foreground.expected[0]);
    EXPECT_FALSE(only_foreground.sent[1] || only_foreground.expected[1]);
}

TEST(Streams, TheSameFlowsInEveryTrial) {  // R4814-4.2.1
    auto one = description(84), other = description(1518);
    other.number = 8;
    const auto a = make_stream(siit(Side::left, 256), one, macs, Direction::forward),
               b = make_stream(siit(Side::left, 256), other, macs, Direction::forward);
    for (std::uint64_t sequence = 0; sequence < 100; ++sequence) {
        EXPECT_EQ(a.foreground_flows(sequence).source_port, b.foreground_flows(sequence).source_port);
        EXPECT_EQ(a.foreground_flows(sequence).destination_host, b.foreground_flows(sequence).destination_host);
    }
    const auto drawing = std::get<flow::HostFlows>(a.foreground_flows.flows()).drawing();
    ASSERT_TRUE(drawing);
    EXPECT_EQ(drawing->source_hosts, 256U);
}

}  // namespace
}  // namespace xlatperf::trial
