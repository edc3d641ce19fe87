// The permutation of many numbers at once.
#pragma once

#include <cstdint>

#include "flow/burst.h"
#include "flow/permutation.h"

namespace xlatperf::flow {

/// Replaces `n` numbers below the permutation's size; at most a burst. They can be read and written up to `whole_vectors(n)`.
void permute(const Permutation& permutation, std::uint64_t* numbers, unsigned n);

}  // namespace xlatperf::flow
