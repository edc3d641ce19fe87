// Fragments put together (RFC 791 §3.2, RFC 8200 §4.5), and what isn't a packet (RFC 5722).
#include "frame/reassembly.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "frame/classifier.h"
#include "frame/numbered_identification.h"
#include "frame/streams.h"

namespace xlatperf::frame {
namespace {

using Taken = Reassembly::Taken;

// In steps of so many bytes, which is a multiple of 8; an independent way to cut a packet.
std::vector<Bytes> cut(const Bytes& whole, std::size_t step, std::uint32_t identification) {
    const bool ipv4 = is_ipv4(whole);
    const std::size_t header = 14 + (ipv4 ? 20U : 40U), all = whole.size() - header;
    std::vector<Bytes> found;
    for (std::size_t from = 0; from < all; from += step) {
        const std::size_t end = std::min(all, from + step);
        const unsigned more = end < all ? 1 : 0;
        Bytes one(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(header));
        if (ipv4) {
            wire::store16(&one[16], static_cast<std::uint16_t>(20 + end - from));
            wire::store16(&one[18], static_cast<std::uint16_t>(identification));
            wire::store16(&one[20], static_cast<std::uint16_t>(more << 13 | from / 8));
            wire::store16(&one[24], 0);
            const auto sum = static_cast<std::uint16_t>(~wire::fold(wire::sum_bytes(&one[14], 20)));
            std::memcpy(&one[24], &sum, 2);
        } else {
            one.resize(header + 8);
            wire::store16(&one[18], static_cast<std::uint16_t>(8 + end - from));
            one[header] = one[20];
            one[20] = 44;
            wire::store16(&one[header + 2], static_cast<std::uint16_t>(from | more));
            wire::store32(&one[header + 4], identification);
        }
        one.insert(one.end(), whole.begin() + static_cast<std::ptrdiff_t>(header + from),
                   whole.begin() + static_cast<std::ptrdiff_t>(header + end));
        found.push_back(std::move(one));
    }
    return found;
}

struct Bench {
    Reassembly reassembly{0, 1000};
    Reassembly::Whole whole;
    std::vector<Reassembly::GivenUp> given_up;

