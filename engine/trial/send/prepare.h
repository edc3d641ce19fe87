// A buffer for a frame.
#pragma once

#include <rte_mbuf.h>

#include "frame/image.h"

namespace xlatperf::trial {

/// Returns where the probe will be.
inline std::uint8_t* prepare(rte_mbuf* buffer, const frame::Image& image) {
    buffer->data_len = static_cast<std::uint16_t>(image.size());
    buffer->pkt_len = static_cast<std::uint32_t>(image.size());
    return rte_pktmbuf_mtod_offset(buffer, std::uint8_t*, image.probe());
}

}  // namespace xlatperf::trial
