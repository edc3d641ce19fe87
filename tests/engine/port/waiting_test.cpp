#include "port/waiting.h"

#include <gtest/gtest.h>

namespace xlatperf::port {
namespace {

void expect(const Waiting& seen, std::uint64_t trials, std::uint64_t beside) {
    EXPECT_EQ(seen.trials, trials);
    EXPECT_EQ(seen.beside, beside);
}

TEST(Waiting, FramesOfTrialsLeaveFirst) {
    expect(Waiting{5, 2}.after({4, 0, 0}), 1, 2);
    expect(Waiting{5, 2}.after({6, 0, 0}), 0, 1);
    expect(Waiting{5, 2}.after({9, 0, 0}), 0, 0);
}

TEST(Waiting, WhatIsSentBesideWaitsUntilItLeavesOrIsDropped) {
    expect(Waiting{}.after({0, 0, 3}), 0, 3);
    expect(Waiting{}.after({2, 0, 3}), 0, 1);
    expect(Waiting{}.after({2, 1, 3}), 0, 0);
}

TEST(Waiting, NothingIsCountedTwice) {
    // What leaves between two looks isn't waited for by the second: else a trial's last frame would seem to wait until its end.
    expect(Waiting{}.after({0, 0, 1}).after({1, 0, 0}), 0, 0);
}

}  // namespace
}  // namespace xlatperf::port
