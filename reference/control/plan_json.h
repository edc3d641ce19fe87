// Impairments as JSON: the "impair" key of the configuration and the message {"request": "impair"}.
#pragma once

#include "impair/plan.h"
#include "json/strict_json.h"

namespace xlatperf::reference {

/// An empty object or null: nothing is impaired. `has_mappings`: stateful translation makes mappings in this direction.
Plan plan_from_json(const Json& json, const std::string& path, bool has_mappings = false);

}  // namespace xlatperf::reference
