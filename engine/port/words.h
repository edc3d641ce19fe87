// What DPDK and its drivers say about themselves: a refusal is told in their own words, as error numbers of drivers mean little.
#pragma once

#include <string>

namespace xlatperf::port {

/// From here on DPDK's messages are kept; they go to standard error as before. To be called before DPDK starts.
void keep_words();

/// What DPDK has said since the last call, in one line without repetitions and what its buses add; empty if nothing.
std::string take_words();

/// Why something was refused: DPDK's words since the last call of `take_words`, or the meaning of `error` (errno).
std::string refusal(int error);

}  // namespace xlatperf::port
