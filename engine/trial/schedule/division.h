// The intervals of a long trial. A frame belongs to the interval in which it is due, whenever it leaves or arrives, so what was
// sent and lost of each is exact.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace xlatperf::trial {

/// Which numbers belong to which interval.
class Division {
  public:
    static constexpr std::uint64_t most_intervals = 10'000;

    /// `frames` at a constant rate, of which so many are due in an interval: that needn't be a whole number. Both are positive.
    Division(std::uint64_t frames, double frames_each) : frames_(frames), each_(frames_each), count_(of(frames - 1) + 1) {}

    std::uint64_t count() const { return count_; }
    /// The first number of interval `i`. Behind the last one it's the number of frames.
    std::uint64_t begin(std::uint64_t i) const {
        const double first = std::ceil(static_cast<double>(i) * each_ - 1e-6);
        return std::min(frames_, static_cast<std::uint64_t>(std::max(0.0, first)));
    }
    /// The interval of frame `sequence`, which is below the number of frames.
    std::uint64_t of(std::uint64_t sequence) const {
        auto i = static_cast<std::uint64_t>(static_cast<double>(sequence) / each_);
        while (begin(i + 1) <= sequence) ++i;
        while (begin(i) > sequence) --i;
        return i;
    }
    /// How many of the numbers `first` to `last`, inclusive, belong to interval `i`.
    std::uint64_t within(std::uint64_t i, std::uint64_t first, std::uint64_t last) const {
        const std::uint64_t from = std::max(first, begin(i)), end = std::min(last + 1, begin(i + 1));
        return end > from ? end - from : 0;
    }

  private:
    std::uint64_t frames_;
    double each_;
    std::uint64_t count_;
};

/// Remembers the last interval that was asked for: mostly the next frame belongs to it too.
class IntervalFinder {
  public:
    explicit IntervalFinder(const Division& division) : division_(division) {}

    std::uint64_t operator()(std::uint64_t sequence) {
        if (sequence < begin_ || sequence >= end_) [[unlikely]]
            find(sequence);
        return interval_;
    }

  private:
    [[gnu::noinline]] void find(std::uint64_t sequence) {
        interval_ = division_.of(sequence);
        begin_ = division_.begin(interval_);
        end_ = division_.begin(interval_ + 1);
    }

    Division division_;
    std::uint64_t interval_ = 0, begin_ = 0, end_ = 0;
};

}  // namespace xlatperf::trial
