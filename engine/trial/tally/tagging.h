// Which frames are tagged for the latency test (RFC 8219 §7.2): a given count of them, spread uniformly over the later part of
// the stream of one class. Nothing is marked in the frame: all frames carry time stamps, and the number tells whether its delay
// counts.
#pragma once

#include <cstdint>

#include "flow/random.h"

namespace xlatperf::trial {

/// The frames are divided into as many intervals as there are tags, and one is drawn in each: tags at a fixed distance would see
/// what happens periodically in the DUT always or never.
class Tagging {
  public:
    __extension__ using Wide = unsigned __int128;

    Tagging() = default;

    /// `count` of the frames `from` to `end` - 1 are tagged; which ones, `random` decides. If there are fewer frames than
    /// `count`, all are.
    Tagging(std::uint64_t from, std::uint64_t end, std::uint64_t count, std::uint64_t random)
        : from_(from), all_(count >= end - from), random_(random) {
        if (all_ || from >= end) return;
        frames_ = end - from;
        step_ = static_cast<std::uint64_t>(((Wide{count} << 64) + (frames_ - 1)) / frames_);
    }

    bool operator()(std::uint64_t sequence) {
        if (sequence < from_) return false;
        if (all_) return true;
        if (step_ == 0) return false;
        const std::uint64_t n = sequence - from_;
        if (n - first_ >= length_) go_to(interval_of(n));  // mostly it's that of the frame before
        return n == drawn_;
    }

    /// Whether one of so many numbers may be: exactly, if they are in the interval of the number that was asked for last.
    bool may_have(std::uint64_t sequence, std::uint64_t numbers) const {
        if (sequence + numbers <= from_) return false;
        if (all_) return true;
        if (step_ == 0) return false;
        const std::uint64_t n = sequence - from_;
        if (sequence < from_ || n - first_ >= length_ || n + numbers - first_ > length_) return true;
        return drawn_ - n < numbers;
    }

    /// How many of the numbers below `end` are tagged.
    std::uint64_t below(std::uint64_t end) const {
        if (end <= from_) return 0;
        const std::uint64_t n = end - from_;
        if (all_) return n;
        if (step_ == 0) return 0;
        const std::uint64_t last = interval_of(n - 1);
        return last + (drawn_in(last) < n ? 1 : 0);
    }

  private:
    std::uint64_t interval_of(std::uint64_t n) const { return static_cast<std::uint64_t>(Wide{n} * step_ >> 64); }
    std::uint64_t first_of(std::uint64_t interval) const {
        const auto first = ((Wide{interval} << 64) + (step_ - 1)) / step_;
        return first < frames_ ? static_cast<std::uint64_t>(first) : frames_;
    }
    std::uint64_t drawn_in(std::uint64_t interval) const {
        const std::uint64_t first = first_of(interval), length = first_of(interval + 1) - first;
        return first + static_cast<std::uint64_t>(Wide{flow::mix(random_ + interval)} * length >> 64);
    }
    void go_to(std::uint64_t interval) {
        first_ = first_of(interval);
        length_ = first_of(interval + 1) - first_;
        drawn_ = drawn_in(interval);
    }

    std::uint64_t from_ = ~std::uint64_t{0}, frames_ = 0, step_ = 0;
    bool all_ = false;
    std::uint64_t random_ = 0;
    std::uint64_t first_ = 0, length_ = 0, drawn_ = 0;  // of the interval of the frame before
};

}  // namespace xlatperf::trial
