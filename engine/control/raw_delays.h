// Each frame's delay in a file, for those who want to look at more than a histogram.
#pragma once

#include <string>
#include <vector>

#include "trial/run.h"

namespace xlatperf::control {

/// Writes the delays of all directions and classes of `result` to `path` + "-forward-foreground.bin" and so on, in the order of
/// arrival: a 64-bit frame number and a 64-bit delay in ns, little endian. Returns the files. Throws MessageError.
std::vector<std::string> write_raw_delays(const trial::Result& result, const std::string& path);

}  // namespace xlatperf::control
