#include <gtest/gtest.h>

#include <random>

#include "bursts/frames.h"

namespace xlatperf::frame {
namespace {

// Of packets in tunnels between one pair of ends (RFC 2473), which either enter or leave them.
Stream make_tunnel_stream(bool enters, std::size_t size, std::uint32_t networks,
                          std::optional<std::uint8_t> encapsulation_limit = {}) {
    StreamOptions options{.kind = Kind::native_ipv4, .ipv6_size = size, .networks = networks};
    Stream stream = make_stream(options);
    ImageFields fields;
    fields.sources = addresses(wire::Family::ipv4, false, networks);
    fields.destinations = addresses(wire::Family::ipv4, true, networks);
    fields.frame_size = size + 40;
    fields.tag = probe::make_tag(options.direction, {0, options.trial_number});
    fields.source_mac = gateway_right;
    fields.destination_mac = tester_right;
    fields.outer = OuterFields{technology::Addresses{address("2001:db8::1")}, technology::Addresses{address("2001:db8::2")}, 7,
                               64, encapsulation_limit};
    (enters ? stream.expected : stream.sent)[0] = Image(fields);
    return stream;
}

std::vector<Stream> all_streams() {
    std::vector<Stream> found;
    for (const Kind kind : all_kinds) {
        for (const std::size_t size : {84U, 85U, 104U, 128U, 1518U}) {
            for (const std::uint32_t networks : {1U, 2U, 256U}) {
                found.push_back(make_stream({.kind = kind, .ipv6_size = size, .networks = networks}));
                found.push_back(make_stream({.kind = kind, .ipv6_size = size, .networks = networks, .loopback = true}));
            }
        }
    }
    found.push_back(make_stream({.take = 0, .of = 1}));
    for (const Kind kind : all_kinds) {
        for (const std::uint32_t networks : {1U, 3U})
            found.push_back(make_stream({.kind = kind, .networks = networks, .udp_checksum = false}));
    }
    for (const bool enters : {false, true}) {
        for (const std::uint32_t networks : {1U, 3U}) {
            found.push_back(make_tunnel_stream(enters, 130, networks));
            for (const std::size_t size : {64U, 65U, 130U, 1518U}) found.push_back(make_tunnel_stream(enters, size, networks, 4));
        }
    }
    return found;
}

TEST(BurstWriter, WritesWhatImageWrites) {
    for (const Stream& stream : all_streams()) {
        for (const unsigned n : lengths) {
            for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{0xfffffff0}, probe::low40 - 64}) {
                expect_written_one_by_one(stream, first, n);
                if (HasFatalFailure()) return;
            }
        }
    }
}

TEST(BurstVerifier, AcceptsEveryNumberOfFrames) {
    for (const Stream& stream : all_streams()) {
        const BurstVerifier verifier(stream, *stream.mix.only_class());
        for (const unsigned n : lengths) {
            Frames frames;
            for (unsigned i = 0; i < n; ++i) frames.add(received(stream, 900 + i, i * 0x0101010101));
            const SeenBurst seen = frames.looked_at_by(verifier);
            ASSERT_EQ(seen.right, flow::first_bits(n));
            ASSERT_EQ(seen.df_differs, 0U);
            ASSERT_TRUE(seen.consecutive);
            for (unsigned i = 0; i < n; ++i) {
                ASSERT_EQ(seen.sequence[i], 900 + i);
                ASSERT_EQ(seen.stamp48[i], i * 0x0101010101);
            }
        }
    }
}

TEST(BurstVerifier, TellsWhetherNumbersAreConsecutive) {
    const Stream stream = make_stream({});
    const BurstVerifier verifier(stream, Class::foreground);
    for (const unsigned n : {2U, 8U, 9U, 64U}) {
        for (unsigned odd = 1; odd < n; ++odd) {
            Frames frames;
            for (unsigned i = 0; i < n; ++i) frames.add(received(stream, 100 + i + (i >= odd ? 1 : 0)));
            const SeenBurst seen = frames.looked_at_by(verifier);
            ASSERT_EQ(seen.right, flow::first_bits(n));
            ASSERT_FALSE(seen.consecutive) << odd << " of " << n;
        }
    }
    Frames repeated;
    for (unsigned i = 0; i < 3; ++i) repeated.add(received(stream, 5));
    EXPECT_FALSE(repeated.looked_at_by(verifier).consecutive);
}

TEST(BurstVerifier, SeesEveryFlippedBitAsOneByOne) {
    for (const Stream& stream : all_streams()) {
        expect_flips_seen_as_one_by_one(stream, [&](std::uint64_t sequence) { return received(stream, sequence); });
        if (HasFatalFailure()) return;
    }
}

