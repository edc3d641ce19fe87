// When the wait for frames that may never come is over.
#include "trial/receive/fence.h"

#include <gtest/gtest.h>

#include "trial/receive/arrival_window.h"

namespace xlatperf::trial {
namespace {

using flow::Direction;

constexpr double ticks_per_second = 1e9;  // a tick is a nanosecond
constexpr std::uint64_t no_end = std::numeric_limits<std::uint64_t>::max();
constexpr Fence fence_of_ten{.frames = 10, .delays = 4, .least_s = 0.02};
constexpr std::uint64_t milliseconds = 1'000'000;

TEST(Fence, IsBackWhenAllOfItIs) {
    FenceWatch watch(fence_of_ten, {true, false}, 1, ticks_per_second);
    EXPECT_EQ(watch.end(0, milliseconds), no_end);
    watch.tell(Direction::forward, 0, {9, 1000, false});
    EXPECT_FALSE(watch.came());
    EXPECT_EQ(watch.end(0, milliseconds), no_end);
    watch.tell(Direction::forward, 0, {10, 1000, false});
    EXPECT_TRUE(watch.came());
    EXPECT_EQ(watch.end(0, milliseconds), 21 * milliseconds);
}

TEST(Fence, EndsOnceForAll) {
    FenceWatch watch(fence_of_ten, {true, false}, 1, ticks_per_second);
    watch.tell(Direction::forward, 0, {10, 0, false});
    EXPECT_EQ(watch.end(0, milliseconds), 21 * milliseconds);
    EXPECT_EQ(watch.end(0, 7 * milliseconds), 21 * milliseconds) << "it has been back since 1 milliseconds";
}

TEST(Fence, WaitsForAFewOfTheLongestDelays) {
    FenceWatch watch(fence_of_ten, {true, false}, 1, ticks_per_second);
    watch.tell(Direction::forward, 0, {10, 300 * milliseconds, false});
    EXPECT_EQ(watch.end(0, milliseconds), 1201 * milliseconds);
}

// All of it wrong has no delay, but didn't take longer than until now.
TEST(Fence, ThatTookLongIsWaitedForLonger) {
    FenceWatch watch(fence_of_ten, {true, false}, 1, ticks_per_second);
    watch.tell(Direction::forward, 0, {10, 0, false});
    EXPECT_EQ(watch.end(100 * milliseconds, 400 * milliseconds), 1600 * milliseconds);
}

TEST(Fence, IsThatOfAllDirectionsAndReceivers) {
    FenceWatch watch(fence_of_ten, {true, true}, 2, ticks_per_second);
    watch.tell(Direction::forward, 0, {4, 1000, false});
    watch.tell(Direction::forward, 1, {6, 10 * milliseconds, false});
    EXPECT_FALSE(watch.came());
    watch.tell(Direction::reverse, 1, {10, 1000, false});
    EXPECT_TRUE(watch.came());
    EXPECT_EQ(watch.end(0, 0), 40 * milliseconds);
}

TEST(Fence, ProvesNothingWhereFramesOvertakeEachOther) {
    FenceWatch watch(fence_of_ten, {true, true}, 1, ticks_per_second);
    watch.tell(Direction::forward, 0, {10, 1000, false});
    watch.tell(Direction::reverse, 0, {10, 1000, true});
    EXPECT_FALSE(watch.came());
    EXPECT_EQ(watch.end(0, milliseconds), no_end);
}

TEST(ArrivalWindow, TellsHowManyOfSomeNumbersCame) {
    WindowBounds bounds;
    bounds.ceiling = 128;
    ArrivalWindow window(bounds, 2);
    for (const std::uint64_t number : {5U, 63U, 64U, 70U, 71U, 127U}) window.mark(number);
    EXPECT_EQ(window.marked(0, 128), 6U);
    EXPECT_EQ(window.marked(63, 71), 3U);
    EXPECT_EQ(window.marked(72, 127), 0U);
}

}  // namespace
}  // namespace xlatperf::trial
