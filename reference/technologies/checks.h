// Checks that a device makes of what comes, each of which can be switched off so that a Tester's tests of it can be tested.
#pragma once

#include <set>

#include "json/strict_json.h"

namespace xlatperf::reference {

using CheckNames = std::set<std::string, std::less<>>;

/// The key "checks": which of `known` are switched off. Throws ConfigError.
CheckNames read_switched_off(const StrictObject& technology, const std::vector<std::string_view>& known);

}  // namespace xlatperf::reference
