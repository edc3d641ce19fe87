// What arrives of each interval of a long trial. Memory doesn't depend on how many frames there are.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "counter/counters.h"
#include "trial/schedule/division.h"
#include "trial/tally/delay_summary.h"

namespace xlatperf::trial {

/// How the frames of an interval arrived.
struct IntervalArrival {
    counter::Counts<counter::Reason> by_reason;
    std::uint64_t negative_delay = 0;
    DelaySummary delay;
};

/// What one receiver counts of each interval. Delays are kept in full for the latest ones only: summarising them takes too long
/// for a worker, and needs those of the other receivers (SettledIntervals).
class ArrivalIntervals {
  public:
    /// Of intervals below `settled`, which outlives it, no delay is kept any more.
    ArrivalIntervals(const Division& division, const std::atomic<std::uint64_t>& settled)
        : find_(division), settled_(settled), each_(division.count()) {}

    void count(std::uint64_t sequence, counter::Reason reason) { ++each_[find_(sequence)].by_reason[reason]; }
    [[gnu::noinline]] void add_negative_delay(std::uint64_t sequence) { ++each_[find_(sequence)].negative_delay; }

    void add_delay(std::uint64_t sequence, std::uint64_t delay_ns) {
        const std::uint64_t interval = find_(sequence);
        if (interval < settled_.load(std::memory_order_acquire)) [[unlikely]]
            return;
        Open& open = open_[interval % open_.size()];
        if (open.interval != interval && !open.take(interval)) [[unlikely]]
            return;
        if (interval > latest_.load(std::memory_order_relaxed)) [[unlikely]]
            latest_.store(interval, std::memory_order_release);
        open.delay.add(delay_ns);
    }

  private:
    friend class SettledIntervals;
    static constexpr std::uint64_t none = ~std::uint64_t{0};

    // Two are added to, the others wait to be summarised. If none is free, who does that was away for some intervals: the delays
    // of this one are lost then, and its count says so.
    struct Open {
        Histogram delay;
        std::uint64_t interval = none;
        std::atomic<bool> free = true;

        bool take(std::uint64_t for_interval) {
            if (!free.load(std::memory_order_acquire)) return false;
            interval = for_interval;
            free.store(false, std::memory_order_release);
            return true;
        }
    };

    IntervalFinder find_;
    const std::atomic<std::uint64_t>& settled_;
    std::vector<IntervalArrival> each_;  // without delays
    std::array<Open, 6> open_;
    std::atomic<std::uint64_t> latest_ = 0;
};

/// The intervals of a direction, which any number of receivers count. Of a frame that arrives when the next interval but one has
/// begun the delay isn't kept. Used by the thread that waits for the workers.
class SettledIntervals {
  public:
    explicit SettledIntervals(const Division& division, std::size_t receivers = 1)
        : division_(division), each_(division.count()) {
        for (std::size_t i = 0; i < receivers; ++i) receivers_.push_back(std::make_unique<ArrivalIntervals>(division_, settled_));
    }

    /// What receiver `i` counts into.
    ArrivalIntervals& of(std::size_t i) { return *receivers_[i]; }

    /// Lets no delay be added to intervals that are over. Returns whether there are such; when every worker has polled again,
    /// `settle` takes them over.
    bool close() {
        std::uint64_t latest = 0;
        for (const auto& one : receivers_) latest = std::max(latest, one->latest_.load(std::memory_order_acquire));
        if (latest < settled_.load(std::memory_order_relaxed) + 2) return false;
        settled_.store(latest - 1, std::memory_order_release);
        return true;
    }
    void settle() { settle_below(settled_.load(std::memory_order_relaxed)); }

    /// When nothing can arrive any more.
    void finish() {
        settle_below(ArrivalIntervals::none);
        for (const auto& one : receivers_) {
            for (std::uint64_t i = 0; i < each_.size(); ++i) {
                each_[i].by_reason.add(one->each_[i].by_reason);
                each_[i].negative_delay += one->each_[i].negative_delay;
            }
        }
    }

    const Division& division() const { return division_; }
    const std::vector<IntervalArrival>& each() const { return each_; }  ///< complete behind `finish`

  private:
    void settle_below(std::uint64_t end) {
        std::map<std::uint64_t, Histogram> delays;
        for (const auto& one : receivers_) {
            for (auto& open : one->open_) {
                if (open.free.load(std::memory_order_acquire) || open.interval >= end) continue;
                delays[open.interval].add(open.delay);
                open.delay = Histogram();
                open.free.store(true, std::memory_order_release);
            }
        }
        for (const auto& [interval, delay] : delays) each_[interval].delay = summarise(delay);
    }

    Division division_;
    std::atomic<std::uint64_t> settled_ = 0;
    std::vector<std::unique_ptr<ArrivalIntervals>> receivers_;
    std::vector<IntervalArrival> each_;
};

}  // namespace xlatperf::trial
