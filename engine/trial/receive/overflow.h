// What a receiver may have lost that nobody polled: its ring was full, and the other end had nowhere to put frames. Where the
// port doesn't count such frames, this is their upper bound.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "trial/tally/lost_numbers.h"

namespace xlatperf::trial {

/// A receive ring of `frames` into which frames come at `rate_fps` at most: it is full, at the worst, from a time on that each
/// poll puts off. All times in ticks.
class Overflow {
  public:
    static constexpr std::size_t most_windows = 1024;

    Overflow(std::uint64_t frames, double rate_fps, double ticks_per_second)
        : frames_(frames),
          interval_(std::max<std::uint64_t>(1, static_cast<std::uint64_t>(ticks_per_second / rate_fps))),
          room_(frames_ * interval_) {}

    /// The first frame is due then: before it the ring is empty. Before the first poll.
    void begin(std::uint64_t ticks) {
        begun_ = polled_ = ticks;
        full_from_ = ticks + room_;
    }

    /// Polled at `now`, before `taken` frames came out; `empty`: no more were in it. Returns whether frames may have been lost
    /// since the last time: then `missed`, before the next poll.
    bool polled(std::uint64_t now, unsigned taken, bool empty) {
        const bool full = now > full_from_;
        if (full) [[unlikely]] {
            excess_ = (now - full_from_) / interval_ + 1;
            away_ = now - polled_;
            full_from_ = now;
        }
        polled_ = std::max(now, begun_);
        full_from_ = empty ? polled_ + room_ : std::min(polled_ + room_, full_from_ + taken * interval_);
        return full;
    }

    /// Of the numbers `first` to `end` - 1, which had been sent and had not arrived. What found room is not lost.
    void missed(std::uint64_t first, std::uint64_t end) {
        if (end <= first || end - first <= frames_) return;
        const std::uint64_t frames = std::min(excess_, end - first - frames_);
        longest_ = std::max(longest_, away_);
        if (windows_.size() < most_windows) {
            windows_.push_back({first, end - 1, frames});
        } else {
            beyond_ += frames;
        }
    }

    /// Of those that are `lost`, so many may have been lost here.
    std::uint64_t at_most(const LostNumbers& lost) const {
        std::uint64_t sum = beyond_;
        for (const Window& window : windows_) {
            std::uint64_t within = 0;
            for (const auto& [first, last] : lost.ranges()) {
                const auto from = std::max(first, window.first), to = std::min(last, window.last);
                within += from <= to ? to - from + 1 : 0;
            }
            sum += lost.ranges_complete() ? std::min(within, window.frames) : window.frames;
        }
        return std::min(sum, lost.count());
    }

    std::uint64_t ring() const { return frames_; }
    /// The longest time away of those in which frames may have been lost.
    std::uint64_t longest_ticks() const { return longest_; }

  private:
    struct Window {
        std::uint64_t first, last, frames;
    };
    std::uint64_t frames_, interval_, room_;
    std::uint64_t begun_ = 0, full_from_ = 0, polled_ = 0, excess_ = 0, away_ = 0, longest_ = 0;
    std::uint64_t beyond_ = 0;
    std::vector<Window> windows_;
};

}  // namespace xlatperf::trial