TEST(BurstVerifier, SeesDamageOfLargeFramesAsOneByOne) {
    std::mt19937_64 random(1518);
    for (const std::uint32_t networks : {1U, 256U}) {
        const Stream stream = make_stream({.ipv6_size = 1518, .networks = networks, .frames = 1 << 20});
        const BurstVerifier verifier(stream, Class::foreground);
        for (int round = 0; round < 50; ++round) {
            Frames frames;
            for (unsigned i = 0; i < 1 + random() % most_in_burst; ++i) {
                auto frame = received(stream, random() % stream.frames, random());
                if (random() % 3 == 0) frame[random() % frame.size()] ^= 0x40;
                if (random() % 7 == 0) frame.resize(frame.size() - 1 - random() % 100);
                frames.add(std::move(frame));
            }
            expect_as_one_by_one(stream, Class::foreground, verifier, frames);
            if (HasFatalFailure()) return;
        }
    }
}

TEST(BurstVerifier, RefusesNumbersBeyondTheTrialAndOtherTrials) {
    const Stream stream = make_stream({.frames = 1000}), other = make_stream({.trial_number = 6});
    const BurstVerifier verifier(stream, Class::foreground);
    Frames frames;
    frames.add(received(stream, 999));
    frames.add(received(stream, 1000));
    frames.add(received(stream, probe::low40));
    frames.add(received(other, 7));
    frames.add(received(stream, 0));
    auto same_sums = received(stream, 0);  // as the number 0 has
    wire::store16(&same_sums[data_offset(same_sums) + probe::number], 0xffff);
    frames.add(same_sums);
    EXPECT_EQ(frames.looked_at_by(verifier).right, 0b10001U);
}

TEST(BurstVerifier, GarbageIsNeverRight) {
    std::mt19937_64 random(8219);
    for (const Stream& stream : all_streams()) {
        const BurstVerifier verifier(stream, *stream.mix.only_class());
        Frames frames;
        for (unsigned i = 0; i < most_in_burst; ++i) {
            Bytes garbage(random() % 200);
            std::generate(garbage.begin(), garbage.end(), [&] { return static_cast<std::uint8_t>(random()); });
            frames.add(std::move(garbage));
        }
        EXPECT_EQ(frames.looked_at_by(verifier).right, 0U);
    }
}

// Wherever a subscriber's number is in its IPv6 address (RFC 7597 §5.2), on a link with tunnels and on one without.
TEST(AddressBurst, AsOneByOne) {
    std::mt19937_64 random(7597);
    for (const unsigned shift : {0U, 1U, 20U, 48U, 63U, 64U, 65U, 72U, 80U}) {
        for (const auto& [psid_bits, host_bits] : {std::pair(8U, 0U), {0U, 0U}, {0U, 8U}, {16U, 0U}}) {
            flow::SubscriberRule rule;
            rule.number_bits = 8 + psid_bits;
            rule.ipv6 = wire::parse_ipv6("2001::")->value;
            rule.ipv6_shift = shift;
            rule.identifier_mask = shift < 48 ? 0 : (wire::Bits128{1} << std::min(shift, 64U)) - 1;
            rule.identifier_shift = host_bits == 0 ? 0 : 8;
            rule.ipv4 = 0xc0000000;
            rule.host_bits = host_bits;
            rule.host_in_ipv6 = shift % 2 == 0;
            rule.psid_bits = psid_bits;
            rule.psid_length = 16;
            rule.psid = psid_bits == 0 ? 0x1234 : 0;
            const std::vector<flow::Subscribers::Domain> domain{{rule, 200}};
            const auto subscribers = std::make_shared<const flow::Subscribers>(domain, 1);
            for (const bool tunnel : {false, true}) {
                ImageFields fields;
                fields.sources = technology::OfSubscriber{subscribers};
                fields.destinations = addresses(tunnel ? wire::Family::ipv4 : wire::Family::ipv6, true, 3);
                fields.frame_size = 150;
                if (tunnel)
                    fields.outer =
                        OuterFields{technology::OfSubscriber{subscribers}, technology::Addresses{address("2001:db8::2")}};
                const Image image(fields);
                const AddressBurst burst(image, false, false);
                flow::FlowBurst flows{};
                for (unsigned i = 0; i < most_in_burst; ++i) {
                    const auto who = (*subscribers)(static_cast<std::uint32_t>(random() % 200));
                    flows.set(i, {subscribers->host(who, static_cast<std::uint32_t>(random())),
                                  static_cast<std::uint32_t>(random() % 3), 1, 2, 0, 0, who.packed()});
                }
                AddressBurst::Words words;
                burst.write(flows, most_in_burst, words);
                ASSERT_EQ(burst.words(), tunnel ? 3U : 4U);
                for (unsigned i = 0; i < most_in_burst; ++i) {
                    const FrameAddresses right = image.subscriber_addresses(flows.at(i));
                    const auto* ipv6 = tunnel ? right.outer.data() : right.packet.data();
                    const unsigned first = tunnel ? 1 : 0;
                    ASSERT_EQ(words.of[first][i], ipv6[0]) << shift;
                    ASSERT_EQ(words.of[first + 1][i], ipv6[1]) << shift;
                    const unsigned other = tunnel ? 0 : 2;
                    ASSERT_EQ(words.of[other][i], right.packet[other]);
                }
            }
        }
    }
}

}  // namespace
}  // namespace xlatperf::frame
