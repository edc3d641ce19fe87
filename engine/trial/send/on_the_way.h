// Frames that a port has taken but that haven't left its interface: on a software link (veth, tap) they wait in the Tester's own
// memory until whoever is at the other end takes them.
#pragma once

#include <algorithm>
#include <cstdint>

#include "port/port.h"
#include "trial/schedule/schedule.h"

namespace xlatperf::trial {

/// Of one direction, by counters of the interface that are read every few milliseconds. Times in ticks.
class OnTheWay {
  public:
    /// `before`: what they say before the trial. So many frames of earlier trials leave first. Whoever takes no frame for
    /// `patience` takes no more.
    OnTheWay(const port::Gone& before, std::uint64_t earlier, std::uint64_t patience)
        : before_(before), earlier_(earlier), patience_(patience) {}

    /// All numbers below `next` have been taken by the port before the counters said `now_gone`, but for those that were given
    /// up. What is sent beside them leaves among them, and may be among those that wait.
    void saw(std::uint64_t now, std::uint64_t next, std::uint64_t given_up, const port::Gone& now_gone,
             const Schedule& schedule) {
        const std::uint64_t left = now_gone.left - std::min(now_gone.left, before_.left);
        const std::uint64_t dropped = now_gone.dropped - std::min(now_gone.dropped, before_.dropped);
        if (moved_ == 0 || left != left_) moved_ = now;
        left_ = left;
        const std::uint64_t own = left - std::min(left, earlier_), taken = next - given_up;
        some_wait_ = own < taken + (now_gone.beside - before_.beside);  // or were dropped
        const auto waited = [&](std::uint64_t gone) {
            return gone < taken ? now - std::min(now, schedule.due_ticks(gone + given_up)) : 0;
        };
        if_tried_again_ = std::max(if_tried_again_, waited(own));
        if_dropped_ = std::max(if_dropped_, waited(own + dropped));
    }

    /// Whether some wait and may still leave, as of the last look.
    bool leaving(std::uint64_t now) const { return some_wait_ && now - moved_ < patience_; }
    /// At least so long one has waited. Where all have left in the end, none was dropped for good.
    std::uint64_t longest_ticks() const { return some_wait_ ? if_dropped_ : if_tried_again_; }

  private:
    port::Gone before_;
    std::uint64_t earlier_, patience_, left_ = 0, moved_ = 0;
    std::uint64_t if_dropped_ = 0, if_tried_again_ = 0;  // longest waits
    bool some_wait_ = false;
};

}  // namespace xlatperf::trial
