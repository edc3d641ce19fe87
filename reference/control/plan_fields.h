// Impairments in the configuration's "impair" and in the request of that name.
#pragma once

#include "impair/plan.h"
#include "message/fields.h"

namespace xlatperf::reference {

/// The plans of the keys "forward" and "reverse"; none where a key is absent. `has_mappings`: stateful translation makes mappings
/// of what goes forward. Throws MessageError.
std::array<std::optional<Plan>, 2> read_plans(message::Fields& fields, bool has_mappings);

}  // namespace xlatperf::reference
