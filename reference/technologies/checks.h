// Checks that a device makes of what comes, each of which can be switched off so that a Tester's tests of it can be tested.
#pragma once

#include <set>

#include "message/fields.h"

namespace xlatperf::reference {

using CheckNames = std::set<std::string, std::less<>>;

/// The key "checks": which of `known` are switched off. Throws MessageError.
CheckNames read_switched_off(message::Fields& technology, const std::vector<std::string_view>& known);

}  // namespace xlatperf::reference
