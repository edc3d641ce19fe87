// What the receivers of a direction have got together: which numbers are lost, and which came at two of them. Memory is constant.
//
// The thread that waits for the workers raises the window's floor now and then, so that no worker marks what is below it any
// more; when each has polled again, that thread takes those bits of all receivers and counts. No worker waits for it or for
// another.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "flow/traffic_mix.h"
#include "trial/receive/arrival_window.h"
#include "trial/receive/last_arrivals.h"
#include "trial/schedule/share.h"
#include "trial/tally/delay_variation.h"
#include "trial/tally/intervals.h"
#include "trial/tally/lost_numbers.h"

namespace xlatperf::trial {

class Arrivals {
  public:
    /// Of `frames` frames, of which the last `remembered` are known at least, at `receivers` receivers. `mix` outlives it.
    Arrivals(std::uint64_t frames, std::uint64_t remembered, unsigned receivers, const flow::TrafficMix& mix);

    /// Tells of intervals as well. Before anything arrives.
    void divide(const Division& division);

    /// Keeps the latest delays of each class, and of all frames if there are both. Before anything arrives.
    void remember_delays(const std::array<bool, flow::classes>& of);

    /// By the worker of receiver `i`.
    ArrivalWindow& window(unsigned i) { return windows_[i]; }
    LastArrivals& last() { return last_; }
    ArrivalIntervals* intervals_of(unsigned i) { return intervals_ ? &intervals_->of(i) : nullptr; }

    /// Of a class, or behind them of all frames; null if they aren't kept.
    const std::shared_ptr<LatestDelays>& latest_delays(std::size_t of) const { return latest_delays_[of]; }

    /// Raises the floor, when the numbers below `sent` have been sent, or nearly. Returns whether it did: when every worker has
    /// polled again, `settle`.
    bool raise_floor(std::uint64_t sent);
    void settle();

    /// Counts what is lost of the numbers that were sent, when nothing can arrive any more.
    void finish(const SentNumbers& sent);

    const LostNumbers& lost() const { return lost_; }
    /// Numbers that came at more than one receiver, once for each but the first.
    const std::array<std::uint64_t, flow::classes>& duplicates() const { return duplicates_; }
    std::uint64_t overtaken() const;
    const SettledIntervals* intervals() const { return intervals_ ? &*intervals_ : nullptr; }

  private:
    std::uint64_t take(std::uint64_t index);

    std::uint64_t frames_, remembered_, capacity_, settled_ = 0;
    const flow::TrafficMix& mix_;
    WindowBounds bounds_;
    LastArrivals last_;
    std::vector<ArrivalWindow> windows_;
    LostNumbers lost_;
    std::array<std::uint64_t, flow::classes> duplicates_{};
    std::optional<SettledIntervals> intervals_;
    std::array<std::shared_ptr<LatestDelays>, flow::classes + 1> latest_delays_;
};

}  // namespace xlatperf::trial
