// Bursts of both classes (RFC 8219 §5.3): each part is written and seen as if its class were alone.
#include <gtest/gtest.h>

#include <random>

#include "flow/part.h"
#include "frame/classifier.h"
#include "frame/stateful_streams.h"
#include "frame/stream_verifier.h"
#include "frame/streams.h"

namespace xlatperf::frame {
namespace {

using Mix = std::pair<std::uint32_t, std::uint32_t>;
const std::vector<std::size_t> orders[] = {{}, {100, 84, 84, 230, 100}};
constexpr Mix mixes[] = {{1, 2}, {9, 10}, {1, 10}, {5, 8}, {999, 1000}};
constexpr Mix mixes_and_alone[] = {{1, 2}, {9, 10}, {1, 10}, {5, 8}, {999, 1000}, {1, 1}, {0, 1}};

// Part and rest of a burst are all of it, in order.
TEST(Parts, AreTheBurst) {
    for (const auto& [take, of] : mixes) {
        const flow::TrafficMix mix(take, of);
        for (const unsigned n : {1U, 7U, 63U, 64U}) {
            for (const std::uint64_t first : {0U, 5U, 999U}) {
                std::vector<std::uint64_t> numbers(n, ~std::uint64_t{0});
                for (const auto one : flow::both_classes) {
                    flow::Part part;
                    part.take(mix.pattern(first), one, first, n);
                    for (unsigned k = 0; k < part.n; ++k) {
                        numbers[part.place[k]] = part.sequence[k];
                        ASSERT_EQ(mix(part.sequence[k]), one);
                    }
                }
                for (unsigned i = 0; i < n; ++i) ASSERT_EQ(numbers[i], first + i);
            }
        }
    }
}

struct Received {
    std::vector<Bytes> frames;
    std::vector<std::size_t> sizes;

