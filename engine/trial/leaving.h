// Watches what waits to leave the ports' interfaces while a trial runs, and sees it off behind it.
#pragma once

#include <array>
#include <optional>

#include "trial/roles.h"
#include "trial/run.h"
#include "trial/send/on_the_way.h"
#include "trial/worker.h"

namespace xlatperf::trial {

class Leaving {
  public:
    static constexpr double most_s = 10;  ///< that frames are seen off for, after the last was sent

    /// For the streams of `result`, before its first frame is due. `shared.leaving` says whether workers go on receiving.
    Leaving(const Bed& bed, const Roles& roles, const Result& result, Shared& shared, double ticks_per_second);

    /// Called every few milliseconds while the trial runs.
    void look();

    /// Of the ports that frames can wait behind: at least so long one has.
    std::uint64_t longest_ticks(flow::Direction direction) const;

  private:
    bool look(flow::Direction direction);

    const Bed& bed_;
    const Roles& roles_;
    const Result& result_;
    Shared& shared_;
    std::uint64_t most_ticks_;
    std::array<std::optional<OnTheWay>, 2> on_the_way_;
};

}  // namespace xlatperf::trial
