// Which frames are tagged for the latency test (RFC 8219 §7.2): a given count of them, spread uniformly over the later part of
// the stream of one class. Nothing is marked in the frame: all frames carry time stamps, and the number tells whether its delay
// counts.
#pragma once

#include <cstdint>

namespace xlatperf::trial {

class Tagging {
  public:
    __extension__ using Wide = unsigned __int128;

    Tagging() = default;

    /// `count` of the frames `from` to `end` - 1 are tagged, the first at a place that `random` decides (a random phase keeps
    /// tags from beating with what happens periodically). If there are fewer frames than `count`, all are.
    Tagging(std::uint64_t from, std::uint64_t end, std::uint64_t count, std::uint64_t random)
        : from_(from), all_(count >= end - from) {
        if (all_ || from >= end) return;
        step_ = static_cast<std::uint64_t>(((Wide{count} << 64) + (end - from - 1)) / (end - from));
        phase_ = random;
    }

    bool operator()(std::uint64_t sequence) const {
        if (sequence < from_) return false;
        return all_ || (sequence - from_) * step_ + phase_ < step_;  // modulo 2^64: it has just wrapped
    }

    /// How many of the numbers below `end` are tagged.
    std::uint64_t below(std::uint64_t end) const {
        if (end <= from_) return 0;
        const std::uint64_t n = end - from_;
        if (all_) return n;
        return static_cast<std::uint64_t>((Wide{n - 1} * step_ + phase_) >> 64) + (phase_ < step_ ? 1 : 0);
    }

  private:
    std::uint64_t from_ = ~std::uint64_t{0}, step_ = 0, phase_ = 0;
    bool all_ = false;
};

}  // namespace xlatperf::trial
