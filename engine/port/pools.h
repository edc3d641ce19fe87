// Buffers of frames.
#pragma once

#include <rte_mempool.h>

#include <string>

namespace xlatperf::port {

/// So many buffers for frames of at most this size; `cache_size`: that each core may keep for itself. Throws PortError.
rte_mempool* create_pool(const std::string& name, unsigned buffers, unsigned largest_frame, unsigned cache_size);

}  // namespace xlatperf::port
