// Numbers that were sent and haven't arrived. Their count is exact, their list bounded.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "trial/schedule/division.h"

namespace xlatperf::trial {

class LostNumbers {
  public:
    using Range = std::pair<std::uint64_t, std::uint64_t>;  // first and last, inclusive
    static constexpr std::size_t most_ranges = 256;

    /// Counts what is lost of each interval as well. Before anything is.
    void divide(const Division& division) {
        division_ = division;
        of_intervals_.resize(division.count());
    }

    /// Number `base + i` is lost where bit i of `missing` is set. `base` is behind all that came before.
    void lose(std::uint64_t base, std::uint64_t missing) {
        while (missing != 0) {
            const auto from = static_cast<unsigned>(std::countr_zero(missing));
            const auto run = static_cast<unsigned>(std::countr_one(missing >> from));
            lose_range(base + from, base + from + run - 1);
            if (from + run >= 64) break;
            missing &= ~std::uint64_t{0} << (from + run);
        }
    }

    std::uint64_t count() const { return count_; }
    std::uint64_t last() const { return last_; }                                      ///< means something only if any is lost
    const std::vector<std::uint64_t>& of_intervals() const { return of_intervals_; }  ///< if divided
    const std::vector<Range>& ranges() const { return ranges_; }                      ///< in ascending order
    bool ranges_complete() const { return complete_; }

  private:
    void lose_range(std::uint64_t first, std::uint64_t last) {
        count_ += last - first + 1;
        last_ = last;
        if (division_) lose_of_intervals(first, last);
        if (!ranges_.empty() && ranges_.back().second + 1 == first && complete_) {
            ranges_.back().second = last;
        } else if (ranges_.size() < most_ranges) {
            ranges_.emplace_back(first, last);
        } else {
            complete_ = false;
        }
    }

    void lose_of_intervals(std::uint64_t first, std::uint64_t last) {
        for (std::uint64_t i = division_->of(first); i <= division_->of(last); ++i)
            of_intervals_[i] += division_->within(i, first, last);
    }

    std::uint64_t count_ = 0, last_ = 0;
    std::vector<Range> ranges_;
    std::optional<Division> division_;
    std::vector<std::uint64_t> of_intervals_;
    bool complete_ = true;
};

}  // namespace xlatperf::trial
