#include "flow/permuted.h"

#include <bit>

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

// Bit i of number i.
XLATPERF_VECTOR_CLONES std::uint64_t those_outside(std::uint64_t size, const std::uint64_t* numbers, unsigned n) {
    std::uint64_t found = 0;
    for (std::uint64_t i = 0; i < n; ++i) found |= (numbers[i] >= size ? std::uint64_t{1} : 0) << i;
    return found;
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
    for (std::uint64_t rest = those_outside(permutation.size(), numbers, n); rest != 0; rest &= rest - 1)
        place[outside++] = static_cast<std::uint8_t>(std::countr_zero(rest));
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
