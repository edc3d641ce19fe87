// Which frames left right after the Tester was held up. What was missed leaves faster than it is due, so a frame that is lost
// there may have been lost by the Tester's own burst.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace xlatperf::trial {

class Stalls {
  public:
    using Range = std::pair<std::uint64_t, std::uint64_t>;  // first and last number, inclusive
    static constexpr std::size_t most_ranges = 4096;

    /// Waiting so long makes a stall. All times in ticks.
    explicit Stalls(std::uint64_t shortest) : shortest_(shortest) {}

    /// The frames `first` to `first` + `frames` - 1 have left, `waited` after one of them could have. `behind`: the next is due
    /// too.
    void left(std::uint64_t first, unsigned frames, std::uint64_t waited, bool behind) {
        if (frames == 0) return;
        if (waited >= shortest_ && (frames > 1 || behind)) [[unlikely]] {
            ++count_;
            if (!catching_up_) from_ = first;
            catching_up_ = true;
        }
        if (catching_up_ && !behind) [[unlikely]]
            caught_up(first + frames - 1);
    }
    /// No frame follows `last`.
    void finish(std::uint64_t last) {
        if (catching_up_) caught_up(last);
    }

    std::uint64_t count() const { return count_; }
    /// In ascending order, without overlap: what left until the stall was caught up, and as much again, which a queue in the DUT
    /// needs to empty. Behind the last of `most_ranges` none is known.
    const std::vector<Range>& ranges() const { return ranges_; }

  private:
    void caught_up(std::uint64_t last) {
        catching_up_ = false;
        const std::uint64_t end = last + (last - from_ + 1);
        if (!ranges_.empty() && from_ <= ranges_.back().second + 1) {
            ranges_.back().second = std::max(ranges_.back().second, end);
        } else if (ranges_.size() < most_ranges) {
            ranges_.emplace_back(from_, end);
        }
    }

    std::uint64_t shortest_, from_ = 0, count_ = 0;
    bool catching_up_ = false;
    std::vector<Range> ranges_;
};

/// How many of the numbers in `lost` left right after a stall of one of `senders`. `lost` is in ascending order, without overlap.
inline std::uint64_t lost_after_stall(const std::vector<Stalls::Range>& lost, const std::vector<const Stalls*>& senders) {
    std::vector<Stalls::Range> stalled;
    for (const Stalls* one : senders) stalled.insert(stalled.end(), one->ranges().begin(), one->ranges().end());
    std::sort(stalled.begin(), stalled.end());
    std::uint64_t found = 0, counted_below = 0;  // ranges of different senders may overlap
    auto r = stalled.begin();
    for (auto l = lost.begin(); l != lost.end() && r != stalled.end();) {
        const std::uint64_t first = std::max({l->first, r->first, counted_below}), last = std::min(l->second, r->second);
        if (first <= last) {
            found += last - first + 1;
            counted_below = last + 1;
        }
        if (l->second < r->second) {
            ++l;
        } else {
            ++r;
        }
    }
    return found;
}

}  // namespace xlatperf::trial
