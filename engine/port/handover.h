// Frames to a driver and from it. A frame may go from thread to thread through one, in which ThreadSanitizer sees nothing: built
// with it, it's told so.
#pragma once

#include <rte_ethdev.h>

#include <cstdint>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define XLATPERF_TOLD_TSAN 1
#include <sanitizer/tsan_interface.h>
#endif
#endif

namespace xlatperf::port {

/// As rte_eth_tx_burst: so many of the `n` were taken.
inline std::uint16_t transmit_burst(std::uint16_t port, std::uint16_t queue, rte_mbuf** frames, std::uint16_t n) {
#ifdef XLATPERF_TOLD_TSAN
    for (std::uint16_t i = 0; i < n; ++i) __tsan_release(frames[i]);
#endif
    return rte_eth_tx_burst(port, queue, frames, n);
}

/// As rte_eth_rx_burst.
inline std::uint16_t receive_burst(std::uint16_t port, std::uint16_t queue, rte_mbuf** frames, std::uint16_t most) {
    const std::uint16_t n = rte_eth_rx_burst(port, queue, frames, most);
#ifdef XLATPERF_TOLD_TSAN
    for (std::uint16_t i = 0; i < n; ++i) __tsan_acquire(frames[i]);
#endif
    return n;
}

}  // namespace xlatperf::port
