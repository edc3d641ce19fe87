// Buffers for the frames of a stream. What doesn't vary behind the headers is in them before a trial begins, and nobody changes
// it afterwards: each class has a pool of its own, unless there is nothing behind the headers.
#pragma once

#include <rte_mbuf.h>

#include <array>

#include "flow/part.h"
#include "frame/stream.h"
#include "port/handover.h"
#include "port/port.h"

namespace xlatperf::trial {

class SendBuffers {
  public:
    /// Of a queue of a port, which outlives it.
    SendBuffers(const port::Port& port, unsigned queue, const frame::Stream& stream);

    /// For `n` frames of one class.
    bool take(flow::Class of, rte_mbuf** buffers, unsigned n) const {
        return port::allocate_burst(pools_[flow::index(of)], buffers, n);
    }
    /// For a burst of both, each where it is in the burst. All or none.
    bool take(const std::array<flow::Part, flow::classes>& parts, rte_mbuf** buffers) const;

  private:
    std::array<rte_mempool*, flow::classes> pools_{};
};

/// Writes into all buffers of a queue what stays the same, once for each stream.
void fill_buffers(const port::Port& port, unsigned queue, const frame::Stream& stream);

}  // namespace xlatperf::trial