    Taken add(const Bytes& frame, std::uint64_t arrival = 7) {
        const auto one = parse_fragment(frame.data(), frame.size());
        EXPECT_TRUE(one);
        return reassembly.add(frame.data(), *one, arrival, whole, given_up);
    }
    Bytes bytes() const { return {whole.bytes.begin(), whole.bytes.begin() + static_cast<std::ptrdiff_t>(whole.size)}; }
};

Bytes as_fragmentable(Bytes frame) {  // DF 0, and the checksum fits
    if (!is_ipv4(frame)) return frame;
    wire::store16(&frame[20], 0);
    wire::store16(&frame[24], 0);
    const auto sum = static_cast<std::uint16_t>(~wire::fold(wire::sum_bytes(&frame[14], 20)));
    std::memcpy(&frame[24], &sum, 2);
    return frame;
}

Bytes packet(Kind kind, std::uint64_t number, std::size_t size = 500) {
    return as_fragmentable(received(make_stream({.kind = kind, .ipv6_size = size}), number));
}
// With the identification of its fragments.
Bytes with_identification(Bytes whole, std::uint16_t identification) {
    if (!is_ipv4(whole)) return whole;
    wire::store16(&whole[18], identification);
    return as_fragmentable(whole);
}

TEST(Reassembly, InAnyOrderAndPieces) {
    std::mt19937 random(1);
    for (const Kind kind : {Kind::native_ipv4, Kind::native_ipv6}) {
        Bench bench;
        for (unsigned round = 0; round < 200; ++round) {
            const Bytes whole = packet(kind, round, 120 + random() % 1400);
            auto parts = cut(whole, 8 + random() % 60 * 8, round);
            std::shuffle(parts.begin(), parts.end(), random);
            if (parts.size() == 1) continue;
            for (std::size_t i = 0; i + 1 < parts.size(); ++i) ASSERT_EQ(bench.add(parts[i]), Taken::waits);
            ASSERT_EQ(bench.add(parts.back()), Taken::completes);
            ASSERT_EQ(bench.bytes(), with_identification(whole, static_cast<std::uint16_t>(round)));
            ASSERT_TRUE(bench.whole.other.empty());
            ASSERT_EQ(bench.whole.identification, round);
        }
        EXPECT_TRUE(bench.given_up.empty());
        EXPECT_TRUE(bench.reassembly.give_up_rest().empty());
    }
}

TEST(Reassembly, ManyAtOnce) {
    Bench bench;
    std::vector<Bytes> second;
    for (std::uint32_t number = 0; number < 1000; ++number) {
        const auto parts = cut(packet(Kind::native_ipv6, number), 248, number);
        ASSERT_EQ(parts.size(), 2U);
        ASSERT_EQ(bench.add(parts[0]), Taken::waits);
        second.push_back(parts[1]);
    }
    for (std::uint32_t number = 0; number < 1000; ++number) {
        ASSERT_EQ(bench.add(second[number]), Taken::completes);
        ASSERT_EQ(bench.bytes(), packet(Kind::native_ipv6, number));
    }
}

TEST(Reassembly, TheOldestIsGivenUp) {
    Bench bench;
    const Bytes whole = packet(Kind::native_ipv4, 3);
    const auto alone = cut(whole, 240, 0)[1];
    ASSERT_EQ(bench.add(alone), Taken::waits);
    for (std::uint32_t i = 1; i < Reassembly::most_waiting; ++i) ASSERT_EQ(bench.add(cut(whole, 240, i)[0]), Taken::waits);
    ASSERT_TRUE(bench.given_up.empty());
    ASSERT_EQ(bench.add(cut(whole, 240, Reassembly::most_waiting)[0]), Taken::waits);
    ASSERT_EQ(bench.given_up.size(), 1U);
    EXPECT_EQ(bench.given_up[0].bytes, alone);
    EXPECT_EQ(bench.given_up[0].arrival, 7U);
    EXPECT_EQ(bench.reassembly.give_up_rest().size(), Reassembly::most_waiting);
}

TEST(Reassembly, NoneWaitsUntilItsIdentificationComesAgain) {  // RFC 4963
    for (const auto& [later, taken, gone] : {std::tuple(1000U, Taken::completes, 0U), {1001U, Taken::waits, 1U}}) {
        Bench bench;
        const auto parts = cut(packet(Kind::native_ipv6, 3), 248, 9);
        EXPECT_EQ(bench.add(parts[0], 7), Taken::waits);
        EXPECT_EQ(bench.add(parts[1], 7 + later), taken);
        EXPECT_EQ(bench.given_up.size(), gone);
    }
}

TEST(Reassembly, AnExactDuplicateIsNotTaken) {
    Bench bench;
    const auto parts = cut(packet(Kind::native_ipv6, 3), 248, 9);
    EXPECT_EQ(bench.add(parts[0]), Taken::waits);
    EXPECT_EQ(bench.add(parts[0]), Taken::repeats);
    EXPECT_EQ(bench.add(parts[1]), Taken::completes);
    EXPECT_TRUE(bench.given_up.empty());
}

TEST(Reassembly, FragmentsThatContradictAreNoPacket) {
    const Bytes whole = packet(Kind::native_ipv6, 3);
    const auto thirds = cut(whole, 160, 9), halves = cut(whole, 248, 9);
    Bytes other = halves[0];
    other.back() ^= 1;
    Bytes early_end = thirds[1];
    early_end[14 + 40 + 3] = static_cast<std::uint8_t>(early_end[14 + 40 + 3] & 0xfe);  // it says that it's the last one
    const std::vector<std::pair<Bytes, Bytes>> pairs = {
        {halves[0], thirds[1]}, {halves[0], other}, {thirds[2], early_end}, {early_end, thirds[2]}, {halves[1], thirds[2]}};
    for (const auto& [before, then] : pairs) {
        Bench bench;
        ASSERT_EQ(bench.add(before), Taken::waits);
        ASSERT_EQ(bench.add(then), Taken::waits);
        ASSERT_EQ(bench.given_up.size(), 1U);
        EXPECT_EQ(bench.given_up[0].bytes, before);
    }
}

TEST(Reassembly, HeadersThatDifferAreBothShown) {
    for (const Kind kind : {Kind::native_ipv4, Kind::native_ipv6}) {
        for (const bool first : {true, false}) {
            const Bytes whole = with_identification(packet(kind, 3), 9);
            auto parts = cut(whole, 240, 9);
            const std::size_t hop_limit = is_ipv4(whole) ? 14 + 8 : 14 + 7;
            Bytes& changed = parts[first ? 0 : 1];
            changed[hop_limit] ^= 1;
            if (is_ipv4(whole)) {
                wire::store16(&changed[24], 0);
                const auto sum = static_cast<std::uint16_t>(~wire::fold(wire::sum_bytes(&changed[14], 20)));
                std::memcpy(&changed[24], &sum, 2);
            }
            Bench bench;
            for (const Bytes& one : parts) bench.add(one);
            bench.whole.other.resize(bench.whole.size);
            EXPECT_EQ(bench.bytes() == whole, !first);
            EXPECT_EQ(bench.whole.other == whole, first);
        }
    }
}

TEST(Reassembly, OneWrongHeaderChecksumIsOneOfTheWhole) {
    const Bytes whole = with_identification(packet(Kind::native_ipv4, 3), 9);
    for (const std::size_t which : {0U, 1U}) {
        auto parts = cut(whole, 240, 9);
        parts[which][24] ^= 4;
        Bench bench;
        for (const Bytes& one : parts) bench.add(one);
        EXPECT_NE(wire::fold(wire::sum_bytes(&bench.whole.bytes[14], 20)), 0xffff);
    }
}

TEST(Reassembly, DfIsThatOfAPacketThatCameWhole) {
    const Bytes whole = with_identification(packet(Kind::native_ipv4, 3, 1500), 9);
    for (const auto& [df_above, df] : {std::pair(0U, false), {1260U, true}, {1500U, false}}) {
        Reassembly reassembly(df_above, 1000);
        Reassembly::Whole found;
        std::vector<Reassembly::GivenUp> given_up;
        for (const Bytes& one : cut(whole, 1200, 9))
            reassembly.add(one.data(), *parse_fragment(one.data(), one.size()), 7, found, given_up);
        EXPECT_EQ((found.bytes[20] & 0x40) != 0, df) << df_above;
        EXPECT_EQ(wire::fold(wire::sum_bytes(&found.bytes[14], 20)), 0xffff);
    }
}

TEST(Fragment, WhatIsNone) {
    for (const Kind kind : {Kind::native_ipv4, Kind::native_ipv6}) {
        const Bytes whole = packet(kind, 3);
        EXPECT_FALSE(parse_fragment(whole.data(), whole.size()));
        const auto parts = cut(whole, 240, 9);
        for (std::size_t size = 0; size < parts[0].size(); ++size) EXPECT_FALSE(parse_fragment(parts[0].data(), size));
        Bytes odd = parts[0];  // 239 bytes, and more behind them
        const std::size_t length = is_ipv4(whole) ? 16 : 18;
        wire::store16(&odd[length], static_cast<std::uint16_t>(wire::load16(&odd[length]) - 1));
        EXPECT_FALSE(parse_fragment(odd.data(), odd.size()));
        Bytes beyond = parts[1];  // it would end behind the longest packet
        if (is_ipv4(whole)) {
            wire::store16(&beyond[20], 0x1fff);
        } else {
            wire::store16(&beyond[14 + 40 + 2], 0xfff8);
        }
        EXPECT_FALSE(parse_fragment(beyond.data(), beyond.size()));
    }
    Bytes atomic = cut(packet(Kind::native_ipv6, 3), 8000, 9)[0];  // RFC 6946
    EXPECT_FALSE(parse_fragment(atomic.data(), atomic.size()));
}

TEST(Fragment, BehindOtherHeaders) {
    const Bytes whole = packet(Kind::native_ipv6, 3);
    auto parts = cut(whole, 240, 9);
    const Bytes options = {44, 0, 1, 4, 0, 0, 0, 0};  // PadN in hop-by-hop options
    for (Bytes& one : parts) {
        one.insert(one.begin() + 54, options.begin(), options.end());
        one[20] = 0;
        wire::store16(&one[18], static_cast<std::uint16_t>(wire::load16(&one[18]) + 8));
    }
    Bench bench;
    for (const Bytes& one : parts) bench.add(one);
    const Bytes found = bench.bytes();
    EXPECT_EQ(found.size(), whole.size() + 8);
    EXPECT_EQ(found[20], 0);
    EXPECT_EQ(found[54], 17);
    EXPECT_TRUE(std::equal(found.begin() + 62, found.end(), whole.begin() + 54));
}

TEST(NumberedIdentification, IsTurnedAndBack) {
    const Stream stream = make_stream({.kind = Kind::native_ipv4});
    const Image& image = stream.sent_image(Class::foreground);
    for (const std::uint64_t number : {0U, 1U, 0xffffU, 0x10001U}) {
        const Bytes before = sent(stream, 0);
        Bytes frame = before;
        turn_identification(frame.data(), image, number);
        EXPECT_EQ(wire::load16(&frame[18]), number & 0xffff);
        EXPECT_EQ(wire::load16(&frame[18]), numbered_identification(image, number));
        EXPECT_EQ(wire::fold(wire::sum_bytes(&frame[14], 20)), 0xffff);
        turn_identification(frame.data(), image, number);
        EXPECT_EQ(frame, before);
    }
}

}  // namespace
}  // namespace xlatperf::frame
