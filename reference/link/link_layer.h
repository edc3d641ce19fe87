#pragma once

#include <cstring>

#include "wire/ethernet.h"

namespace xlatperf::reference {

/// The two addresses of an Ethernet header; `to` may be the frame's own source.
inline void write_link_addresses(std::uint8_t* frame, const std::uint8_t* to, const wire::Mac& from) {
    std::memcpy(frame + wire::ethernet::destination, to, from.size());
    std::memcpy(frame + wire::ethernet::source, from.data(), from.size());
}

}  // namespace xlatperf::reference
