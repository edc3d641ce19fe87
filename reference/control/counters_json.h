#pragma once

#include "control/config.h"
#include "gateway/gateway.h"

namespace xlatperf::reference {

/// {"forward": ..., "reverse": ..., "left": ..., "right": ...}, of stateful translation "state": ... as well
Json counters_to_json(const Gateway& gateway);

}  // namespace xlatperf::reference
