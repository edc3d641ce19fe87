// Holds frames until they're due. One first-in first-out queue per delay, so that a long delay holds up nothing else and
// each step costs a look at the few queues' heads.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <vector>

#include "link/frame.h"

namespace xlatperf::reference {

struct HeldFrame {
    std::uint64_t due_ns = 0;
    std::uint64_t order = 0;  // of two frames due at the same time, the lower goes first
    Side side = Side::left;
    Frame frame;
};

class DelayLine {
  public:
    static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();
    explicit DelayLine(std::size_t lanes = 1) : lanes_(lanes) {}

    /// Within a lane `due_ns` must not go back.
    void hold(std::size_t lane, std::uint64_t due_ns, Side side, Frame frame) {
        lanes_[lane].push_back({due_ns, order_++, side, frame});
        ++size_;
    }
    bool empty() const { return size_ == 0; }
    std::size_t size() const { return size_; }
    std::uint64_t next_due() const {
        const auto* lane = first();
        return lane ? lane->front().due_ns : never;
    }
    /// The frames that are due by `now`, in order of due time. `take(HeldFrame)`.
    template <typename Take> void release(std::uint64_t now, Take take) {
        for (auto* lane = first(); lane && lane->front().due_ns <= now; lane = first()) {
            const HeldFrame held = lane->front();
            lane->pop_front();
            --size_;
            take(held);
        }
    }

  private:
    using Lane = std::deque<HeldFrame>;
    std::vector<Lane> lanes_;
    std::size_t size_ = 0;
    std::uint64_t order_ = 0;

    Lane* first() { return const_cast<Lane*>(static_cast<const DelayLine*>(this)->first()); }
    const Lane* first() const {
        const Lane* best = nullptr;
        if (size_ == 0) return best;
        for (const Lane& lane : lanes_) {
            if (lane.empty()) continue;
            const HeldFrame& a = lane.front();
            if (!best || a.due_ns < best->front().due_ns || (a.due_ns == best->front().due_ns && a.order < best->front().order))
                best = &lane;
        }
        return best;
    }
};

}  // namespace xlatperf::reference
