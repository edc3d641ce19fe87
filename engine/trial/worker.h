// A worker polls its roles in turn, on one core.
#pragma once

#include <atomic>
#include <vector>

#include "trial/grace_period.h"
#include "trial/receive/receiver.h"
#include "trial/send/sender.h"

namespace xlatperf::trial {

/// What all workers of a trial share: written by one, read by the others, never in the loop over frames.
struct Shared {
    std::atomic<bool>* stop = nullptr;
    GracePeriod* grace = nullptr;
    std::atomic<unsigned> senders_left = 0;
    std::atomic<std::uint64_t> last_departure = 0;  ///< ticks when the last sender finished
    std::uint64_t timeout_ticks = 0, settle_ticks = 0, hard_deadline = 0;
    std::uint64_t quiet_ticks = 0;                ///< frames that come closer together than this are still arriving
    std::uint64_t most_late_ticks = 0;            ///< so long they are waited for at most, behind the timeout
    std::atomic<std::uint64_t> waited_until = 0;  ///< ticks when the last worker ended its wait
    std::atomic<bool> hold = false;               ///< workers wait, so that somebody else may touch the ports
    std::atomic<unsigned> holding = 0;            ///< so many do
    std::atomic<bool> leaving = false;            ///< frames may still leave a port that has taken them, and come back
    std::atomic<std::uint64_t> all_left = 0;      ///< ticks when none did any more
    bool yield = false;
    std::uint64_t yield_margin_ticks = 0;  ///< not when a frame is due sooner
    FenceWatch* fence = nullptr;           ///< if there is one
};

struct Worker {
    std::vector<Sender*> senders;
    std::vector<Receiver*> receivers;
    std::vector<const port::Port*> outboxes;  ///< ports on which this worker is the one that sends
    Shared* shared = nullptr;
    unsigned index = 0;

    /// Until all senders have finished and the timeout after the last frame has passed, or the wait behind its fence, and the
    /// time to settle in which frames are too late; longer while frames still leave, or come
    /// one after the other.
    void run();

  private:
    void wait_while_held() const;
    std::uint64_t end_of_wait(std::uint64_t now) const;
    void end_wait(std::uint64_t now) const;
    bool still_arriving(std::uint64_t now) const;
    std::uint64_t end_of_late(std::uint64_t now) const;
};

/// What its core has to do.
void run_worker(Worker& worker);

}  // namespace xlatperf::trial
