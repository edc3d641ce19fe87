#include "flow/traffic_mix.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace xlatperf::flow {
namespace {

class TrafficMixes : public testing::TestWithParam<std::pair<std::uint32_t, std::uint32_t>> {
  protected:
    std::uint32_t take = GetParam().first, of = GetParam().second;
    TrafficMix mix{take, of};
};

TEST_P(TrafficMixes, ExactlyTakeOfOfInEveryPeriod) {  // RFC 8219 §5.3
    for (std::uint64_t start = 0; start < 3ULL * of; ++start) {
        std::uint32_t foreground = 0;
        for (std::uint64_t i = start; i < start + of; ++i) foreground += mix(i) == Class::foreground ? 1U : 0U;
        ASSERT_EQ(foreground, take) << "from " << start;
    }
    EXPECT_EQ(mix.only_foreground(), take == of);
    EXPECT_EQ(mix.only_background(), take == 0);
}

TEST_P(TrafficMixes, OfABurstAtOnce) {
    for (std::uint64_t first = 0; first < of + 70ULL; ++first) {
        const std::uint64_t background = mix.pattern(first).background;
        for (unsigned i = 0; i < 64; ++i) ASSERT_EQ(static_cast<Class>(background >> i & 1), mix(first + i));
    }
    EXPECT_EQ(mix.only_class(), take == of  ? std::optional(Class::foreground)
                                : take == 0 ? std::optional(Class::background)
                                            : std::nullopt);
}

TEST_P(TrafficMixes, ForegroundBelowCounts) {
    std::uint64_t counted = 0;
    for (std::uint64_t end = 0; end < 3ULL * of + 7; ++end) {
        ASSERT_EQ(mix.foreground_below(end), counted) << end;
        counted += mix(end) == Class::foreground ? 1U : 0U;
    }
    const std::uint64_t large = (std::uint64_t{1} << 47) / of * of;
    EXPECT_EQ(mix.foreground_below(large), large / of * take);
}

TEST_P(TrafficMixes, NumbersInEachClassAreConsecutive) {
    std::uint64_t next[classes] = {};
    for (std::uint64_t i = 0; i < 2ULL * of + 3; ++i) {
        const auto mine = mix(i);
        ASSERT_EQ(mix.number_in_class(mine, i), next[static_cast<std::size_t>(mine)]++);
    }
}

TEST_P(TrafficMixes, SpreadEvenly) {
    // Any run of k frames has its share of foreground, give or take one.
    for (std::uint64_t k = 1; k <= of; ++k) {
        std::int64_t least = INT64_MAX, most = 0, inside = 0;
        for (std::uint64_t i = 0; i < k; ++i) inside += mix(i) == Class::foreground ? 1 : 0;
        for (std::uint64_t start = 0; start < of; ++start) {
            least = std::min(least, inside);
            most = std::max(most, inside);
            inside += (mix(start + k) == Class::foreground ? 1 : 0) - (mix(start) == Class::foreground ? 1 : 0);
        }
        ASSERT_LE(most - least, 1) << "runs of " << k;
    }
}

INSTANTIATE_TEST_SUITE_P(TakeOfOf, TrafficMixes,
                         testing::Values(std::pair{1U, 1U}, std::pair{0U, 1U}, std::pair{1U, 2U}, std::pair{9U, 10U},
                                         std::pair{1U, 10U}, std::pair{0U, 10U}, std::pair{3U, 7U}, std::pair{5U, 8U},
                                         std::pair{999U, 1000U}, std::pair{1U, 1000U}, std::pair{617U, 1000U}));

}  // namespace
}  // namespace xlatperf::flow
