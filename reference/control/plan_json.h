// Impairments as JSON: the "impair" key of the configuration and the message {"request": "impair"}.
#pragma once

#include "control/strict_json.h"
#include "impair/plan.h"

namespace xlatperf::reference {

/// An empty object or null: nothing is impaired.
Plan plan_from_json(const Json& json, const std::string& path);

}  // namespace xlatperf::reference
