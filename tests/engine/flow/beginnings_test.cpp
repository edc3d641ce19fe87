#include "flow/beginnings.h"

#include <gtest/gtest.h>

#include <array>

namespace xlatperf::flow {
namespace {

TEST(Beginnings, EachHasItsShareOfTheRate) {  // R8219-10.2.2: flow i+1 begins when flow i has been there for an interval
    const Beginnings beginnings(4, 10);       // 10, then 20, then 30 frames, then all
    EXPECT_EQ(beginnings.first_of_all(), 60U);
    for (const auto& [sequence, begun] :
         {std::pair(0U, 1U), {9U, 1U}, {10U, 2U}, {29U, 2U}, {30U, 3U}, {59U, 3U}, {60U, 4U}, {1000000U, 4U}})
        EXPECT_EQ(beginnings.begun(sequence), begun) << sequence;
}

TEST(Beginnings, PartsOfFrames) {
    for (const double each : {1e-9, 0.01, 1.0 / 3, 0.5, 1.5, 1e6 / 3}) {
        for (const std::uint32_t flows : {1U, 2U, 7U, 1000U, Beginnings::most_flows}) {
            const Beginnings beginnings(flows, each);
            std::uint64_t begun = 0;
            const std::uint64_t step = 1 + beginnings.first_of_all() / 500;
            for (std::uint64_t sequence = 0; sequence < beginnings.first_of_all() + 2 * step; sequence += step) {
                const std::uint32_t now = beginnings.begun(sequence);
                ASSERT_GE(now, begun) << "none goes away";
                ASSERT_LE(now, flows);
                ASSERT_LE(beginnings.first(now - 1), sequence);
                if (now < flows) ASSERT_GT(beginnings.first(now), sequence);
                begun = now;
            }
            EXPECT_EQ(begun, flows);
        }
    }
}

TEST(Beginnings, WholeNumbersStayWhole) {
    const Beginnings beginnings(3, 0.1 * 3 * 10 / 3);  // 1, which floating point may miss
    EXPECT_EQ(beginnings.first(1), 1U);
    EXPECT_EQ(beginnings.first_of_all(), 3U);
}

TEST(Beginnings, OfABurst) {
    const Beginnings beginnings(3, 10);
    const std::array<std::uint64_t, 3> first = {0, 9, 3}, across = {9, 10, 8}, all = {30, 1000, 31};
    EXPECT_EQ(beginnings.begun(first.data(), 3), 1U);
    EXPECT_EQ(beginnings.begun(across.data(), 3), std::nullopt);
    EXPECT_EQ(beginnings.begun(all.data(), 3), 3U);
}

}  // namespace
}  // namespace xlatperf::flow
