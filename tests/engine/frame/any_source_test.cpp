// Frames that a stateful gateway translated: any source out of its pool is right, everything else must be as it was sent.
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "frame/classified.h"
#include "frame/one_frame.h"
#include "frame/stateful_streams.h"

namespace xlatperf::frame {
namespace {

class AnySource : public testing::TestWithParam<Nat> {
  protected:
    Nat nat = GetParam();
    bool v4 = right_family(GetParam()) == wire::Family::ipv4;
    std::mt19937_64 random{static_cast<std::uint64_t>(GetParam()) + 1};
};

TEST_P(AnySource, OfThePoolIsRightWithItsOwnChecksum) {  // R9693-4.7-1
    for (const std::uint32_t servers : {1U, 7U}) {
        for (const std::size_t size : {84U, 85U, 128U, 1518U}) {
            const Stream stream =
                make_stateful_stream({.nat = nat, .ipv6_size = size, .clients = 3, .servers = servers, .pool_addresses = 65536});
            const StreamVerifier verifier(stream);
            for (int i = 0; i < 300; ++i) {
                const std::uint64_t sequence = random() % 1000;
                const auto source = pool_address(nat, static_cast<std::uint32_t>(random() % 65536));
                const auto port = static_cast<std::uint16_t>(1024 + random() % 64512);
                auto frame = translated(stream, sequence, source, port);
                ASSERT_EQ(classified(stream, frame).reason, Reason::expected);
                auto readable = frame;
                readable.resize(std::max(frame.size(), Image::readable));
                Match match;
                ASSERT_TRUE(matches(verifier, readable.data(), frame.size(), match)) << wire::to_text(source) << " " << port;
                EXPECT_EQ(match.sequence, sequence);
                EXPECT_EQ(match.of, Class::foreground);
                EXPECT_EQ(match.connection, stream.foreground_flows(sequence).connection);
                EXPECT_EQ(match.source, readable.data() + stream.expected[0]->source_offset());
                EXPECT_EQ(match.source_port, port);
                EXPECT_EQ(match.stamp48, 0x123456789abcU);
                EXPECT_FALSE(match.remarks.has(counter::Remark::df_differs));
                auto repaired = frame;
                repair_checksums(repaired);
                EXPECT_EQ(repaired, frame) << "the checksums are those of RFC 1071";
            }
        }
    }
}

// As for other technologies (R7915-V): no bit may differ but those of the source MAC address. A source that differs makes both
// checksums wrong.
TEST_P(AnySource, RefusesEveryFlippedBit) {
    for (const auto& options : {StatefulOptions{.nat = nat}, StatefulOptions{.nat = nat, .servers = 5},
                                StatefulOptions{.nat = nat, .ipv6_size = 200, .clients = 2, .take = 1, .of = 2}}) {
        const Stream stream = make_stateful_stream(options);
        const StreamVerifier verifier(stream);
        for (std::uint64_t sequence = 0; sequence < 8; ++sequence) {
            if (stream.mix(sequence) == Class::background) continue;
            auto frame = translated(stream, sequence, pool_address(nat, 0), 7777);
            ASSERT_TRUE(matches(verifier, frame));
            for (std::size_t bit = 0; bit < 8 * frame.size(); ++bit) {
                auto& byte = frame[bit / 8];
                byte = static_cast<std::uint8_t>(byte ^ (1U << (bit % 8)));
                const bool source_mac = bit / 8 >= 6 && bit / 8 < 12;
                ASSERT_EQ(matches(verifier, frame), source_mac) << "byte " << bit / 8 << " bit " << bit % 8;
                const Finding finding = Classifier(stream).classify(frame.data(), frame.size());
                ASSERT_EQ(finding.reason == Reason::expected, source_mac) << "byte " << bit / 8 << " bit " << bit % 8;
                byte = static_cast<std::uint8_t>(byte ^ (1U << (bit % 8)));
            }
        }
    }
}

struct AnySourceFault {
    const char* name;
    std::function<void(Bytes&)> spoil;
    Reason reason;
    bool repaired = true;  ///< checksums are made right again
};

TEST_P(AnySource, EveryOtherFaultIsTold) {
    const std::vector<AnySourceFault> table = {
        {"nothing", [](Bytes&) {}, Reason::expected},
        {"destination MAC", [](Bytes& f) { increment(f[5]); }, Reason::wrong_mac},
        {"destination address", [](Bytes& f) { increment(last_octet_of_destination(f)); }, Reason::wrong_address},
        {"destination port", [](Bytes& f) { udp(f)[2] ^= 0x80; }, Reason::wrong_port},
        {"not decremented", [](Bytes& f) { increment(hops(f)); }, Reason::hop_limit},
        {"traffic class cleared", change_traffic_class, Reason::traffic_class},
        {"UDP checksum", [](Bytes& f) { increment(udp(f)[wire::udp::checksum]); }, Reason::udp_checksum, false},
        {"octet of the fill", [](Bytes& f) { increment(f.back()); }, Reason::payload},
        {"stamp of the probe", [](Bytes& f) { increment(data(f)[probe::stamp]); }, Reason::payload},
        {"padding behind the packet", [](Bytes& f) { f.resize(f.size() + 4); }, Reason::wrong_length, false},
        {"UDP length", [](Bytes& f) { --udp(f)[wire::udp::length + 1]; }, Reason::wrong_length},
    };
    const Stream stream = make_stateful_stream({.nat = nat, .servers = 2, .pool_addresses = 16});
    for (const auto& fault : table) {
        for (const std::uint64_t sequence : {0U, 5U, 501U}) {
            auto frame = translated(stream, sequence, pool_address(nat, 9), 40000);
            fault.spoil(frame);
            if (fault.repaired) repair_checksums(frame);
            const Finding finding = classified(stream, frame);
            ASSERT_EQ(verdict(finding), name(fault.reason)) << fault.name << ": " << finding.text;
            EXPECT_EQ(finding.sequence, sequence) << fault.name;
            EXPECT_EQ(finding.of, Class::foreground);
            EXPECT_EQ(matches(stream, frame), fault.reason == Reason::expected) << fault.name;
        }
    }
}

// A DUT that translates the source but leaves the UDP checksum of the frame before.
TEST_P(AnySource, ChecksumOfAnotherSourceIsWrong) {
    const Stream stream = make_stateful_stream({.nat = nat, .pool_addresses = 4});
    auto frame = translated(stream, 3, pool_address(nat, 1), 5000);
    const auto other = translated(stream, 3, pool_address(nat, 2), 5000);
    std::copy_n(&other[udp_offset(other) + wire::udp::checksum], 2, &udp(frame)[wire::udp::checksum]);
    EXPECT_FALSE(matches(stream, frame));
    EXPECT_EQ(classified(stream, frame).reason, Reason::udp_checksum);
}

TEST_P(AnySource, OfOtherServersIsWrong) {
    const Stream stream = make_stateful_stream({.nat = nat, .servers = 100});
    for (std::uint64_t sequence = 0; sequence < 100; ++sequence) {
        auto frame = translated(stream, sequence, pool_address(nat, 0), 5000);
        auto& octet = last_octet_of_destination(frame);
        octet = static_cast<std::uint8_t>(octet == 2 ? 3 : 2);
        repair_checksums(frame);
        ASSERT_FALSE(matches(stream, frame));
        ASSERT_EQ(classified(stream, frame).reason, Reason::wrong_address);
    }
}

// Outside the pool the StreamVerifier finds nothing wrong: whether the source is allowed is for who learns it. The Classifier,
// which sees frames with another fault, names the pool.
TEST_P(AnySource, OutsideThePool) {
    const Stream stream = make_stateful_stream({.nat = nat, .pool_addresses = 2, .first_port = 2000, .last_port = 2999});
    const auto inside = pool_address(nat, 1), outside = pool_address(nat, 2);
    for (const auto& [source, port] : {std::pair{outside, 2000}, {inside, 1999}, {inside, 3000}}) {
        auto frame = translated(stream, 8, source, static_cast<std::uint16_t>(port));
        Match match;
        EXPECT_TRUE(matches(stream, frame, match));
        EXPECT_EQ(match.source_port, port);
        const std::string text = "source " + wire::to_text(source) + " port " + std::to_string(port) + ", expected " +
                                 wire::to_text(pool_address(nat, 0)) + " and 1 after it, ports 2000 to 2999";
        EXPECT_EQ(classified(stream, frame).reason, Reason::outside_pool);
        EXPECT_EQ(classified(stream, frame).text, text);
        increment(hops(frame));
        repair_checksums(frame);
        EXPECT_FALSE(matches(stream, frame));
        EXPECT_EQ(classified(stream, frame).text, text) << "it comes before the hop limit";
        EXPECT_EQ(classified(stream, frame).sequence, 8U);
        --udp(frame)[wire::udp::length + 1];
        EXPECT_EQ(classified(stream, frame).reason, Reason::wrong_length) << "and after the length";
    }
}

TEST_P(AnySource, WhatWasForwardedUntranslated) {
    const Stream stream = make_stateful_stream({.nat = nat, .clients = 3});
    for (std::uint64_t sequence = 0; sequence < 20; ++sequence) {
        auto frame = sent(stream, sequence);
        const Finding finding = classified(stream, frame);
        EXPECT_FALSE(matches(stream, frame)) << "its hop limit isn't decremented";
        EXPECT_EQ(finding.sequence, sequence);
        if (nat == Nat::nat64) {
            EXPECT_EQ(finding.reason, Reason::untranslated);
            EXPECT_NE(finding.text.find(", expected IPv4"), std::string::npos) << finding.text;
        } else {  // within a family a router looks like a gateway that doesn't translate
            EXPECT_EQ(finding.reason, Reason::outside_pool) << finding.text;
        }
    }
}

TEST_P(AnySource, UdpChecksumZeroIsRightInIpv4) {
    const Stream stream = make_stateful_stream({.nat = nat, .pool_addresses = 4});
    auto frame = translated(stream, 3, pool_address(nat, 3), 5000);
    wire::store16(udp(frame) + wire::udp::checksum, 0);
    const Finding finding = classified(stream, frame);
    EXPECT_EQ(finding.reason, v4 ? Reason::expected : Reason::udp_checksum);
    EXPECT_EQ(finding.remarks.has(counter::Remark::udp_checksum_zero), v4);
    EXPECT_FALSE(matches(stream, frame)) << "the Classifier counts these";
}

TEST_P(AnySource, IdentificationAndDfAreTheDutsChoiceOnlyWhenTranslated) {  // RFC 7915 §5.1
    if (!v4) return;
    const Stream stream = make_stateful_stream({.nat = nat});
    auto identified = translated(stream, 3, pool_address(nat, 0), 5000), other_df = identified;
    ip(identified)[wire::ipv4::identification] = 0x77;
    ip(other_df)[wire::ipv4::flags_offset] ^= 0x40;
    for (auto* frame : {&identified, &other_df}) {
        repair_checksums(*frame);
        Match match;
        EXPECT_EQ(matches(stream, *frame, match), nat == Nat::nat64);
        const Reason wrong = frame == &identified ? Reason::identification : Reason::dont_fragment;
        EXPECT_EQ(classified(stream, *frame).reason, nat == Nat::nat64 ? Reason::expected : wrong);
        if (nat == Nat::nat64) {
            EXPECT_EQ(match.remarks.has(counter::Remark::df_differs), frame == &other_df);
        }
    }
}

// The source port isn't known before, so the destination port alone confirms the number of a damaged probe.
TEST_P(AnySource, NumbersOfDamagedProbesNeedTheDestinationPort) {
    const Stream stream = make_stateful_stream({.nat = nat, .connections = 500'000});
    auto frame = translated(stream, 3, pool_address(nat, 0), 5000);
    data(frame)[probe::stamp] ^= 1;
    EXPECT_EQ(classified(stream, frame).sequence, 3U);
    udp(frame)[0] ^= 0x10;
    EXPECT_EQ(classified(stream, frame).sequence, 3U);
    udp(frame)[3] ^= 0x10;
    EXPECT_FALSE(classified(stream, frame).sequence);
}

TEST_P(AnySource, ExpectedBytesHaveTheSourceThatWasSeen) {
    const Stream stream = make_stateful_stream({.nat = nat, .pool_addresses = 2});
    const auto inside = translated(stream, 3, pool_address(nat, 1), 5000, 77),
               outside = translated(stream, 3, pool_address(nat, 2), 5000, 77),
               unknown = translated(stream, 3, pool_address(nat, 0), stream.foreground_flows(3).source_port, 77);
    const Classifier classifier(stream);
    const auto expected = [&](const Bytes& frame) {
        const auto packet = parse_packet(frame.data(), frame.size());
        return classifier.expected_bytes(3, 77, frame.data(), &*packet);
    };
    EXPECT_EQ(expected(inside), inside);
    EXPECT_EQ(expected(outside), unknown) << "the pool's first address, with the client's own port";
    EXPECT_EQ(classifier.expected_bytes(3, 77), unknown);
}

TEST_P(AnySource, BackgroundHasItsOwnSource) {
    const Stream stream = make_stateful_stream({.nat = nat, .take = 1, .of = 2});
    for (std::uint64_t sequence = 0; sequence < 20; ++sequence) {
        const bool foreground = stream.mix(sequence) == Class::foreground;
        auto frame = foreground ? translated(stream, sequence, pool_address(nat, 0), 5000) : received(stream, sequence);
        Match match;
        ASSERT_TRUE(matches(stream, frame, match)) << sequence;
        EXPECT_EQ(match.of, stream.mix(sequence));
        EXPECT_EQ(classified(stream, frame).reason, Reason::expected);
        if (foreground) continue;
        increment(last_octet_of_source(frame));
        repair_checksums(frame);
        EXPECT_FALSE(matches(stream, frame));
        EXPECT_EQ(classified(stream, frame).reason, Reason::wrong_address);
    }
}

// The StreamVerifier accepts what the Classifier finds right, and beside it only what is wrong by its source alone.
TEST_P(AnySource, VerifierAndClassifierAgree) {
    const Stream stream = make_stateful_stream({.nat = nat, .servers = 3, .pool_addresses = 2, .take = 2, .of = 3});
    const StreamVerifier verifier(stream);
    int accepted = 0, outside = 0;
    for (int i = 0; i < 30000; ++i) {
        const std::uint64_t sequence = random() % stream.frames;
        auto frame = stream.mix(sequence) == Class::foreground
                         ? translated(stream, sequence, pool_address(nat, random() % 4), static_cast<std::uint16_t>(random()))
                         : received(stream, sequence);
        if (random() % 4 == 0) frame = sent(stream, sequence);
        for (auto changes = random() % 3; changes > 0; --changes)
            frame[random() % frame.size()] = static_cast<std::uint8_t>(random());
        if (random() % 8 == 0) frame.resize(random() % (frame.size() + 20));
        if (random() % 2 == 0 && frame.size() >= 62 && parse_packet(frame.data(), frame.size())) repair_checksums(frame);
        const Finding finding = classified(stream, frame);
        const bool matching = matches(verifier, frame);
        ASSERT_FALSE(finding.reason == Reason::expected && !finding.remarks.has(counter::Remark::udp_checksum_zero) && !matching)
            << finding.text;
        ASSERT_TRUE(!matching || finding.reason == Reason::expected || finding.reason == Reason::outside_pool) << finding.text;
        accepted += matching ? 1 : 0;
        outside += matching && finding.reason == Reason::outside_pool ? 1 : 0;
    }
    EXPECT_GT(accepted, 3000);
    EXPECT_GT(outside, 100);
}

INSTANTIATE_TEST_SUITE_P(Nats, AnySource, testing::ValuesIn(all_nats), [](const auto& nat) { return name(nat.param); });

}  // namespace
}  // namespace xlatperf::frame
