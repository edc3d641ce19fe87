#include "frame/probe.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace xlatperf::frame {
namespace {

using Bytes18 = std::array<std::uint8_t, probe::size>;

Bytes18 stored(std::uint32_t tag, std::uint64_t number, std::uint64_t ticks) {
    Bytes18 bytes{};
    probe::store(bytes.data(), tag, number, ticks);
    return bytes;
}

TEST(Probe, TagRoundTrip) {
    for (const auto direction : flow::both_directions) {
        for (const std::uint32_t number : {0U, 1U, 0x400U, probe::most_trial_number}) {
            for (const std::uint32_t session : {0U, 1U, 0x800U, probe::most_session}) {
                const auto tag = probe::make_tag(direction, {session, number});
                EXPECT_TRUE(probe::has_magic(tag));
                EXPECT_EQ(probe::session_of(tag), session);
                EXPECT_EQ(probe::direction_of(tag), direction);
                EXPECT_EQ(probe::trial_of(tag), number);
            }
        }
    }
    EXPECT_FALSE(probe::has_magic(0x59));
}

TEST(Probe, RoundTripOfAllFields) {
    std::mt19937_64 random(18);
    for (int i = 0; i < 5000; ++i) {
        const auto tag =
            probe::make_tag(flow::Direction::reverse, {static_cast<std::uint32_t>(random() & probe::most_session),
                                                       static_cast<std::uint32_t>(random() & probe::most_trial_number)});
        const auto number = random() & probe::low48 & (~std::uint64_t{0} >> (random() % 64)), ticks = random() >> (random() % 64);
        const auto bytes = stored(tag, number, ticks);
        ASSERT_EQ(probe::load_tag(bytes.data()), tag);
        ASSERT_EQ(probe::load_number(bytes.data()), number);
        ASSERT_EQ(probe::load_sequence(bytes.data()), number & probe::low40);
        ASSERT_EQ(probe::load_stamp(bytes.data()), ticks & probe::low48);
        ASSERT_TRUE(probe::intact(bytes.data()));
        ASSERT_EQ(wire::fold(wire::sum_bytes(bytes.data(), bytes.size())), probe::sum);
    }
}

TEST(Probe, TheDataBeginWithX) {
    EXPECT_EQ(stored(probe::make_tag(flow::Direction::forward, {probe::most_session, 0}), 0, 0)[0], 'X');
}

TEST(Probe, TheGuardFindsEveryFlippedBit) {
    std::mt19937_64 random(16);
    for (int i = 0; i < 200; ++i) {
        auto bytes = stored(probe::make_tag(flow::Direction::forward, {7, static_cast<std::uint32_t>(i)}),
                            random() & probe::low48, random());
        for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
            bytes[bit / 8] = static_cast<std::uint8_t>(bytes[bit / 8] ^ (1U << (bit % 8)));
            ASSERT_FALSE(probe::intact(bytes.data())) << "bit " << bit;
            bytes[bit / 8] = static_cast<std::uint8_t>(bytes[bit / 8] ^ (1U << (bit % 8)));
        }
    }
    EXPECT_FALSE(probe::intact(Bytes18{}.data())) << "zeros are no probe";
}

TEST(Probe, RestampChangesOnlyTheStamp) {
    auto bytes = stored(probe::make_tag(flow::Direction::reverse, {0, 77}), 0xfedcba987654, 1);
    probe::restamp(bytes.data(), 0xabcd0123456789);
    EXPECT_EQ(bytes, stored(probe::make_tag(flow::Direction::reverse, {0, 77}), 0xfedcba987654, 0xabcd0123456789));
    EXPECT_EQ(probe::load_stamp(bytes.data()), 0xcd0123456789U);
}

TEST(Probe, TicksSinceAcrossTheWrapOf48Bits) {
    constexpr std::uint64_t wrap = std::uint64_t{1} << 48;
    EXPECT_EQ(probe::ticks_since(100, 150), 50);
    EXPECT_EQ(probe::ticks_since(150, 100), -50);
    EXPECT_EQ(probe::ticks_since(wrap - 10, wrap + 5), 15);
    EXPECT_EQ(probe::ticks_since(5, 3 * wrap - 10), -15);
    EXPECT_EQ(probe::ticks_since(0, (wrap >> 1) - 1), (std::int64_t{1} << 47) - 1);
    EXPECT_EQ(probe::ticks_since(wrap - 1, ~std::uint64_t{0}), 0);
    std::mt19937_64 random(48);
    for (int i = 0; i < 5000; ++i) {
        const std::uint64_t sent = random(), delay = random() >> 17;
        ASSERT_EQ(probe::ticks_since(sent & probe::low48, sent + delay), static_cast<std::int64_t>(delay));
    }
}

}  // namespace
}  // namespace xlatperf::frame
