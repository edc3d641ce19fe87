#include "trial/receive/arrivals.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <thread>

#include "trial/grace_period.h"

namespace xlatperf::trial {
namespace {

using Mark = ArrivalWindow::Mark;
using Range = LostNumbers::Range;

constexpr std::uint64_t many = std::uint64_t{1} << 40;
const flow::TrafficMix one_class(1, 1);

SentNumbers all_below(std::uint64_t end) { return {{end}, end}; }

// What the thread that waits does, when each worker has polled again in between.
void look(Arrivals& arrivals, std::uint64_t due) {
    if (arrivals.raise_floor(due)) arrivals.settle();
    for (unsigned i = 0; i < arrivals.last().receivers(); ++i) arrivals.window(i).look_at_bounds();
}

TEST(Arrivals, FirstAndDuplicate) {
    Arrivals arrivals(6, 1000, 1, one_class);
    ArrivalWindow& window = arrivals.window(0);
    EXPECT_EQ(window.mark(5), Mark::first);
    EXPECT_EQ(window.mark(5), Mark::duplicate);
    EXPECT_EQ(window.mark(4), Mark::first);
    EXPECT_EQ(window.mark(4), Mark::duplicate);
    arrivals.finish(all_below(6));
    EXPECT_EQ(arrivals.lost().count(), 4U);
    EXPECT_EQ(arrivals.lost().ranges(), (std::vector<Range>{{0, 3}}));
}

TEST(Arrivals, Nothing) {
    for (const std::uint64_t sent : {0U, 1U, 63U, 64U, 65U, 127U, 128U, 1000U, 1'000'000U}) {
        for (const bool looked : {false, true}) {
            Arrivals arrivals(sent, 600, 2, one_class);
            for (std::uint64_t due = 0; looked && due < sent; due += 100) look(arrivals, due);
            arrivals.finish(all_below(sent));
            EXPECT_EQ(arrivals.lost().count(), sent);
            EXPECT_EQ(arrivals.lost().ranges().size(), sent == 0 ? 0U : 1U);
            if (sent > 0) {
                EXPECT_EQ(arrivals.lost().ranges()[0], (Range{0, sent - 1}));
            }
            EXPECT_TRUE(arrivals.lost().ranges_complete());
            EXPECT_EQ(arrivals.overtaken(), 0U);
        }
    }
}

TEST(Arrivals, Everything) {
    for (const std::uint64_t sent : {1U, 64U, 100U, 128U, 129U, 100'000U}) {
        Arrivals arrivals(sent, 600, 1, one_class);
        for (std::uint64_t i = 0; i < sent; ++i) {
            if (i % 32 == 0) look(arrivals, i);
            ASSERT_EQ(arrivals.window(0).mark(i), Mark::first);
            arrivals.last().set(0, {1, i});
        }
        arrivals.finish(all_below(sent));
        EXPECT_EQ(arrivals.lost().count(), 0U) << sent;
        EXPECT_TRUE(arrivals.lost().ranges().empty());
    }
}

TEST(Arrivals, TooLateIsBeyond) {
    Arrivals arrivals(many, 600, 1, one_class);
    ArrivalWindow& window = arrivals.window(0);
    for (int i = 0; i < 100; ++i) look(arrivals, 100'000);
    EXPECT_EQ(window.mark(100'000), Mark::first);
    arrivals.last().set(0, {1, 100'000});
    look(arrivals, 100'001);
    EXPECT_EQ(window.mark(5), Mark::beyond);
    EXPECT_EQ(window.mark(100'000 - 599), Mark::first) << "what it promises to remember";
    EXPECT_EQ(window.mark(100'000 - 5000), Mark::beyond);
    arrivals.finish(all_below(100'001));
    EXPECT_EQ(arrivals.lost().count(), 100'001U - 2);
    EXPECT_EQ(arrivals.overtaken(), 0U);
}

TEST(Arrivals, WhoeverComesTooEarlyIsTold) {
    Arrivals arrivals(many, 600, 2, one_class);
    EXPECT_EQ(arrivals.window(1).mark(100'000), Mark::beyond) << "nobody has looked for long";
    EXPECT_FALSE(arrivals.window(1).mark_run(100'000, 10));
    EXPECT_EQ(arrivals.overtaken(), 1U);
}

TEST(Arrivals, LostOfIntervals) {
    std::mt19937_64 random(60);
    for (const double each : {1.0, 63.0, 64.5, 1000.0}) {
        constexpr std::uint64_t frames = 5000;
        const Division division(frames, each);
        Arrivals arrivals(frames, 600, 1, one_class);
        arrivals.divide(division);
        std::vector<std::uint64_t> lost(division.count());
        for (std::uint64_t i = 0; i < frames; ++i) {
            look(arrivals, i);
            if (random() % 3 == 0 || (i > 2000 && i < 2500) || i > 4900) {
                ++lost[division.of(i)];
            } else {
                ASSERT_EQ(arrivals.window(0).mark(i), Mark::first);
            }
        }
        arrivals.finish(all_below(frames));
        EXPECT_EQ(arrivals.lost().of_intervals(), lost) << each;
    }
}

TEST(Arrivals, RangesAcrossWordsAreOne) {
    Arrivals arrivals(600, 1 << 12, 1, one_class);
    arrivals.window(0).mark(10);
    arrivals.window(0).mark(500);
    arrivals.finish(all_below(600));
    EXPECT_EQ(arrivals.lost().ranges(), (std::vector<Range>{{0, 9}, {11, 499}, {501, 599}}));
    EXPECT_EQ(arrivals.lost().count(), 598U);
}

TEST(Arrivals, RangesAreBoundedButTheCountIsExact) {
    constexpr std::uint64_t sent = 10'000;
    Arrivals arrivals(sent, sent, 1, one_class);
    for (std::uint64_t i = 0; i < sent; i += 2) arrivals.window(0).mark(i);
    arrivals.finish(all_below(sent));
    EXPECT_EQ(arrivals.lost().count(), sent / 2);
    EXPECT_EQ(arrivals.lost().ranges().size(), LostNumbers::most_ranges);
    EXPECT_FALSE(arrivals.lost().ranges_complete());
    EXPECT_EQ(arrivals.lost().ranges().front(), (Range{1, 1}));
    EXPECT_EQ(arrivals.lost().ranges().back(), (Range{511, 511}));
}

TEST(Arrivals, ExactlyAsManyRangesAsFit) {
    constexpr std::uint64_t sent = 2 * LostNumbers::most_ranges;
    Arrivals arrivals(sent, sent, 1, one_class);
    for (std::uint64_t i = 0; i < sent; i += 2) arrivals.window(0).mark(i);
    arrivals.finish(all_below(sent));
    EXPECT_EQ(arrivals.lost().ranges().size(), LostNumbers::most_ranges);
    EXPECT_TRUE(arrivals.lost().ranges_complete());
}

void expect_missing(const LostNumbers& lost, const std::set<std::uint64_t>& arrived, std::uint64_t sent) {
    ASSERT_EQ(lost.count(), sent - arrived.size());
    std::vector<Range> missing;
    bool complete = true;
    std::uint64_t next = 0, last = 0;
    const auto lose = [&](std::uint64_t first, std::uint64_t end) {
        if (first == end) return;
        last = end - 1;
        if (missing.size() < LostNumbers::most_ranges) {
            missing.emplace_back(first, end - 1);
        } else {
            complete = false;
        }
    };
    for (const auto number : arrived) {
        lose(next, number);
        next = number + 1;
    }
    lose(next, sent);
    ASSERT_EQ(lost.ranges_complete(), complete);
    ASSERT_EQ(lost.ranges(), missing);
    if (lost.count() > 0) {
        ASSERT_EQ(lost.last(), last) << "also when the list is cut off";
    }
}

// Against the obvious: a set of all numbers that have arrived. Jumps, gaps, disorder, duplicates and what comes too late, at one
// receiver and at several, some of which get little.
TEST(Arrivals, AgreeWithASet) {
    std::mt19937_64 random(64);
    for (int round = 0; round < 300; ++round) {
        const auto receivers = 1 + static_cast<unsigned>(random() % 4);
        const std::uint64_t remembered = 512 + random() % 2000;
        const flow::TrafficMix mix(static_cast<std::uint32_t>(random() % 4), 3 + static_cast<std::uint32_t>(random() % 4));
        Arrivals arrivals(many, remembered, receivers, mix);
        std::set<std::uint64_t> arrived;
        std::vector<std::set<std::uint64_t>> each(receivers);
        std::array<std::uint64_t, 2> twice{};
        std::uint64_t at = 0, highest = 0;
        const auto disorder = 1 + random() % (2 * remembered);
        const auto gap = 1 + random() % (round % 3 == 0 ? 60 : 4);
        for (int i = 0; i < 3000; ++i) {
            at += random() % gap;
            if (random() % 500 == 0) {  // nothing arrives for long
                for (const std::uint64_t end = at + random() % 10'000; at < end; at += 50) look(arrivals, at);
            }
            if (i % 2 == 0) look(arrivals, at + 1);
            const std::uint64_t back = random() % 4 == 0 ? random() % disorder : 0;
            const std::uint64_t number = at > back ? at - back : 0;
            const auto receiver = static_cast<unsigned>(random() % 8 == 0 ? receivers - 1 : random() % receivers);
            const auto mark = arrivals.window(receiver).mark(number);
            if (mark == Mark::beyond) {
                ASSERT_GE(at + 1, number + remembered) << "the last " << remembered << " numbers are remembered";
            } else {
                ASSERT_EQ(mark == Mark::first, each[receiver].insert(number).second) << number;
                if (!arrived.insert(number).second && mark == Mark::first) ++twice[static_cast<std::size_t>(mix(number))];
            }
            highest = std::max(highest, number);
            arrivals.last().set(receiver, {1, number});
        }
        const std::uint64_t sent = highest + 1 + random() % 300;
        arrivals.finish(all_below(sent));
        ASSERT_EQ(arrivals.duplicates(), twice);
        ASSERT_EQ(arrivals.overtaken(), 0U);
        expect_missing(arrivals.lost(), arrived, sent);
    }
}

// Senders that didn't come to their last frames: what wasn't sent isn't lost.
TEST(Arrivals, OnlyWhatWasSentIsLost) {
    std::mt19937_64 random(65);
    for (int round = 0; round < 300; ++round) {
        const auto senders = 1 + static_cast<unsigned>(random() % 5);
        const std::uint64_t frames = 1 + random() % 3000;
        std::vector<std::uint64_t> next;
        for (unsigned i = 0; i < senders; ++i) {
            std::uint64_t own = random() % 3 == 0 ? frames : random() % (frames + 1);
            while (own < frames && senders > 1 && own / 64 % senders != i) ++own;
            next.push_back(std::max<std::uint64_t>(own, i * 64));
        }
        const SentNumbers sent(next, frames);
        Arrivals arrivals(frames, frames, 2, one_class);
        std::vector<Range> lost;
        std::uint64_t all_sent = 0;
        for (std::uint64_t number = 0; number < frames; ++number) {
            ASSERT_EQ(sent.below(number), all_sent);
            const bool was_sent = number < next[number / 64 % senders];
            ASSERT_EQ((sent.word(number / 64) >> (number % 64) & 1) != 0, was_sent);
            if (!was_sent) continue;
            ++all_sent;
            if (random() % 20 != 0) {
                arrivals.window(random() % 2).mark(number);
            } else if (!lost.empty() && lost.back().second + 1 == number) {
                ++lost.back().second;
            } else {
                lost.emplace_back(number, number);
            }
        }
        ASSERT_EQ(sent.below(frames), all_sent);
        arrivals.finish(sent);
        ASSERT_EQ(arrivals.lost().ranges(), lost);
    }
}

TEST(Arrivals, RunsAreMarkedAsIfOneByOne) {
    std::mt19937_64 random(21);
    for (int round = 0; round < 300; ++round) {
        WindowBounds bounds;
        bounds.floor = 640;
        bounds.ceiling = 640 + 8192;
        ArrivalWindow one_by_one(bounds, 128), in_runs(bounds, 128);
        std::uint64_t at = 0;
        for (int i = 0; i < 200; ++i) {
            at += random() % 100;
            const std::uint64_t back = random() % 4 == 0 ? random() % 1500 : 0, first = at > back ? at - back : 0;
            const auto n = static_cast<unsigned>(1 + random() % 64);
            ArrivalWindow trial = one_by_one;
            bool all_first = true;
            for (unsigned k = 0; k < n; ++k) all_first &= trial.mark(first + k) == Mark::first;
            // Where a run isn't all new, none of it is marked, so that it can be marked one by one.
            const bool marked = in_runs.mark_run(first, n);
            ASSERT_EQ(marked, all_first) << first << " + " << n;
            if (marked) at = std::max(at, first + n);
            for (unsigned k = 0; k < n; ++k) {
                const auto expected = one_by_one.mark(first + k);
                if (!marked) {
                    ASSERT_EQ(in_runs.mark(first + k), expected);
                }
            }
        }
        for (std::uint64_t word = 10; word < 138; ++word) ASSERT_EQ(in_runs.take(word), one_by_one.take(word));
    }
}

// Three workers mark, each its own and some of another's, while the thread that waits settles as a trial does. None of them runs
// so far ahead that there's no room, or that another's numbers are too old.
TEST(Arrivals, SettledByAnotherThread) {
    constexpr std::uint64_t frames = 3'000'000;
    constexpr unsigned receivers = 3;
    Arrivals arrivals(frames, 400'000, receivers, one_class);
    GracePeriod grace(receivers);
    std::atomic<unsigned> running = receivers;
    std::atomic<std::uint64_t> due = 0, room_for = 0, refused = 0;
    std::array<std::atomic<std::uint64_t>, receivers> progress{};
    const auto slowest = [&] { return std::min({progress[0].load(), progress[1].load(), progress[2].load()}); };
    std::vector<std::thread> workers;
    for (unsigned w = 0; w < receivers; ++w) {
        workers.emplace_back([&, w] {
            ArrivalWindow& window = arrivals.window(w);
            for (std::uint64_t first = w * 64; first < frames; first += std::uint64_t{64} * receivers) {
                progress[w] = first;
                std::uint64_t seen = due;
                while (seen < first + 64 && !due.compare_exchange_weak(seen, first + 64)) {
                }
                while (first > std::min<std::uint64_t>(room_for, slowest()) + 50'000) {
                    grace.polled(w);
                    std::this_thread::yield();
                }
                grace.polled(w);
                window.look_at_bounds();
                for (std::uint64_t number = first; number < first + 64; ++number) {
                    if (number % 1000 != 7) refused += window.mark(number) == Mark::first ? 0U : 1U;
                    if (number % 1000 == 108) refused += window.mark(number - 64) == Mark::first ? 0U : 1U;  // another's
                }
                arrivals.last().set(w, {1, first + 63});
            }
            progress[w] = frames;
            grace.left(w);
            --running;
        });
    }
    std::uint64_t looked_at = 0;
    while (running > 0) {
        if (grace.over()) arrivals.settle();
        if (grace.begun()) continue;
        room_for = looked_at;
        looked_at = due;
        if (arrivals.raise_floor(looked_at)) grace.begin();
    }
    for (auto& worker : workers) worker.join();
    arrivals.finish(all_below(frames));
    EXPECT_EQ(refused, 0U);
    EXPECT_EQ(arrivals.overtaken(), 0U);
    EXPECT_EQ(arrivals.lost().count(), frames / 1000);
    EXPECT_EQ(arrivals.duplicates()[0], frames / 1000);
}

}  // namespace
}  // namespace xlatperf::trial
