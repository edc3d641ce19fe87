// Damages a frame in the ways that `Alteration` lists.
#pragma once

#include "impair/plan.h"
#include "link/frame.h"

namespace xlatperf::reference {

/// Whether the frame is an IPv4 or IPv6 packet with UDP in it (or a fragment of one).
bool carries_udp(std::span<const std::uint8_t> frame);

/// False, and nothing happens, if the frame has no such field: an IPv6 packet no header checksum, a later fragment no ports.
bool alter(std::span<std::uint8_t> frame, Alteration what);

}  // namespace xlatperf::reference
