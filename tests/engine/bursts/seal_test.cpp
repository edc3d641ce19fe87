#include "frame/seal.h"

#include <gtest/gtest.h>

#include <random>

#include "frame/classifier.h"
#include "frame/stream_verifier.h"
#include "frame/streams.h"

namespace xlatperf::frame {
namespace {

constexpr Key key{0x0706050403020100, 0x0f0e0d0c0b0a0908};

// The first from "SipHash: a fast short-input PRF" (its key, the vectors' message of eight bytes), the others from OpenSSL 3.
TEST(Siphash, Vectors) {
    EXPECT_EQ(siphash(key, 0x0706050403020100), 0x93f5f5799a932462);
    EXPECT_EQ(siphash({0, 0}, 0), 0xe849e8bb6ffe2567);
    EXPECT_EQ(siphash({0x8899aabbccddeeff, 0x0011223344556677}, 0x0123456789abcdef), 0xc2fb274e35fc5389);
}

TEST(Seal, IsTheSameInABurstAndOneByOne) {
    const Seal seal(key, 0x1234'5658);
    std::mt19937_64 random(8219);
    for (const unsigned n : {1U, 7U, 8U, 33U, most_in_burst}) {
        for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{250}, std::uint64_t{0xffffffe0}, probe::low40 - 64}) {
            for (const std::uint64_t step : {1U, 3U, 256U}) {
                alignas(64) OfBurst<std::uint64_t> sequences{}, found{};
                for (unsigned i = 0; i < n; ++i) sequences[i] = (first + i * step) & probe::low40;
                if (n == 33) std::shuffle(sequences.begin(), sequences.begin() + n, random);
                seal.numbers(sequences.data(), n, found.data());
                for (unsigned i = 0; i < n; ++i) {
                    ASSERT_EQ(found[i], seal.number(sequences[i]));
                    ASSERT_EQ(found[i] & probe::low40, sequences[i]);
                    ASSERT_LE(found[i], probe::low48);
                }
            }
        }
    }
}

TEST(Seal, DependsOnKeyTagAndBlock) {
    unsigned same_key = 0, same_tag = 0, same_block = 0;
    constexpr unsigned blocks = 10'000;
    const Seal one(key, 1), other_key({key[0], key[1] ^ 1}, 1), other_tag(key, 2);
    for (std::uint64_t block = 0; block < blocks; ++block) {
        const std::uint64_t number = one.number(block << 8);
        EXPECT_EQ(one.number((block << 8) + 255), number + 255) << "one seal per block";
        same_key += number == other_key.number(block << 8) ? 1U : 0U;
        same_tag += number == other_tag.number(block << 8) ? 1U : 0U;
        same_block += number >> 40 == one.number((block + 1) << 8) >> 40 ? 1U : 0U;
    }
    for (const unsigned same : {same_key, same_tag, same_block}) {
        EXPECT_GT(same, blocks / 256 / 2);
        EXPECT_LT(same, 2 * blocks / 256);
    }
}

// A frame that is right in all but that another made it: the next number's, from a frame that it has seen.
TEST(Seal, ForgedNumbersAreForeign) {
    const Stream stream = make_stream({.frames = 1 << 20});
    const StreamVerifier verifier(stream);
    const Seal& seal = stream.expected_image(flow::Class::foreground).seal();
    const std::uint64_t seen_number = seal.number(4321);
    unsigned taken = 0;
    constexpr std::uint64_t first = 4352, tried = 200;  // the first number of the next block
    for (std::uint64_t block = 0; block < tried; ++block) {
        const std::uint64_t sequence = first + 256 * block;
        auto frame = received(stream, sequence, 5);
        std::uint8_t* const at = &frame[data_offset(frame)];
        ASSERT_EQ(probe::load_number(at), seal.number(sequence));
        probe::store(at, probe::load_tag(at), (seen_number & ~probe::low40) | sequence, 5);
        const Finding finding = Classifier(stream).classify(frame.data(), frame.size());
        const bool fits = seal.number(sequence) >> 40 == seen_number >> 40;
        taken += fits ? 1U : 0U;
        EXPECT_EQ(finding.stray == counter::Stray::foreign, !fits);
        EXPECT_EQ(finding.reason == counter::Reason::expected, fits);
        const std::uint8_t* bytes = frame.data();
        const auto size = static_cast<std::uint16_t>(frame.size());
        frame.resize(std::max(frame.size(), Image::readable));
        bytes = frame.data();
        SeenBurst found;
        verifier.look({&bytes, &size, 1}, found, [](const std::uint64_t*, unsigned) {});
        EXPECT_EQ(found.right, fits ? 1U : 0U);
    }
    EXPECT_LT(taken, 5U) << "one in 256";
}

}  // namespace
}  // namespace xlatperf::frame
