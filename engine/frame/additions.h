// What a frame has that no test frame has: options, extension headers, padding. In words, for frames of a wrong length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "frame/packet.h"

namespace xlatperf::frame {

/// `, with a hop-by-hop options header, and 4 bytes of padding behind the packet`; empty if it has nothing of that.
std::string additions(const std::uint8_t* at, std::size_t size, const Nested& packets);

}  // namespace xlatperf::frame
