// What a port does beside test traffic: sends single frames, and answers neighbours while no trial runs.
#pragma once

#include <functional>

#include "port/neighbors.h"
#include "port/port.h"

namespace xlatperf::port {

/// A buffer with these bytes; nullptr if none is free.
rte_mbuf* make_buffer(const Port& port, const FrameBytes& bytes);

/// Sends the frames at once, from the thread that owns the port now. Frames that the port doesn't take are dropped;
/// how many it took.
std::size_t send_now(const Port& port, const std::vector<FrameBytes>& frames);

/// Leaves a frame in the port's outbox, for the thread that sends on it. A frame that doesn't fit is dropped.
void send_soon(const Port& port, const FrameBytes& frame);

/// Sends what is in the port's outbox.
void flush_outbox(const Port& port);

/// A frame: its bytes, how many; and whether it is in the link's VLAN, whose tag is taken off, or has no tag where there is none.
using Seen = std::function<void(const std::uint8_t*, std::size_t, bool)>;

/// Receives what has arrived, answers neighbours, shows each frame to `seen`, and drops it. Returns whether there may be more.
bool serve_neighbors(const Port& port, Neighbors& neighbors, const Seen& seen);

}  // namespace xlatperf::port
