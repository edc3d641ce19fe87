// What a DUT must not forward is shown by silence, and silence takes a wait. The last frames of a trial are its fence: right ones
// that come back say that the DUT has dealt with all before them. Then the wait is a few of the longest delays seen. Where frames
// overtake each other, or the fence doesn't come back whole, it is the trial's timeout.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "flow/direction.h"
#include "trial/schedule/description.h"

namespace xlatperf::trial {

/// What a receiver knows of the fence.
struct FenceSeen {
    std::uint64_t arrived = 0;  ///< of its frames
    std::uint64_t longest_delay_ns = 0;
    bool overtaken = false;  ///< a frame came behind a later one
};

/// Receivers tell what they have seen when all has been sent; any worker asks until when to wait.
class FenceWatch {
  public:
    /// With so many receivers; in those of `directions` frames are sent.
    FenceWatch(const Fence& fence, const std::array<bool, 2>& directions, unsigned receivers, double ticks_per_second)
        : fence_(fence), directions_(directions), ticks_per_second_(ticks_per_second) {
        for (auto& each : seen_) each = std::vector<Seen>(receivers);
    }

    /// By the worker of receiver `i` of a direction.
    void tell(flow::Direction direction, unsigned i, const FenceSeen& seen) {
        Seen& own = seen_[flow::index(direction)][i];
        own.arrived.store(seen.arrived, std::memory_order_relaxed);
        own.longest_delay_ns.store(seen.longest_delay_ns, std::memory_order_relaxed);
        own.overtaken.store(seen.overtaken, std::memory_order_relaxed);
    }

    /// How many of its frames have arrived.
    std::uint64_t arrived(flow::Direction direction) const {
        std::uint64_t sum = 0;
        for (const Seen& one : seen_[flow::index(direction)]) sum += one.arrived.load(std::memory_order_relaxed);
        return sum;
    }

    /// Whether it is back whole, in all directions, and no frame was overtaken.
    bool came() const {
        for (const auto direction : flow::both_directions) {
            if (!directions_[flow::index(direction)]) continue;
            for (const Seen& one : seen_[flow::index(direction)]) {
                if (one.overtaken.load(std::memory_order_relaxed)) return false;
            }
            if (arrived(direction) < fence_.frames) return false;
        }
        return true;
    }

    /// When the wait ends, in ticks; in the far future as long as the fence isn't back. The last frame left at `departure`.
    std::uint64_t end(std::uint64_t departure, std::uint64_t now) {
        if (!came()) return std::numeric_limits<std::uint64_t>::max();
        std::uint64_t at = 0;
        if (came_at_.compare_exchange_strong(at, now)) at = now;
        // Frames that are wrong have no delay, but they took no longer than until now.
        double longest_s = static_cast<double>(at - std::min(at, departure)) / ticks_per_second_;
        for (const auto& each : seen_) {
            for (const Seen& one : each)
                longest_s = std::max(longest_s, static_cast<double>(one.longest_delay_ns.load(std::memory_order_relaxed)) * 1e-9);
        }
        return at +
               static_cast<std::uint64_t>(std::round(std::max(fence_.least_s, fence_.delays * longest_s) * ticks_per_second_));
    }

  private:
    struct Seen {
        std::atomic<std::uint64_t> arrived = 0, longest_delay_ns = 0;
        std::atomic<bool> overtaken = false;
    };

    Fence fence_;
    std::array<bool, 2> directions_;
    double ticks_per_second_;
    std::array<std::vector<Seen>, 2> seen_;
    std::atomic<std::uint64_t> came_at_ = 0;
};

}  // namespace xlatperf::trial
