// MAP CEs with NAPT44 (RFC 7597 §8, RFC 7599 §8.1).
#pragma once

#include "technologies/kind.h"

namespace xlatperf::reference {

/// The keys of `map`, but the role, and "state". Throws ConfigError.
Chosen read_map_ce(const Json& json, const std::string& path, const Kind& map);

}  // namespace xlatperf::reference
