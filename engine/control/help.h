// The text of `--help`, from the same fields that requests are checked with.
#pragma once

#include <string>

namespace xlatperf::control {

std::string help_text();

}  // namespace xlatperf::control
