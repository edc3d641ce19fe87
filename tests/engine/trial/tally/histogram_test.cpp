#include "trial/tally/histogram.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace xlatperf::trial {
namespace {

Histogram of(std::initializer_list<std::uint64_t> values) {
    Histogram histogram;
    for (const auto value : values) histogram.add(value);
    return histogram;
}

// RFC 2330 §11.3, on sorted values: the smallest x with F(x) >= p.
std::uint64_t percentile(std::vector<std::uint64_t> values, std::uint64_t permille) {
    std::sort(values.begin(), values.end());
    for (std::size_t i = 0; i < values.size(); ++i) {
        if ((i + 1) * 1000 >= permille * values.size()) return values[i];
    }
    return values.back();
}

TEST(Histogram, EveryValueHasABucketWhoseMiddleIsNear) {
    const auto check = [](std::uint64_t ns) {
        const auto middle = static_cast<double>(Histogram::middle(Histogram::index(ns)));
        ASSERT_LE(std::abs(middle - static_cast<double>(ns)), static_cast<double>(ns) / 1024) << ns;
    };
    for (std::uint64_t ns = 0; ns < 1 << 17; ++ns) check(ns);
    for (unsigned bit = 10; bit < 42; ++bit) {
        for (const auto off : {-1, 0, 1}) check((std::uint64_t{1} << bit) + static_cast<std::uint64_t>(off));
    }
    std::mt19937_64 random(1024);
    for (int i = 0; i < 200000; ++i) check((random() >> 22) >> (random() % 42));
    check(Histogram::largest_ns);
}

TEST(Histogram, IndicesRiseWithoutGaps) {
    std::size_t last = 0;
    for (std::uint64_t ns = 1; ns < 1 << 18; ++ns) {
        const auto index = Histogram::index(ns);
        ASSERT_TRUE(index == last || index == last + 1) << ns;
        last = index;
    }
    for (std::size_t i = 0; i <= Histogram::index(Histogram::largest_ns); ++i)
        ASSERT_EQ(Histogram::index(Histogram::middle(i)), i);
}

// docs/protocol.md: what a reader of the answer computes from an index.
TEST(Histogram, BucketsAreThoseOfTheProtocol) {
    for (std::size_t i = 1024; i < 17000; ++i) {
        const auto shift = static_cast<unsigned>(i / 512 - 1);
        const std::uint64_t first = (512 + i % 512) << shift, last = first + (std::uint64_t{1} << shift) - 1;
        ASSERT_EQ(Histogram::index(first), i);
        ASSERT_EQ(Histogram::index(last), i);
    }
}

TEST(Histogram, ExactBelow1024) {
    for (std::uint64_t ns = 0; ns < Histogram::exact_below; ++ns) {
        ASSERT_EQ(Histogram::index(ns), ns);
        ASSERT_EQ(Histogram::middle(ns), ns);
    }
}

TEST(Histogram, VectorOfRfc2330) {  // R2330-11.3, R8219-12-1: {-2, 7, 7, 4, 18, -5}, shifted by 5 as delays aren't negative
    const auto histogram = of({3, 12, 12, 9, 23, 0});
    EXPECT_EQ(histogram.percentile(500), 4U + 5);
    EXPECT_EQ(histogram.percentile(250), static_cast<std::uint64_t>(-2 + 5));
    EXPECT_EQ(histogram.percentile(1000), 18U + 5);
    EXPECT_EQ(histogram.median(), 5.5 + 5);
    EXPECT_EQ(histogram.count(), 6U);
    EXPECT_EQ(histogram.sum(), 59U);
}

TEST(Histogram, OneValue) {
    const auto histogram = of({777});
    for (const std::uint64_t permille : {1U, 10U, 500U, 990U, 999U, 1000U}) EXPECT_EQ(histogram.percentile(permille), 777U);
    EXPECT_EQ(histogram.median(), 777);
    EXPECT_EQ(histogram.minimum(), 777U);
    EXPECT_EQ(histogram.maximum(), 777U);
}

TEST(Histogram, TwentyValues) {  // R8219-12-1: P1 is the minimum and P99 the maximum
    Histogram histogram;
    for (std::uint64_t i = 1; i <= 20; ++i) histogram.add(i);
    EXPECT_EQ(histogram.percentile(10), 1U);
    EXPECT_EQ(histogram.percentile(990), 20U);
    EXPECT_EQ(histogram.percentile(999), 20U);
    EXPECT_EQ(histogram.percentile(50), 1U);
    EXPECT_EQ(histogram.percentile(51), 2U);
    EXPECT_EQ(histogram.median(), 10.5);
}

TEST(Histogram, FiveHundredValues) {
    Histogram histogram;
    for (std::uint64_t i = 1; i <= 500; ++i) histogram.add(i);
    EXPECT_EQ(histogram.percentile(10), 5U);
    EXPECT_EQ(histogram.percentile(990), 495U);
    EXPECT_EQ(histogram.percentile(999), 500U) << "finer than 1 / N: the maximum";
    EXPECT_EQ(histogram.median(), 250.5);
}

TEST(Histogram, ThousandValues) {
    Histogram histogram;
    for (std::uint64_t i = 1000; i >= 1; --i) histogram.add(i);
    EXPECT_EQ(histogram.percentile(1), 1U);
    EXPECT_EQ(histogram.percentile(10), 10U);
    EXPECT_EQ(histogram.percentile(990), 990U);
    EXPECT_EQ(histogram.percentile(999), 999U);
    EXPECT_EQ(histogram.percentile(1000), 1000U);
    EXPECT_EQ(histogram.median(), 500.5);
}

TEST(Histogram, PercentilesAgreeWithRfc2330OnSortedValues) {
    std::mt19937_64 random(2330);
    for (int round = 0; round < 100; ++round) {
        Histogram histogram;
        std::vector<std::uint64_t> values(1 + random() % 300);
        for (auto& value : values) {
            value = round % 2 == 0 ? random() % 1024 : (random() >> 24) >> (random() % 40);
            histogram.add(value);
        }
        for (const std::uint64_t permille : {1U, 10U, 250U, 500U, 750U, 990U, 999U, 1000U}) {
            const auto wanted = static_cast<double>(percentile(values, permille));
            const auto bound = round % 2 == 0 ? 0.0 : wanted / 1024;
            ASSERT_NEAR(static_cast<double>(histogram.percentile(permille)), wanted, bound)
                << permille << " of " << values.size();
        }
        const auto [least, most] = std::minmax_element(values.begin(), values.end());
        ASSERT_EQ(histogram.minimum(), *least);
        ASSERT_EQ(histogram.maximum(), *most);
        ASSERT_EQ(histogram.percentile(1000), histogram.ranked(values.size()));
    }
}

TEST(Histogram, ManyValuesInOneBucket) {
    Histogram histogram;
    for (int i = 0; i < 100; ++i) histogram.add(1'000'003);
    EXPECT_EQ(histogram.percentile(500), 1'000'003U) << "within minimum and maximum";
    EXPECT_EQ(histogram.median(), 1'000'003);
}

TEST(Histogram, LongerThanTheLastBucket) {
    const std::uint64_t hours = 5ULL * 3600 * 1'000'000'000;
    auto histogram = of({5, hours});
    EXPECT_EQ(histogram.maximum(), hours);
    EXPECT_EQ(histogram.count(), 2U);
    EXPECT_EQ(of({hours}).percentile(500), hours);
}

void expect_equal(const Histogram& one, const Histogram& other) {
    EXPECT_EQ(one.counts(), other.counts());
    EXPECT_EQ(one.minimum(), other.minimum());
    EXPECT_EQ(one.maximum(), other.maximum());
    EXPECT_EQ(one.sum(), other.sum());
}

TEST(Histogram, MergingIsAddingAll) {
    std::mt19937_64 random(3);
    Histogram all, merged, empty;
    for (int part = 0; part < 4; ++part) {
        Histogram one;
        for (int i = 0; i < 1000; ++i) {
            const auto value = (random() >> 24) >> (random() % 40);
            one.add(value);
            all.add(value);
        }
        merged.add(one);
    }
    merged.add(empty);
    expect_equal(merged, all);
    EXPECT_EQ(merged.median(), all.median());
}

TEST(Histogram, ManyTimesTheSame) {
    Histogram once, several;
    for (const std::uint64_t ns : {0U, 1000U, 123'456U}) {
        for (int i = 0; i < 5; ++i) several.add(ns);
        once.add(ns, 5);
    }
    expect_equal(once, several);
}

TEST(Histogram, SpreadValuesOfOneBucketCountTogether) {
    Histogram one_by_one, together;
    const std::uint64_t from = 1ULL << 30, step = 1000, n = 64;  // buckets of 2 ms there
    for (std::uint64_t i = 0; i < n; ++i) one_by_one.add(from + i * step);
    ASSERT_TRUE(together.add_spread(from, from + (n - 1) * step, n));
    expect_equal(together, one_by_one);

    const Histogram before = together;
    EXPECT_FALSE(together.add_spread(100, 101, 2)) << "two buckets: each has to be counted";
    EXPECT_FALSE(together.add_spread(1, Histogram::largest_ns, 2));
    expect_equal(together, before);
    EXPECT_TRUE(together.add_spread(Histogram::largest_ns + 1, Histogram::largest_ns + 9, 3)) << "the last bucket";
    EXPECT_EQ(together.maximum(), Histogram::largest_ns + 9);
}

}  // namespace
}  // namespace xlatperf::trial
