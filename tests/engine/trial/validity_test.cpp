#include "trial/validity.h"

#include <gtest/gtest.h>

namespace xlatperf::trial {
namespace {

constexpr double hz = 2e9;

// A trial in which nothing went wrong.
Result good() {
    Result result;
    for (auto& direction : result.directions) {
        direction.emplace();
        direction->intended = 1000;
        direction->departure.sent = 1000;
    }
    return result;
}

std::vector<std::string> codes(const Result& result, bool stopped = false) {
    std::vector<std::string> found;
    for (const auto& reason : objections(result, Description{}, hz, stopped)) {
        EXPECT_FALSE(reason.text.empty());
        EXPECT_EQ(reason.text.find('\n'), std::string::npos) << reason.text;
        if (reason.code != counter::Invalid::clock) found.emplace_back(counter::name(reason.code));  // this CPU's own
    }
    return found;
}
using Codes = std::vector<std::string>;

TEST(Validity, AGoodTrialHasNoReasons) { EXPECT_EQ(codes(good()), Codes{}); }

TEST(Validity, Stopped) { EXPECT_EQ(codes(good(), true), Codes{"stopped"}); }

TEST(Validity, SentLess) {
    auto result = good();
    result.directions[1]->departure.sent = 999;
    EXPECT_EQ(codes(result), Codes{"sent_less"});
    result.directions[1].reset();
    EXPECT_EQ(codes(result), Codes{}) << "a direction that wasn't asked for";
}

TEST(Validity, OfferedLessThanAskedFor) {  // 1,000 frames in 1 s; 1 ms may be missed, and not more
    auto result = good();
    result.directions[0]->sending_s = 1.0011;
    result.directions[0]->departure.overrun_ticks = 1'000'000;  // 0.5 ms
    EXPECT_EQ(codes(result), Codes{});
    result.directions[0]->departure.overrun_ticks = 2'200'000;  // 1.1 ms
    EXPECT_EQ(codes(result), Codes{"sent_less"});
    EXPECT_EQ(objections(result, Description{}, hz, false)[0].text,
              "forward: the last frame left 1.100 ms late: 999 frames/s were offered");
}

TEST(Validity, TheTestersOwnRing) {
    auto result = good();
    auto& overflowed = result.directions[0]->overflowed;
    overflowed = {20, 50, 6'200'000, 1024};
    EXPECT_EQ(codes(result), Codes{"receive_drops"});
    EXPECT_EQ(objections(result, Description{}, hz, false)[0].text,
              "forward: at most 20 of 50 lost frames were dropped by the Tester itself: it was held up for 3.10 ms, longer than "
              "its receive ring of 1024 frames lasts");
    overflowed.lost = 1999;
    EXPECT_EQ(codes(result), Codes{"receive_drops"});
    overflowed.lost = 2000;
    EXPECT_EQ(codes(result), Codes{}) << "99 % are the DUT's, whatever the Tester did";
    overflowed = {0, 50, 0, 1024};
    EXPECT_EQ(codes(result), Codes{});
}

TEST(Pacing, ShortTrialsMayNotTakeMuchLonger) {
    const Pacing pacing;
    EXPECT_DOUBLE_EQ(pacing.most_overrun_s(60, 1e6), 0.06);
    EXPECT_DOUBLE_EQ(pacing.most_overrun_s(0.001, 8e6), 4e-6) << "8,000 connections in a millisecond: a burst of 32";
    EXPECT_DOUBLE_EQ(pacing.most_overrun_s(0.002, 8e6), 4e-6);
    EXPECT_DOUBLE_EQ(pacing.most_overrun_s(0.1, 1000), 200e-6) << "slow: less than a frame's interval";
}

TEST(Validity, WhatTheDutHadNoRoomFor) {  // it failed, even if the Tester was too slow as well
    auto result = good();
    result.directions[0]->departure.counts[counter::Sending::not_taken] = 300;
    EXPECT_EQ(codes(result), Codes{});
    result.directions[0]->departure.sent = 701;
    EXPECT_EQ(codes(result), Codes{});
    result.directions[0]->departure.sent = 700;
    EXPECT_EQ(codes(result), Codes{"sent_less"});
}

TEST(Validity, Schedule) {  // 1 % of the frames may leave late
    auto result = good();
    result.directions[0]->departure.counts[counter::Sending::late_frames] = 10;
    EXPECT_EQ(codes(result), Codes{});
    result.directions[0]->departure.counts[counter::Sending::late_frames] = 11;
    EXPECT_EQ(codes(result), Codes{"schedule"});
}

TEST(Validity, NothingSentAtAll) {
    auto result = good();
    result.directions[0]->departure.sent = 0;
    EXPECT_EQ(codes(result), Codes{"sent_less"});
}

TEST(Validity, NoBuffersToSend) {
    auto result = good();
    result.directions[0]->departure.counts[counter::Sending::no_buffers] = 3;
    EXPECT_EQ(codes(result), Codes{}) << "all left in time in spite of it";
    result.directions[0]->departure.sent = 10;
    EXPECT_EQ(codes(result), (Codes{"sent_less", "no_buffers"}));
}

TEST(Validity, CountersOfThePorts) {
    for (std::size_t side = 0; side < 2; ++side) {
        auto result = good();
        result.counters[side].counts[counter::Port::receive_drops] = 1;
        EXPECT_EQ(codes(result), Codes{"receive_drops"});
        result = good();
        result.counters[side].counts[counter::Port::transmit_errors] = 1;
        EXPECT_EQ(codes(result), Codes{"transmit_errors"});
        result = good();
        result.counters[side].counts[counter::Port::no_buffers] = 1;
        EXPECT_EQ(codes(result), Codes{"no_buffers"});
        result = good();
        result.link_down[side] = "interface t1 is down";
        EXPECT_EQ(codes(result), Codes{"link_down"});
        EXPECT_EQ(objections(result, Description{}, hz, false)[0].text,
                  std::string(side == 0 ? "left" : "right") + ": the link was down: interface t1 is down");
    }
}

TEST(Validity, AllReasonsAtOnce) {
    auto result = good();
    result.directions[0]->departure.sent = 500;
    result.directions[0]->departure.counts[counter::Sending::late_frames] = 500;
    for (const auto count : {counter::Port::receive_drops, counter::Port::transmit_errors, counter::Port::no_buffers})
        result.counters[1].counts[count] = 1;
    result.link_down[0] = "interface t0 is down";
    EXPECT_EQ(codes(result, true),
              (Codes{"stopped", "sent_less", "schedule", "link_down", "receive_drops", "transmit_errors", "no_buffers"}));
}

TEST(Validity, ClockOfThisCpu) {
    const auto reasons = objections(good(), Description{}, hz, false);
    EXPECT_EQ(reasons.empty(), Clock::invariant());
}

}  // namespace
}  // namespace xlatperf::trial
