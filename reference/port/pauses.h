// Times in which the device didn't look at its ports while it had frames: who holds it up shows here.
#pragma once

#include <algorithm>
#include <cstdint>

namespace xlatperf::reference {

struct Pauses {
    static constexpr std::uint64_t short_ns = 20'000;  // a busy turn of the loop: not counted in the sum

    std::uint64_t longest_ns = 0, sum_ns = 0;

    /// A turn of the loop that took `ns`; `busy`: a frame arrived that isn't for the device itself, or it holds some. Before the
    /// first frame and after the last one nobody is held up.
    void turn(std::uint64_t ns, bool busy) {
        begun_ |= busy;
        if (!begun_) return;
        pending_longest_ns_ = std::max(pending_longest_ns_, ns);
        if (ns > short_ns) [[unlikely]]
            pending_sum_ns_ += ns;
        if (!busy) return;
        longest_ns = std::max(longest_ns, pending_longest_ns_);
        sum_ns += pending_sum_ns_;
        pending_longest_ns_ = pending_sum_ns_ = 0;
    }

  private:
    bool begun_ = false;
    std::uint64_t pending_longest_ns_ = 0, pending_sum_ns_ = 0;  // of turns since the last frame
};

}  // namespace xlatperf::reference
