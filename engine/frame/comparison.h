// What is the same in all frames of an image, up to the probe, as pattern and mask.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "frame/stream.h"

namespace xlatperf::frame {

struct Comparison {
    static constexpr std::size_t words = 8;         // 64 bytes: all of the headers up to the probe,
    static constexpr std::size_t words_outer = 11;  // and in a tunnel 88

    alignas(64) std::array<std::uint64_t, words_outer> pattern{}, mask{};
    std::size_t ip = wire::ethernet::size, probe = 0, size = 0;
    bool ipv4 = false, outer = false;

    /// Of frames of the stream as they must arrive. What differs from frame to frame isn't compared, nor what is up to the DUT.
    static Comparison of(const Stream& stream, Class of);

    /// Zero if what is the same in all frames is as it must be.
    std::uint64_t differs(const std::uint8_t* at, std::size_t frame_size) const {
        std::uint64_t found = (frame_size ^ size) | differ<0, words>(at);
        if (outer) [[unlikely]]
            found |= differ<words, words_outer>(at);
        return found;
    }

    template <std::size_t from, std::size_t end> [[gnu::always_inline]] std::uint64_t differ(const std::uint8_t* at) const {
        std::array<std::uint64_t, end - from> seen;
        std::memcpy(seen.data(), at + 8 * from, 8 * seen.size());
        std::uint64_t found = 0;
        for (std::size_t i = 0; i < seen.size(); ++i) found |= (seen[i] ^ pattern[from + i]) & mask[from + i];
        return found;
    }
};

}  // namespace xlatperf::frame
