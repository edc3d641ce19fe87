// Which numbers have arrived at one receiver: a bitmap over the latest, not for ever. Its bounds are the direction's (Arrivals),
// which knows what all receivers have got and counts what leaves the window.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

namespace xlatperf::trial {

/// Numbers from `floor` up to, not including, `ceiling` can be marked. Both are multiples of 64.
struct WindowBounds {
    std::atomic<std::uint64_t> floor = 0, ceiling = 0;
};

class ArrivalWindow {
  public:
    enum class Mark : std::uint8_t { first, duplicate, beyond };

    /// For `words` times 64 numbers, a power of two. `bounds`, which outlive it, are never further apart.
    ArrivalWindow(const WindowBounds& bounds, std::size_t words) : bounds_(bounds), words_(words) { look_at_bounds(); }

    /// By the worker, before the marks of a poll.
    void look_at_bounds() {
        floor_ = bounds_.floor.load(std::memory_order_acquire);
        room_ = bounds_.ceiling.load(std::memory_order_acquire) - floor_;
    }

    Mark mark(std::uint64_t sequence) {
        if (sequence - floor_ >= room_) [[unlikely]] {
            overtaken_ += sequence >= floor_ ? 1 : 0;
            return Mark::beyond;
        }
        std::uint64_t& word = words_[(sequence / 64) & (words_.size() - 1)];
        const std::uint64_t bit = std::uint64_t{1} << (sequence % 64);
        if ((word & bit) != 0) return Mark::duplicate;
        word |= bit;
        return Mark::first;
    }

    /// Marks `n` consecutive numbers, at most 64, if all of them arrive for the first time; else none. Returns whether they do.
    bool mark_run(std::uint64_t first, unsigned n) {
        const std::uint64_t last = first + n - 1;
        if (first - floor_ >= room_ || last - floor_ >= room_) [[unlikely]]
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

    /// By the worker: whether it is marked.
    bool has(std::uint64_t sequence) const {
        if (sequence - floor_ >= room_) return false;
        return (words_[(sequence / 64) & (words_.size() - 1)] >> (sequence % 64) & 1) != 0;
    }

    /// By the worker: how many of the numbers `first` to `end` - 1 are marked, all of which are in the window.
    std::uint64_t marked(std::uint64_t first, std::uint64_t end) const {
        std::uint64_t count = 0;
        for (; first < end; ++first) count += words_[(first / 64) & (words_.size() - 1)] >> (first % 64) & 1;
        return count;
    }

    /// Numbers that came before the ceiling had been raised for them: nobody did in time.
    std::uint64_t overtaken() const { return overtaken_; }

    /// By the thread that raises the bounds: the bits of numbers from `64 * index` on, which nobody marks any more, are taken
    /// out.
    std::uint64_t take(std::uint64_t index) { return std::exchange(words_[index & (words_.size() - 1)], 0); }

  private:
    const WindowBounds& bounds_;
    std::vector<std::uint64_t> words_;
    std::uint64_t floor_ = 0, room_ = 0, overtaken_ = 0;
};

}  // namespace xlatperf::trial
