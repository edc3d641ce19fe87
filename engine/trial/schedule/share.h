// Which numbers a sender sends where a direction has several: every so many blocks of 64. All keep to the one schedule, so what
// leaves is the same whoever sends it, and the numbers of a burst follow each other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace xlatperf::trial {

struct Share {
    static constexpr std::uint64_t block = 64;  // as many numbers as a word of ArrivalWindow has: each word is one sender's

    unsigned index = 0, count = 1;

    /// The first number of sender `index`.
    std::uint64_t first() const { return index * block; }
    /// The end of the numbers that follow `sequence` without a gap.
    std::uint64_t end_of_run(std::uint64_t sequence) const {
        return count == 1 ? ~std::uint64_t{0} : (sequence / block + 1) * block;
    }
    /// The sender's next number behind such an end.
    std::uint64_t behind(std::uint64_t end) const { return end + (count - 1) * block; }
    /// The last number below `end`; there is one if `first()` is below it.
    std::uint64_t last_below(std::uint64_t end) const {
        if (count == 1) return end - 1;
        const std::uint64_t last_block = (end - 1) / block;
        const std::uint64_t own = last_block - (last_block + count - index) % count;
        return std::min(end - 1, own * block + block - 1);
    }
};

/// Which numbers have been sent: all below an end, or, where senders didn't come to theirs, what each has sent of its share.
class SentNumbers {
  public:
    SentNumbers() : SentNumbers({0}, 0) {}
    /// Of `frames`; `next[i]` is the first of its numbers that sender i hasn't sent.
    SentNumbers(std::vector<std::uint64_t> next, std::uint64_t frames) : next_(std::move(next)) {
        for (auto& number : next_) number = std::min(number, frames);
        all_below_ = *std::min_element(next_.begin(), next_.end());
        end_ = *std::max_element(next_.begin(), next_.end());
    }

    /// No number from here on has been sent.
    std::uint64_t end() const { return end_; }

    /// Bit i: whether number `64 * index + i` has been sent.
    std::uint64_t word(std::uint64_t index) const {
        const std::uint64_t first = index * Share::block, next = next_[index % next_.size()];
        if (next <= first) return 0;
        return next - first >= Share::block ? ~std::uint64_t{0} : (std::uint64_t{1} << (next - first)) - 1;
    }

    /// Calls `use(first, end)` for numbers below `end` that have been sent, in ascending order.
    template <typename Use> void each_range_below(std::uint64_t end, Use use) const {
        if (std::min(end, all_below_) > 0) use(std::uint64_t{0}, std::min(end, all_below_));
        end = std::min(end, end_);
        for (std::uint64_t first = all_below_; first < end;) {
            const std::uint64_t index = first / Share::block, behind = (index + 1) * Share::block;
            const std::uint64_t range_end = std::min({end, behind, next_[index % next_.size()]});
            if (range_end > first) use(first, range_end);
            first = behind;
        }
    }
    std::uint64_t below(std::uint64_t end) const {
        std::uint64_t sum = 0;
        each_range_below(end, [&](std::uint64_t first, std::uint64_t behind) { sum += behind - first; });
        return sum;
    }

  private:
    std::vector<std::uint64_t> next_;
    std::uint64_t all_below_ = 0, end_ = 0;
};

}  // namespace xlatperf::trial
