// Four tuples by their numbers, for a burst at once: what is drawn out of all that ports and hosts make.
#pragma once

#include <cstdint>

#include "flow/digits.h"

namespace xlatperf::flow {

/// What a number is made of: the port of one end, that of the other, who the first is; what is left is who the other is.
struct TupleDigits {
    Digit ports, other_ports, hosts;
    std::uint64_t first_port, other_first_port;
    unsigned shift = 0, other_shift = 16;  ///< of ports in memory: the source's are the lower ones
};

/// As `TupleDigits` says of each number; arrays can be read and written up to `whole_vectors(n)`.
void take_apart(const TupleDigits& digits, const std::uint64_t* numbers, unsigned n, std::uint64_t* ports, std::uint64_t* hosts,
                std::uint64_t* others);

/// Numbers below `count`, drawn for frames with these sequence numbers; likewise.
void draw_numbers(std::uint64_t key, std::uint64_t count, const std::uint64_t* sequences, unsigned n, std::uint64_t* found);

}  // namespace xlatperf::flow
