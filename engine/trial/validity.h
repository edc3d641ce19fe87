// Can the trial be believed? An invalid one is neither loss of the DUT nor a pass.
#pragma once

#include "trial/run.h"

namespace xlatperf::trial {

/// All reasons why `result` says nothing about the DUT; empty if it does.
std::vector<Objection> objections(const Result& result, const Description& description, double ticks_per_second, bool stopped);

}  // namespace xlatperf::trial
