// The tunnel encapsulation limit (RFC 2473 §4.1.1, §5.1) in frames that arrive: a DUT may write it or not. Linux does by
// default.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace xlatperf::frame {

/// The frame without it; nothing if the IPv6 header in the `size` bytes at `at` isn't followed by this option alone.
std::optional<std::vector<std::uint8_t>> without_encapsulation_limit(const std::uint8_t* at, std::size_t size);

}  // namespace xlatperf::frame
