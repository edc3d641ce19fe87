// The seal of a frame's number: keyed bits that only the Tester that sent the frame can know, so that nobody else makes frames
// with its mark and other numbers. SipHash-2-4 (Aumasson and Bernstein, 2012) of the tag and the number's block of 256, which
// costs one hash per burst. Who has seen a frame can make others of its block, and no more than one in 256 of the numbers beyond.
#pragma once

#include <array>
#include <cstdint>

#include "flow/burst.h"
#include "frame/probe.h"

namespace xlatperf::frame {

/// Drawn by the engine when it starts.
using Key = std::array<std::uint64_t, 2>;

/// A key from the system's random device.
Key draw_key();

/// SipHash-2-4 of the eight bytes of `message`, little endian, as are those of the key.
std::uint64_t siphash(const Key& key, std::uint64_t message);

/// Of all frames of a trial in one direction.
class Seal {
  public:
    Seal(const Key& key, std::uint32_t tag) : key_(key), tag_(tag) {}

    /// The word in the probe of the frame with this number.
    std::uint64_t number(std::uint64_t sequence) const { return sequence | of_block(sequence >> block_bits); }

    /// The same of `n` frames, up to `whole_vectors(n)`.
    void numbers(const std::uint64_t* sequences, unsigned n, std::uint64_t* found) const;

  private:
    static constexpr unsigned block_bits = 8;

    std::uint64_t of_block(std::uint64_t block) const;

    Key key_;
    std::uint64_t tag_;
};

}  // namespace xlatperf::frame
