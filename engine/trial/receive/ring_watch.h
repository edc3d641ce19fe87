// Looks after a receive ring whose overflow nobody counts: what can have come while it wasn't polled.
#pragma once

#include <memory>
#include <vector>

#include "trial/receive/last_arrivals.h"
#include "trial/receive/overflow.h"
#include "trial/schedule/schedule.h"

namespace xlatperf::trial {

class Sender;

/// By the receiver's worker, once for each poll. All that it's made of outlives it.
class RingWatch {
  public:
    RingWatch(const Overflow& overflow, const Schedule& schedule, const std::vector<std::unique_ptr<Sender>>& senders,
              const LastArrivals& arrivals)
        : overflow_(overflow), schedule_(schedule), senders_(senders), arrivals_(arrivals) {}

    /// As `Overflow::polled`.
    void polled(std::uint64_t now, unsigned taken, bool empty) {
        if (!begun_) overflow_.begin(schedule_.due_ticks(0));
        begun_ = true;
        if (overflow_.polled(now, taken, empty)) was_full();
    }
    const Overflow& overflow() const { return overflow_; }

  private:
    [[gnu::noinline]] void was_full();

    Overflow overflow_;
    const Schedule& schedule_;
    const std::vector<std::unique_ptr<Sender>>& senders_;
    const LastArrivals& arrivals_;
    bool begun_ = false;
};

}  // namespace xlatperf::trial