    void add(Bytes frame) {
        sizes.push_back(frame.size());
        frame.resize(std::max(frame.size(), Image::readable));
        frames.push_back(std::move(frame));
    }
    SeenBurst looked_at_by(const StreamVerifier& verifier) const {
        std::array<const std::uint8_t*, most_in_burst> at;
        std::array<std::uint16_t, most_in_burst> size;
        for (std::size_t i = 0; i < frames.size(); ++i) {
            at[i] = frames[i].data();
            size[i] = static_cast<std::uint16_t>(sizes[i]);
        }
        SeenBurst seen;
        verifier.look({at.data(), size.data(), static_cast<unsigned>(frames.size())}, seen, [](const auto*, unsigned) {});
        return seen;
    }
};

void expect_as_classified(const Stream& stream, const StreamVerifier& verifier, const Received& received) {
    const SeenBurst seen = received.looked_at_by(verifier);
    for (unsigned i = 0; i < received.frames.size(); ++i) {
        const std::uint8_t* at = received.frames[i].data();
        const Finding finding = Classifier(stream).classify(at, received.sizes[i]);
        const bool right = finding.reason == Reason::expected && !finding.remarks.has(counter::Remark::udp_checksum_zero);
        ASSERT_EQ((seen.right >> i & 1) != 0, right) << i << " of " << received.frames.size() << ": " << finding.text;
        if (!right) continue;
        const Match match = verifier.match(seen, i, at);
        ASSERT_EQ(match.sequence, finding.sequence);
        ASSERT_EQ(match.of, finding.of);
        ASSERT_EQ(match.stamp48, finding.stamp48);
        ASSERT_EQ(match.connection, stream.flows(match.of)(match.sequence).connection);
        ASSERT_EQ(match.source, at + stream.expected_image(match.of).source_offset());
        ASSERT_EQ(match.remarks.has(counter::Remark::df_differs), finding.remarks.has(counter::Remark::df_differs));
    }
}

Stream stream_of(Kind kind, const Mix& mix, const std::vector<std::size_t>& in_turn, bool loopback = false) {
    return make_stream({.kind = kind,
                        .ipv6_size = 100,
                        .networks = 3,
                        .take = mix.first,
                        .of = mix.second,
                        .frames = 5000,
                        .loopback = loopback,
                        .in_turn = in_turn});
}

class MixesOf : public testing::TestWithParam<Kind> {};

TEST_P(MixesOf, ConsecutiveNumbersAreRight) {
    for (const auto& [take, of] : mixes_and_alone) {
        for (const auto& [loopback, in_turn] : {std::pair(false, orders[0]), {true, orders[0]}, {false, orders[1]}}) {
            const Stream stream = stream_of(GetParam(), {take, of}, in_turn, loopback);
            const StreamVerifier verifier(stream);
            for (const unsigned n : {1U, 2U, 7U, 8U, 33U, 64U}) {
                for (const std::uint64_t first : {0U, 1U, 997U, 4900U}) {
                    Received all;
                    for (unsigned i = 0; i < n; ++i) all.add(received(stream, first + i, 77 + i));
                    const SeenBurst seen = all.looked_at_by(verifier);
                    ASSERT_EQ(seen.right, flow::first_bits(n));
                    ASSERT_TRUE(seen.consecutive);
                    expect_as_classified(stream, verifier, all);
                    if (HasFatalFailure()) return;
                }
            }
        }
    }
}

// Lost, overtaken, repeated, damaged, cut, of the other class, of nobody.
TEST_P(MixesOf, WhateverArrivesIsSeenAsTheClassifierSeesIt) {
    std::mt19937_64 random(8219);
    for (unsigned i = 0; i < 2 * std::size(mixes_and_alone); ++i) {
        const auto& [take, of] = mixes_and_alone[i / 2];
        const Stream stream = stream_of(GetParam(), {take, of}, orders[i % 2]);
        const StreamVerifier verifier(stream);
        std::uint64_t right = 0;
        for (int round = 0; round < 200; ++round) {
            Received all;
            std::uint64_t next = random() % 4900;
            for (auto n = 1 + random() % most_in_burst; n > 0; --n) {
                const std::uint64_t number = next++;
                auto frame = received(stream, number, random());
                switch (random() % 25) {
                    case 0:
                        next = random() % 5100;
                        break;
                    case 1:
                        frame[random() % frame.size()] ^= static_cast<std::uint8_t>(1U << random() % 8);
                        break;
                    case 2:
                        frame.resize(random() % frame.size());
                        break;
                    case 3: {
                        if (stream.mix.only_class()) break;
                        const Class wrong = stream.mix(number) == Class::foreground ? Class::background : Class::foreground;
                        frame = written(stream.expected_image(wrong), stream.flows(wrong)(number), number);
                        break;
                    }
                    case 4:
                        std::generate(frame.begin(), frame.end(), [&] { return static_cast<std::uint8_t>(random()); });
                        break;
                    case 5: {  // of another size
                        const Class of = stream.mix(number);
                        const std::size_t size = (stream.size_of(of, number) + 1) % stream.sizes.sizes().size();
                        frame = written(stream.expected[flow::index(of)].of_size(size), stream.flows(of)(number), number);
                        break;
                    }
                    default:
                        break;
                }
                all.add(std::move(frame));
            }
            expect_as_classified(stream, verifier, all);
            if (HasFatalFailure()) return;
            right += static_cast<std::uint64_t>(std::popcount(all.looked_at_by(verifier).right));
        }
        EXPECT_GT(right, 2000U);
    }
}

INSTANTIATE_TEST_SUITE_P(Kinds, MixesOf, testing::ValuesIn(all_kinds), [](const auto& info) { return name(info.param); });

// What belongs to connections is asked for, of foreground frames alone.
TEST(Mixes, ConnectionsAreFetched) {
    const Stream stream = make_stateful_stream({.take = 1, .of = 2});
    const StreamVerifier verifier(stream);
    Received all;
    for (std::uint64_t i = 0; i < 10; ++i)
        all.add(stream.mix(i) == Class::foreground ? translated(stream, i, pool_address(Nat::nat44, 0), 5000)
                                                   : received(stream, i));
    std::vector<std::uint64_t> asked, wanted;
    std::array<const std::uint8_t*, 10> at;
    std::array<std::uint16_t, 10> size;
    for (unsigned i = 0; i < 10; ++i) {
        at[i] = all.frames[i].data();
        size[i] = static_cast<std::uint16_t>(all.sizes[i]);
        if (stream.mix(i) == Class::foreground) wanted.push_back(stream.foreground_flows(i).connection);
    }
    SeenBurst seen;
    verifier.look({at.data(), size.data(), 10}, seen,
                  [&](const std::uint64_t* connections, unsigned n) { asked.insert(asked.end(), connections, connections + n); });
    EXPECT_EQ(asked, wanted);
    EXPECT_EQ(seen.right, flow::first_bits(10));
}

// First and last frame are where they would be if nothing had been lost or overtaken between.
TEST(Mixes, FramesBetweenAreNotAsSent) {
    const Stream stream = make_stateful_stream({.take = 1, .of = 2});
    const StreamVerifier verifier(stream);
    const std::vector<std::vector<std::uint64_t>> orders = {
        {4, 6, 5, 7}, {4, 4, 5, 7}, {4, 7, 5, 7}, {4, 8, 9, 7}, {4, 5, 999, 7}};
    for (const auto& order : orders) {
        Received all;
        std::vector<const std::uint8_t*> at;
        std::vector<std::uint16_t> size;
        for (const auto i : order)
            all.add(stream.mix(i) == Class::foreground ? translated(stream, i, pool_address(Nat::nat44, 0), 5000)
                                                       : received(stream, i));
        for (std::size_t i = 0; i < order.size(); ++i) {
            at.push_back(all.frames[i].data());
            size.push_back(static_cast<std::uint16_t>(all.sizes[i]));
        }
        SeenBurst seen;
        verifier.look({at.data(), size.data(), static_cast<unsigned>(order.size())}, seen, [](const auto*, unsigned) {});
        EXPECT_FALSE(seen.consecutive);
        EXPECT_EQ(seen.right, flow::first_bits(static_cast<unsigned>(order.size())));
        for (unsigned i = 0; i < order.size(); ++i) {
            EXPECT_EQ(seen.sequence[i], order[i]);
            EXPECT_EQ(seen.class_of(i), stream.mix(order[i]));
        }
    }
}

}  // namespace
}  // namespace xlatperf::frame
