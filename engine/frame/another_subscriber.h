// Frames as another subscriber would send them, or get them: what a DUT must not take for the first one's.
#pragma once

#include <cstdint>
#include <vector>

#include "frame/stream.h"

namespace xlatperf::frame {

/// The foreground frame of this number, of the first subscriber that has another IPv6 address, and whose frame differs in all
/// fields that the stream's alteration takes from there. Empty: there is none among the first few thousand.
std::vector<std::uint8_t> of_another_subscriber(const Stream& stream, std::uint64_t sequence);

}  // namespace xlatperf::frame
