// Frames' way through DPDK: from a pool, to a driver, from it, back. There they may go from thread to thread, which
// ThreadSanitizer doesn't see: built with it, it's told so.
#pragma once

#include <rte_ethdev.h>
#include <rte_mbuf.h>

#include <cstdint>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define XLATPERF_TOLD_TSAN 1
#include <sanitizer/tsan_interface.h>
#endif
#endif

namespace xlatperf::port {

inline void give_away([[maybe_unused]] rte_mbuf* const* frames, [[maybe_unused]] unsigned n) {
#ifdef XLATPERF_TOLD_TSAN
    for (unsigned i = 0; i < n; ++i) __tsan_release(frames[i]);
#endif
}

inline void take_over([[maybe_unused]] rte_mbuf* const* frames, [[maybe_unused]] unsigned n) {
#ifdef XLATPERF_TOLD_TSAN
    for (unsigned i = 0; i < n; ++i) __tsan_acquire(frames[i]);
#endif
}

/// All or none.
inline bool allocate_burst(rte_mempool* pool, rte_mbuf** frames, unsigned n) {
#ifdef XLATPERF_TOLD_TSAN  // what rte_pktmbuf_alloc_bulk does, which would write into them before they are taken over
    if (rte_mempool_get_bulk(pool, reinterpret_cast<void**>(frames), n) != 0) return false;
    take_over(frames, n);
    for (unsigned i = 0; i < n; ++i) rte_pktmbuf_reset(frames[i]);
    return true;
#else
    return rte_pktmbuf_alloc_bulk(pool, frames, n) == 0;
#endif
}

inline void free_burst(rte_mbuf** frames, unsigned n) {
    give_away(frames, n);
    rte_pktmbuf_free_bulk(frames, n);
}

/// As rte_eth_tx_burst: so many of the `n` were taken.
inline std::uint16_t transmit_burst(std::uint16_t port, std::uint16_t queue, rte_mbuf** frames, std::uint16_t n) {
    give_away(frames, n);
    return rte_eth_tx_burst(port, queue, frames, n);
}

/// As rte_eth_rx_burst.
inline std::uint16_t receive_burst(std::uint16_t port, std::uint16_t queue, rte_mbuf** frames, std::uint16_t most) {
    const std::uint16_t n = rte_eth_rx_burst(port, queue, frames, most);
    take_over(frames, n);
    return n;
}

}  // namespace xlatperf::port
