// A frame that is right in itself, and what is known of it then.
#pragma once

#include <cstdint>

#include "flow/traffic_mix.h"

namespace xlatperf::frame {

struct Match {
    std::uint64_t sequence;
    flow::Class of;
    bool df_differs;  ///< from what RFC 7915 §5.1 says, where it leaves that open
    std::uint64_t stamp48;
    std::uint64_t connection;    ///< of stateful tests
    const std::uint8_t* source;  ///< the source address in the frame,
    std::uint16_t source_port;   ///< and its port
};

}  // namespace xlatperf::frame
