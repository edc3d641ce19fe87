#pragma once

#include <string>

namespace xlatperf::reference {
/// What --help prints.
std::string help_text();
}  // namespace xlatperf::reference
