// The frames of one class in a burst, close together as vectors want them.
#pragma once

#include <cstdint>

#include "flow/burst.h"
#include "flow/traffic_mix.h"

namespace xlatperf::flow {

/// Of a burst of consecutive numbers.
struct Part {
    unsigned n = 0;
    const std::uint8_t* place = nullptr;          ///< where its frames are in the burst, if they aren't all
    alignas(64) OfBurst<std::uint64_t> sequence;  ///< their numbers; can be read up to `whole_vectors(n)`

    /// `frames`: of the burst, from number `first` on. `pattern` outlives the part.
    void take(const MixPattern& pattern, Class of, std::uint64_t first, unsigned frames);
    void take_all(std::uint64_t first, unsigned frames);
};

}  // namespace xlatperf::flow
