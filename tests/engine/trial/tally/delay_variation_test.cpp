#include "trial/tally/delay_variation.h"

#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <thread>

namespace xlatperf::trial {
namespace {

TEST(DelayVariation, OfConsecutiveFrames) {  // RFC 5481 §4.1
    DelayVariation variation;
    const std::uint64_t delays[] = {100, 150, 120, 120, 90};  // +50, -30, 0, -30
    for (std::uint64_t i = 0; i < 5; ++i) variation.add(i, delays[i]);
    EXPECT_EQ(variation.pairs(), 4U);
    EXPECT_EQ(variation.minimum_ns(), -30);
    EXPECT_EQ(variation.maximum_ns(), 50);
    EXPECT_EQ(variation.median_ns(), -15) << "-30, -30, 0, 50";
    EXPECT_DOUBLE_EQ(variation.mean_ns(), -2.5);
}

TEST(DelayVariation, PairsWithALostFrameAreExcluded) {  // R5481-4.1
    DelayVariation variation;
    for (const std::uint64_t i : {0U, 1U, 3U, 5U, 6U}) variation.add(i, 10 * i);
    EXPECT_EQ(variation.pairs(), 2U);
    EXPECT_EQ(variation.median_ns(), 10);
}

TEST(DelayVariation, OrderOfArrivalDoesNotMatter) {
    std::mt19937_64 random(5481);
    std::vector<std::optional<std::uint64_t>> delays(2000);
    std::vector<std::uint64_t> order;
    for (std::uint64_t i = 0; i < delays.size(); ++i) {
        if (random() % 5 == 0) continue;
        delays[i] = random() % 1000;
        order.push_back(i);
    }
    std::shuffle(order.begin(), order.end(), random);
    DelayVariation variation;
    for (const auto i : order) variation.add(i, *delays[i]);
    std::vector<std::int64_t> wanted;
    for (std::size_t i = 1; i < delays.size(); ++i) {
        if (delays[i] && delays[i - 1])
            wanted.push_back(static_cast<std::int64_t>(*delays[i]) - static_cast<std::int64_t>(*delays[i - 1]));
    }
    std::sort(wanted.begin(), wanted.end());
    ASSERT_EQ(variation.pairs(), wanted.size());
    EXPECT_EQ(variation.minimum_ns(), wanted.front());
    EXPECT_EQ(variation.maximum_ns(), wanted.back());
    const std::size_t half = wanted.size() / 2;
    const double median =
        wanted.size() % 2 == 1 ? static_cast<double>(wanted[half]) : static_cast<double>(wanted[half - 1] + wanted[half]) / 2;
    EXPECT_EQ(variation.median_ns(), median);
}

TEST(DelayVariation, OnlyOneSign) {
    DelayVariation rising, falling;
    for (std::uint64_t i = 0; i < 3; ++i) {
        rising.add(i, 100 + 5 * i);
        falling.add(i, 100 - 5 * i);
    }
    EXPECT_EQ(rising.minimum_ns(), 5);
    EXPECT_EQ(rising.maximum_ns(), 5);
    EXPECT_EQ(falling.minimum_ns(), -5);
    EXPECT_EQ(falling.maximum_ns(), -5);
    EXPECT_EQ(DelayVariation().pairs(), 0U);
    EXPECT_EQ(DelayVariation().mean_ns(), 0);
}

TEST(DelayVariation, SlotsAreUsedAgain) {
    DelayVariation variation;
    variation.add(5, 100);
    variation.add(6 + LatestDelays::remembered, 700);
    EXPECT_EQ(variation.pairs(), 0U) << "frame 5 of another round is no neighbour";
    variation.add(5 + LatestDelays::remembered, 690);
    EXPECT_EQ(variation.pairs(), 1U);
    EXPECT_EQ(variation.maximum_ns(), 10);
}

// Four threads share the frames among them: each pair is counted once, by one of them.
TEST(DelayVariation, OfSeveralReceivers) {
    constexpr std::uint64_t frames = 400'000;
    const auto delay_ns = [](std::uint64_t i) { return 1000 + i * 7919 % 900; };
    std::mt19937_64 random(5);
    std::vector<std::vector<std::uint64_t>> shares(4);
    DelayVariation alone;
    for (std::uint64_t i = 0; i < frames; ++i) {
        if (random() % 50 == 0) continue;
        alone.add(i, delay_ns(i));
        shares[random() % 4].push_back(i);
        if (random() % 1000 == 0) shares[random() % 4].push_back(i);  // twice
    }
    const auto latest = std::make_shared<LatestDelays>(true);
    std::vector<DelayVariation> each(4, DelayVariation(latest));
    std::vector<std::thread> workers;
    for (std::size_t w = 0; w < 4; ++w) {
        workers.emplace_back([&, w] {
            for (const std::uint64_t i : shares[w]) each[w].add(i, delay_ns(i));
        });
    }
    for (auto& worker : workers) worker.join();
    for (std::size_t w = 1; w < 4; ++w) each[0].add(each[w]);
    EXPECT_EQ(each[0].pairs(), alone.pairs());
    EXPECT_EQ(each[0].minimum_ns(), alone.minimum_ns());
    EXPECT_EQ(each[0].maximum_ns(), alone.maximum_ns());
    EXPECT_EQ(each[0].median_ns(), alone.median_ns());
    EXPECT_DOUBLE_EQ(each[0].mean_ns(), alone.mean_ns());
}

}  // namespace
}  // namespace xlatperf::trial
