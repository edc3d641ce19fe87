#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "frame/burst.h"
#include "frame/streams.h"
#include "frame/verifier.h"

namespace xlatperf::frame {
namespace {

constexpr unsigned lengths[] = {1, 2, 7, 8, 9, 31, 32, 33, 63, 64};

// Frames in memory as a driver has them: larger than any that is looked at.
struct Frames {
    std::vector<Bytes> bytes;
    std::vector<std::uint8_t*> at;
    std::vector<std::uint16_t> size;

    void add(Bytes frame) {
        size.push_back(static_cast<std::uint16_t>(frame.size()));
        frame.resize(std::max(frame.size(), Image::readable));
        bytes.push_back(std::move(frame));
        at.push_back(bytes.back().data());
    }
    SeenBurst looked_at_by(const BurstVerifier& verifier) const {
        SeenBurst seen;
        const std::vector<const std::uint8_t*> readable(at.begin(), at.end());
        verifier.look(readable.data(), size.data(), static_cast<unsigned>(at.size()), seen);
        return seen;
    }
};

std::uint64_t first_bits(std::size_t n) { return n == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1; }

// Every frame as the other verifier sees it, one by one.
void expect_as_one_by_one(const Stream& stream, const BurstVerifier& verifier, const Frames& frames) {
    const SeenBurst seen = frames.looked_at_by(verifier);
    const Verifier one_by_one(stream);
    for (std::size_t i = 0; i < frames.at.size(); ++i) {
        Verifier::Match match;
        const bool right = one_by_one.matches(frames.at[i], frames.size[i], match);
        ASSERT_EQ((seen.right >> i & 1) != 0, right) << "frame " << i << " of " << frames.at.size();
        if (!right) continue;
        ASSERT_EQ(seen.sequence[i], match.sequence);
        ASSERT_EQ(seen.stamp48[i], match.stamp48);
        ASSERT_EQ((seen.df_differs >> i & 1) != 0, match.df_differs);
    }
    EXPECT_EQ(seen.right & ~first_bits(frames.at.size()), 0U);
}

// Of packets in tunnels between one pair of ends (RFC 2473), which either enter or leave them.
Stream make_tunnel_stream(bool enters, std::size_t size, std::uint32_t networks) {
    StreamOptions options{.kind = Kind::native_ipv4, .ipv6_size = size, .networks = networks};
    Stream stream = make_stream(options);
    ImageFields fields;
    fields.sources = addresses(wire::Family::ipv4, false, networks);
    fields.destinations = addresses(wire::Family::ipv4, true, networks);
    fields.frame_size = size + 40;
    fields.tag = probe::make_tag(options.direction, options.trial_number);
    fields.source_mac = gateway_right;
    fields.destination_mac = tester_right;
    fields.outer =
        OuterFields{technology::Addresses{address("2001:db8::1")}, technology::Addresses{address("2001:db8::2")}, 7, 64};
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
    for (const bool enters : {false, true}) {
        for (const std::uint32_t networks : {1U, 3U}) found.push_back(make_tunnel_stream(enters, 130, networks));
    }
    return found;
}

TEST(BurstWriter, WritesWhatImageWrites) {
    for (const Stream& stream : all_streams()) {
        const auto of = class_of_bursts(stream, stream.sent);
        ASSERT_TRUE(of);
        const BurstWriter writer(stream, *of);
        const Image& image = stream.sent_image(*of);
        for (const unsigned n : lengths) {
            for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{0xfffffff0}, probe::low48 - 64}) {
                std::vector<Bytes> frames(n, Bytes(std::max(image.size(), Image::head)));
                std::vector<std::uint8_t*> at;
                for (auto& frame : frames) {
                    std::copy_n(image.bytes() + Image::head, image.size() - std::min(image.size(), Image::head),
                                frame.data() + std::min(image.size(), Image::head));
                    at.push_back(frame.data());
                }
                writer.write(first, n, 0xfedcba9876543210, at.data());
                for (unsigned i = 0; i < n; ++i) {
                    frames[i].resize(image.size());
                    ASSERT_EQ(frames[i], written(image, stream.flows(*of)(first + i), first + i, 0xfedcba9876543210))
                        << "frame " << i << " of " << n << ", " << image.size() << " bytes";
                }
            }
        }
    }
}

TEST(BurstVerifier, AcceptsEveryNumberOfFrames) {
    for (const Stream& stream : all_streams()) {
        const auto of = class_of_bursts(stream, stream.expected);
        ASSERT_TRUE(of);
        const BurstVerifier verifier(stream, *of);
        for (const unsigned n : lengths) {
            Frames frames;
            for (unsigned i = 0; i < n; ++i) frames.add(received(stream, 900 + i, i * 0x0101010101));
            const SeenBurst seen = frames.looked_at_by(verifier);
            ASSERT_EQ(seen.right, first_bits(n));
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
            ASSERT_EQ(seen.right, first_bits(n));
            ASSERT_FALSE(seen.consecutive) << odd << " of " << n;
        }
    }
    Frames repeated;
    for (unsigned i = 0; i < 3; ++i) repeated.add(received(stream, 5));
    EXPECT_FALSE(repeated.looked_at_by(verifier).consecutive);
}

// R7915-V: each bit of a frame, at different places of a burst, is seen as it is in a single frame.
TEST(BurstVerifier, SeesEveryFlippedBitAsOneByOne) {
    for (const Stream& stream : all_streams()) {
        const BurstVerifier verifier(stream, *class_of_bursts(stream, stream.expected));
        const std::size_t bits = 8 * received(stream, 0).size();
        if (bits > 8 * 200) continue;
        for (std::size_t from = 0; from < bits; from += most_in_burst) {
            Frames frames;
            for (std::size_t bit = from; bit < std::min(bits, from + most_in_burst); ++bit) {
                auto frame = received(stream, bit % 997);
                frame[bit / 8] = static_cast<std::uint8_t>(frame[bit / 8] ^ (1U << (bit % 8)));
                if (bit % 5 == 0 && stream.sent_image(stream.mix(0)).outer() == stream.expected_image(stream.mix(0)).outer())
                    repair_ip_checksum(frame);
                frames.add(std::move(frame));
            }
            expect_as_one_by_one(stream, verifier, frames);
            if (HasFatalFailure()) return;
        }
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
            expect_as_one_by_one(stream, verifier, frames);
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
    frames.add(received(stream, probe::low48));
    frames.add(received(other, 7));
    frames.add(received(stream, 0));
    EXPECT_EQ(frames.looked_at_by(verifier).right, 0b10001U);
}

TEST(BurstVerifier, GarbageIsNeverRight) {
    std::mt19937_64 random(8219);
    for (const Stream& stream : all_streams()) {
        const BurstVerifier verifier(stream, *class_of_bursts(stream, stream.expected));
        Frames frames;
        for (unsigned i = 0; i < most_in_burst; ++i) {
            Bytes garbage(random() % 200);
            std::generate(garbage.begin(), garbage.end(), [&] { return static_cast<std::uint8_t>(random()); });
            frames.add(std::move(garbage));
        }
        EXPECT_EQ(frames.looked_at_by(verifier).right, 0U);
    }
}

TEST(ClassOfBursts, NotOfMixedClasses) {
    const Stream mixed = make_stream({.ipv6_size = 104, .take = 1, .of = 2});
    EXPECT_FALSE(class_of_bursts(mixed, mixed.sent));
    const Stream background = make_stream({.take = 0, .of = 1});
    EXPECT_EQ(class_of_bursts(background, background.sent), Class::background);
}

}  // namespace
}  // namespace xlatperf::frame
