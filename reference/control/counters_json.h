#pragma once

#include "gateway/gateway.h"
#include "json/strict_json.h"

namespace xlatperf::reference {

/// {"forward": ..., "reverse": ..., "left": ..., "right": ...}, of stateful translation "state": ... as well
Json counters_to_json(const Gateway& gateway);

}  // namespace xlatperf::reference
