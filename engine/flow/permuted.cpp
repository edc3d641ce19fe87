#include "flow/permuted.h"

#include "wire/clones.h"

namespace xlatperf::flow {

namespace {
XLATPERF_VECTOR_CLONES void pass_64(const Permutation& permutation, std::uint64_t* numbers, unsigned n) {
    const Permutation p = permutation;  // nothing that is written can change it
    for (unsigned i = 0; i < whole_vectors(n); ++i) numbers[i] = p.pass(numbers[i]);
}

// Twice as many at once; and AVX2 has no product of 64 bits, which then are three of 32.
XLATPERF_VECTOR_CLONES void pass_32(const Permutation& permutation, std::uint64_t* numbers, unsigned n) {
    const Permutation p = permutation;
    for (unsigned i = 0; i < whole_vectors(n); ++i) numbers[i] = p.pass(static_cast<std::uint32_t>(numbers[i]));
}

void pass(const Permutation& permutation, std::uint64_t* numbers, unsigned n) {
    return permutation.bits() <= 32 ? pass_32(permutation, numbers, n) : pass_64(permutation, numbers, n);
}
}  // namespace

void permute(const Permutation& permutation, std::uint64_t* numbers, unsigned n) {
    pass(permutation, numbers, n);
    if (permutation.passes_once()) return;
    // Those that have to pass again, moved together.
    OfBurst<std::uint8_t> place;
    unsigned outside = 0;
    for (unsigned i = 0; i < n; ++i) {
        place[outside] = static_cast<std::uint8_t>(i);
        outside += numbers[i] >= permutation.size() ? 1U : 0U;
    }
    alignas(64) OfBurst<std::uint64_t> again{};
    while (outside > 0) {
        for (unsigned j = 0; j < outside; ++j) again[j] = numbers[place[j]];
        pass(permutation, again.data(), outside);
        unsigned still = 0;
        for (unsigned j = 0; j < outside; ++j) {
            const std::uint8_t i = place[j];
            numbers[i] = again[j];
            place[still] = i;
            still += again[j] >= permutation.size() ? 1U : 0U;
        }
        outside = still;
    }
}

}  // namespace xlatperf::flow
