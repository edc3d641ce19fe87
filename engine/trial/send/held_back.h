// How much of a sender's lag is the other end's doing, and how long that is borne.
#pragma once

#include <algorithm>
#include <cstdint>

namespace xlatperf::trial {

/// Where the other end's program takes frames out of shared memory, it can hold the sender back. A wire doesn't wait for a DUT:
/// to wait would turn the DUT's loss into a Tester that is too slow, and hide the worst delays (coordinated omission). So what
/// the lag grew while frames were refused counts here, and above `patience` frames are to be given up. A lag that grew while
/// nothing was refused, or while the Tester itself was away, is the Tester's. It would have caught up with that, at so many times
/// the rate; as far as frames were refused meanwhile, it's excused, but no frame is given up for it. All times in ticks.
class HeldBack {
  public:
    HeldBack(std::uint64_t patience, std::uint64_t absence, double catch_up)
        : patience_(static_cast<std::int64_t>(patience)), absence_(static_cast<std::int64_t>(absence)), gain_(catch_up - 1) {}

    /// The sender is about to try at `now`, `lag` behind the schedule.
    void trying(std::int64_t now, std::int64_t lag) {
        const std::int64_t grew = lag - lag_, since = now - now_;
        if (grew < 0) {
            held_ = std::max<std::int64_t>(0, held_ + grew);  // caught up, on this account first
        } else if (refused_ && grew <= absence_) {
            held_ += grew;
        }
        if (refused_ && since <= absence_) not_caught_up_ += gain_ * static_cast<double>(since);
        not_caught_up_ = std::clamp(not_caught_up_, 0.0, static_cast<double>(std::max<std::int64_t>(0, lag - held_)));
        lag_ = lag;
        now_ = now;
    }
    /// What came of it.
    void tried(bool refused) { refused_ = refused; }

    /// Whether the last try was in vain.
    bool refused() const { return refused_; }
    bool too_long() const { return refused_ && held_ > patience_; }
    /// The other end's part of the lag.
    std::uint64_t ticks() const { return static_cast<std::uint64_t>(held_); }
    /// The same with what the sender would have caught up by now.
    std::uint64_t excused() const { return static_cast<std::uint64_t>(held_) + static_cast<std::uint64_t>(not_caught_up_); }
    /// The first frame is given up; the next is due `interval` later.
    void gave_up(std::uint64_t interval) {
        held_ = std::max<std::int64_t>(0, held_ - static_cast<std::int64_t>(interval));
        lag_ -= static_cast<std::int64_t>(interval);
    }

  private:
    std::int64_t patience_, absence_, now_ = 0, lag_ = 0, held_ = 0;
    double gain_, not_caught_up_ = 0;
    bool refused_ = false;
};

}  // namespace xlatperf::trial
