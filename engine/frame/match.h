// A frame that is right in itself, and what is known of it then.
#pragma once

#include <cstdint>

#include "counter/counters.h"
#include "flow/traffic_mix.h"

namespace xlatperf::frame {

struct Match {
    std::uint64_t sequence;
    flow::Class of;
    counter::Some<counter::Remark> remarks;
    std::uint64_t stamp48;
    std::uint64_t connection;    ///< of stateful tests
    const std::uint8_t* source;  ///< the source address in the frame,
    std::uint16_t source_port;   ///< and its port
};

}  // namespace xlatperf::frame
