#pragma once

#include "control/strict_json.h"
#include "gateway/gateway.h"

namespace xlatperf::reference {

/// {"forward": ..., "reverse": ..., "left": ..., "right": ...}, of stateful translation "state": ... as well
Json counters_to_json(const Gateway& gateway);

}  // namespace xlatperf::reference
