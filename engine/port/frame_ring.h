// Frames' way from thread to thread: DPDK's rings, whose barriers ThreadSanitizer doesn't see.
#pragma once

#include <rte_mbuf.h>
#include <rte_ring.h>

#include "port/handover.h"

#ifdef XLATPERF_TOLD_TSAN
#define XLATPERF_UNSEEN_BY_TSAN __attribute__((no_sanitize("thread"), noinline)) inline
#else
#define XLATPERF_UNSEEN_BY_TSAN inline
#endif

namespace xlatperf::port {

/// How many the ring took.
XLATPERF_UNSEEN_BY_TSAN unsigned put_frames(rte_ring* ring, rte_mbuf* const* frames, unsigned n) {
    give_away(frames, n);
    return rte_ring_enqueue_burst(ring, reinterpret_cast<void* const*>(frames), n, nullptr);
}

/// How many there were.
XLATPERF_UNSEEN_BY_TSAN unsigned take_frames(rte_ring* ring, rte_mbuf** frames, unsigned most) {
    const unsigned n = rte_ring_dequeue_burst(ring, reinterpret_cast<void**>(frames), most, nullptr);
    take_over(frames, n);
    return n;
}

}  // namespace xlatperf::port
