// Which numbers have arrived: a bitmap over the latest numbers, not for ever. A number that leaves the window without having
// arrived is lost. Memory is constant; the count of lost numbers is exact, their list bounded.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "trial/intervals.h"

namespace xlatperf::trial {

class ArrivalWindow {
  public:
    enum class Mark : std::uint8_t { first, duplicate, beyond };
    using Range = std::pair<std::uint64_t, std::uint64_t>;  // first and last, inclusive
    static constexpr std::size_t most_ranges = 256;

    /// Remembers at least the last `numbers` numbers.
    explicit ArrivalWindow(std::uint64_t numbers) : words_(std::bit_ceil(numbers / 64 + 2)), limit_(words_.size() * 64) {}

    Mark mark(std::uint64_t sequence) {
        if (sequence >= limit_) [[unlikely]]
            slide(sequence);
        if (limit_ - sequence > words_.size() * 64) [[unlikely]]
            return Mark::beyond;
        std::uint64_t& word = words_[(sequence / 64) & (words_.size() - 1)];
        const std::uint64_t bit = std::uint64_t{1} << (sequence % 64);
        if ((word & bit) != 0) return Mark::duplicate;
        word |= bit;
        return Mark::first;
    }

    /// Marks `n` consecutive numbers, at most 64, if all of them arrive for the first time; else none. Returns whether they do.
    bool mark_run(std::uint64_t first, unsigned n) {
        const std::uint64_t last = first + n - 1;
        if (last >= limit_) [[unlikely]]
            slide(last);
        if (limit_ - first > words_.size() * 64) [[unlikely]]
            return false;
        const std::uint64_t run = ~std::uint64_t{0} >> (64 - n);
        const auto shift = static_cast<unsigned>(first % 64);
        std::uint64_t& word = words_[(first / 64) & (words_.size() - 1)];
        std::uint64_t& next = words_[(last / 64) & (words_.size() - 1)];  // or the same
        const std::uint64_t low = run << shift, high = shift == 0 ? 0 : run >> (64 - shift);
        if (((word & low) | (next & high)) != 0) [[unlikely]]
            return false;
        word |= low;
        next |= high;
        return true;
    }

    /// Counts what is lost of each interval as well. Before the first mark.
    void divide(const Division& division) {
        division_ = division;
        lost_of_.resize(division.count());
    }

    /// Counts what is missing below `end`, the number of frames sent. Called once, when nothing can arrive any more.
    void finish(std::uint64_t end) {
        const std::uint64_t oldest = limit_ / 64 - words_.size();
        for (std::uint64_t w = oldest; w * 64 < end && w < limit_ / 64; ++w) leave(w, words_[w & (words_.size() - 1)], end);
        if (limit_ < end) lose(limit_, end - 1);
    }

    std::uint64_t lost() const { return lost_; }
    std::uint64_t last_lost() const { return last_lost_; }  ///< its number; means something only if lost() > 0
    const std::vector<std::uint64_t>& lost_of_intervals() const { return lost_of_; }  ///< if divided
    const std::vector<Range>& ranges() const { return ranges_; }
    bool ranges_complete() const { return complete_; }

  private:
    void slide(std::uint64_t sequence) {
        while (sequence >= limit_) {
            std::uint64_t& word = words_[(limit_ / 64) & (words_.size() - 1)];
            leave(limit_ / 64 - words_.size(), word, ~std::uint64_t{0});
            word = 0;
            limit_ += 64;
        }
    }

    void leave(std::uint64_t index, std::uint64_t word, std::uint64_t end) {
        std::uint64_t missing = ~word;
        const std::uint64_t base = index * 64;
        if (end - base < 64) missing &= (std::uint64_t{1} << (end - base)) - 1;
        while (missing != 0) {
            const auto from = static_cast<unsigned>(std::countr_zero(missing));
            const auto run = static_cast<unsigned>(std::countr_one(missing >> from));
            lose(base + from, base + from + run - 1);
            if (from + run >= 64) break;
            missing &= ~std::uint64_t{0} << (from + run);
        }
    }

    void lose(std::uint64_t first, std::uint64_t last) {
        lost_ += last - first + 1;
        last_lost_ = last;  // ranges come in ascending order
        if (division_) [[unlikely]]
            lose_of_intervals(first, last);
        if (!ranges_.empty() && ranges_.back().second + 1 == first && complete_) {
            ranges_.back().second = last;
        } else if (ranges_.size() < most_ranges) {
            ranges_.emplace_back(first, last);
        } else {
            complete_ = false;
        }
    }

    [[gnu::noinline, gnu::cold]] void lose_of_intervals(std::uint64_t first, std::uint64_t last) {
        for (std::uint64_t i = division_->of(first); i <= division_->of(last); ++i)
            lost_of_[i] += division_->within(i, first, last);
    }

    std::vector<std::uint64_t> words_;
    std::uint64_t limit_;  // numbers from limit_ - 64 * words_.size() up to, not including, limit_ are remembered
    std::uint64_t lost_ = 0, last_lost_ = 0;
    std::vector<Range> ranges_;
    std::optional<Division> division_;
    std::vector<std::uint64_t> lost_of_;
    bool complete_ = true;
};

}  // namespace xlatperf::trial
