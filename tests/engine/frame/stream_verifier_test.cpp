#include "frame/stream_verifier.h"

#include <gtest/gtest.h>

#include "frame/classifier.h"
#include "frame/one_frame.h"

namespace xlatperf::frame {
namespace {

std::string named(const testing::TestParamInfo<Kind>& info) { return name(info.param); }

class StreamVerifierOf : public testing::TestWithParam<Kind> {
  protected:
    Kind kind = GetParam();
};

void expect_accepted(const Stream& stream, std::initializer_list<std::uint64_t> sequences) {
    const StreamVerifier verifier(stream);
    for (const auto sequence : sequences) {
        const auto frame = received(stream, sequence, 0x0123456789abcdef);
        Match match;
        ASSERT_TRUE(matches(verifier, frame, frame.size(), match)) << sequence << " of size " << frame.size();
        EXPECT_EQ(match.sequence, sequence);
        EXPECT_EQ(match.of, stream.mix(sequence));
        EXPECT_EQ(match.stamp48, 0x456789abcdefU);
        EXPECT_FALSE(match.remarks.has(counter::Remark::df_differs));
        EXPECT_EQ(Classifier(stream).classify(frame.data(), frame.size()).reason, Reason::expected);
    }
}

TEST_P(StreamVerifierOf, AcceptsEverySize) {
    for (std::size_t size = 84; size <= 1522; ++size) {
        expect_accepted(make_stream({.kind = kind, .ipv6_size = size}), {0, 1, 999});
        if (HasFailure()) return;
    }
    expect_accepted(make_stream({.kind = kind, .ipv6_size = 9216}), {0, 1, 999});
}

TEST_P(StreamVerifierOf, AcceptsManyNumbersMixesAndNetworks) {
    for (const auto& [take, of] : {std::pair{1U, 1U}, {0U, 1U}, {9U, 10U}, {1U, 2U}, {1U, 10U}}) {
        for (const std::uint32_t networks : {1U, 2U, 256U}) {
            for (const bool loopback : {false, true}) {
                const Stream stream = make_stream({.kind = kind,
                                                   .ipv6_size = 100,
                                                   .networks = networks,
                                                   .take = take,
                                                   .of = of,
                                                   .frames = 2000,
                                                   .loopback = loopback});
                const StreamVerifier verifier(stream);
                Match match;
                for (std::uint64_t sequence = 0; sequence < stream.frames; ++sequence) {
                    const auto frame = received(stream, sequence);
                    ASSERT_TRUE(matches(verifier, frame, frame.size(), match)) << sequence << " of mix " << take << "/" << of;
                    ASSERT_EQ(match.sequence, sequence);
                    ASSERT_EQ(match.of, stream.mix(sequence));
                }
            }
        }
    }
}

TEST_P(StreamVerifierOf, AcceptsLargeNumbers) {
    expect_accepted(make_stream({.kind = kind, .frames = probe::most_frames}),
                    {probe::most_frames - 1, std::uint64_t{1} << 39, 0xffffffff, 0x100000000});
}

TEST_P(StreamVerifierOf, RefusesNumbersBeyondTheTrial) {
    const Stream stream = make_stream({.kind = kind, .frames = 1000});
    const StreamVerifier verifier(stream);
    EXPECT_TRUE(matches(verifier, received(stream, 999)));
    EXPECT_FALSE(matches(verifier, received(stream, 1000)));
}

TEST_P(StreamVerifierOf, RefusesOtherLengths) {
    for (const auto& [take, of] : {std::pair{1U, 1U}, {1U, 2U}}) {
        const Stream stream = make_stream({.kind = kind, .ipv6_size = 128, .take = take, .of = of});
        const StreamVerifier verifier(stream);
        for (std::uint64_t sequence = 0; sequence < 4; ++sequence) {
            const auto frame = received(stream, sequence);
            for (std::size_t size = 0; size < 200; ++size) {
                Match match;
                auto padded = frame;
                padded.resize(256);
                ASSERT_EQ(matches(verifier, padded, size, match), size == frame.size()) << size;
            }
        }
    }
}

// The heart of it (R7915-V): no bit of a frame may differ, but those of the source MAC address. And whatever the StreamVerifier
// refuses, the Classifier finds a reason for.
TEST_P(StreamVerifierOf, RefusesEveryFlippedBit) {
    struct Case {
        std::size_t size;
        std::uint32_t networks, take, of;
        bool loopback;
    };
    for (const auto& [size, networks, take, of, loopback] :
         {Case{84, 1, 1, 1, false}, Case{84, 256, 1, 1, false}, Case{84, 1, 1, 2, false}, Case{85, 1, 1, 1, false},
          Case{104, 3, 1, 2, false}, Case{128, 1, 1, 1, true}, Case{1518, 2, 2, 3, false}}) {
        const Stream stream = make_stream({.kind = kind,
                                           .ipv6_size = size,
                                           .networks = networks,
                                           .take = take,
                                           .of = of,
                                           .frames = 1000,
                                           .loopback = loopback});
        const StreamVerifier verifier(stream);
        const Classifier classifier(stream);
        for (const std::uint64_t sequence : {0U, 517U}) {
            auto frame = received(stream, sequence);
            ASSERT_TRUE(matches(verifier, frame));
            for (std::size_t bit = 0; bit < 8 * frame.size(); ++bit) {
                auto& byte = frame[bit / 8];
                byte = static_cast<std::uint8_t>(byte ^ (1U << (bit % 8)));
                const bool source_mac = bit / 8 >= 6 && bit / 8 < 12;
                const bool may_differ = source_mac && !loopback;
                ASSERT_EQ(matches(verifier, frame), may_differ)
                    << "byte " << bit / 8 << " bit " << bit % 8 << " of " << frame.size();
                const Finding finding = classifier.classify(frame.data(), frame.size());
                ASSERT_NE(finding.reason.has_value(), finding.stray.has_value());
                if (!may_differ) {
                    ASSERT_TRUE(finding.reason != Reason::expected || finding.remarks.has(counter::Remark::udp_checksum_zero))
                        << "byte " << bit / 8 << " bit " << bit % 8;
                }
                byte = static_cast<std::uint8_t>(byte ^ (1U << (bit % 8)));
            }
        }
    }
}

// RFC 7915 §5.1 leaves the identification to the DUT, and DF depends on the size: where headers were translated to IPv4, both may
// differ if the header checksum fits. Nothing else of the header may, whatever its checksum.
TEST(StreamVerifier, RepairedHeaderChecksumsExcuseOnlyIdentificationAndDfOfTranslatedFrames) {
    for (const auto kind : {Kind::ipv6_to_ipv4, Kind::native_ipv4}) {
        const Stream stream = make_stream({.kind = kind, .networks = 2});
        const StreamVerifier verifier(stream);
        const Classifier classifier(stream);
        for (std::uint64_t sequence = 0; sequence < 8; ++sequence) {
            for (std::size_t bit = 0; bit < 8 * wire::ipv4::size; ++bit) {
                if (bit / 8 == wire::ipv4::checksum || bit / 8 == wire::ipv4::checksum + 1) continue;
                auto frame = received(stream, sequence);
                auto& byte = frame[wire::ethernet::size + bit / 8];
                byte = static_cast<std::uint8_t>(byte ^ (0x80U >> (bit % 8)));
                if (bit / 8 != 0) repair_ip_checksum(frame);
                const bool identification = bit / 8 == 4 || bit / 8 == 5, df = bit == 6 * 8 + 1;
                const bool may_differ = kind == Kind::ipv6_to_ipv4 && (identification || df);
                Match match;
                ASSERT_EQ(matches(verifier, frame, frame.size(), match), may_differ) << "bit " << bit;
                const Finding finding = classifier.classify(frame.data(), frame.size());
                ASSERT_EQ(finding.reason == Reason::expected, may_differ) << "bit " << bit;
                if (may_differ) {
                    EXPECT_EQ(match.remarks.has(counter::Remark::df_differs), df) << "DF is counted";
                    EXPECT_EQ(finding.remarks.has(counter::Remark::df_differs), df);
                }
            }
        }
    }
}

// Two adjacent fields of `size` bytes in each other's place.
Bytes swapped(Bytes frame, std::size_t at, std::size_t size) {
    const auto first = frame.begin() + static_cast<std::ptrdiff_t>(at), second = first + static_cast<std::ptrdiff_t>(size);
    std::rotate(first, second, second + static_cast<std::ptrdiff_t>(size));
    return frame;
}

// Pairs of changes that leave all checksums right: swapped words, swapped addresses, a frame's data under another's headers.
TEST_P(StreamVerifierOf, RefusesWhatChecksumsCannotFind) {
    const Stream stream = make_stream({.kind = kind, .ipv6_size = 128, .networks = 256});
    const StreamVerifier verifier(stream);
    for (std::uint64_t sequence = 0; sequence < 200; ++sequence) {
        const auto right = received(stream, sequence), next = received(stream, sequence + 1);
        const auto data = static_cast<std::ptrdiff_t>(data_offset(right));

        const auto swapped_ports = swapped(right, udp_offset(right), 2);
        if (swapped_ports != right) {
            ASSERT_FALSE(matches(verifier, swapped_ports));
        }
        ASSERT_FALSE(matches(verifier, swapped(right, stream.expected[0]->source_offset(), stream.expected[0]->address_size())));
        ASSERT_FALSE(matches(verifier, swapped(right, data_offset(right) + probe::size, 2)));

        auto others_data = right;
        std::copy(next.begin() + data, next.end(), others_data.begin() + data);
        ASSERT_FALSE(matches(verifier, others_data));
    }
}

TEST_P(StreamVerifierOf, RefusesOtherTrialsAndDirections) {
    const Stream stream = make_stream({.kind = kind});
    const StreamVerifier verifier(stream);
    EXPECT_FALSE(matches(verifier, received(make_stream({.kind = kind, .trial_number = 6}), 3)));
    EXPECT_FALSE(matches(verifier, received(make_stream({.kind = kind, .direction = flow::Direction::reverse}), 3)));
}

TEST_P(StreamVerifierOf, RefusesWhatWasSent) {
    const Stream stream = make_stream({.kind = kind});
    EXPECT_FALSE(matches(StreamVerifier(stream), sent(stream, 3)));
    const Stream loopback = make_stream({.kind = kind, .loopback = true});
    EXPECT_TRUE(matches(StreamVerifier(loopback), sent(loopback, 3)));
}

INSTANTIATE_TEST_SUITE_P(Kinds, StreamVerifierOf, testing::ValuesIn(all_kinds), named);

// A foreground number in a background frame and vice versa: the class follows from the number.
TEST(StreamVerifier, RefusesFramesOfTheOtherClass) {
    for (const auto kind : all_kinds) {
        const Stream stream = make_stream({.kind = kind, .ipv6_size = 100, .take = 1, .of = 2});
        const StreamVerifier verifier(stream);
        for (std::uint64_t sequence = 0; sequence < 100; ++sequence) {
            const auto wrong = stream.mix(sequence) == Class::foreground ? Class::background : Class::foreground;
            ASSERT_FALSE(matches(verifier, written(stream.expected_image(wrong), stream.flows(wrong)(sequence), sequence)))
                << name(kind);
        }
    }
}

}  // namespace
}  // namespace xlatperf::frame
