// What is the same in all frames of an image, up to the probe, as pattern and mask.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "frame/stream.h"

namespace xlatperf::frame {

struct Comparison {
    static constexpr std::size_t words = 12;  // 96 bytes: all of the headers up to the probe, also in a tunnel

    alignas(64) std::array<std::uint64_t, words> pattern{}, mask{};
    std::size_t ip = wire::ethernet::size, probe = 0, size = 0;
    bool ipv4 = false, tunnel = false;

    /// Of frames of the stream with this image, as they must arrive. What differs from frame to frame isn't compared, nor what is
    /// up to the DUT.
    static Comparison of(const Stream& stream, Class of, const Image& image);

    /// Zero if what is the same in all frames is as it must be.
    std::uint64_t differs(const std::uint8_t* at, std::size_t frame_size) const {
        std::uint64_t found = frame_size ^ size;
        for (std::size_t i = 0; i < words; ++i) found |= (piece(at, i) ^ pattern[i]) & mask[i];
        return found;
    }
};

}  // namespace xlatperf::frame
