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

// As often as needed. Up to so many take less time one by one than as a vector, which waits until its parts are stored.
constexpr int few = 4;

void pass_again(const Permutation& permutation, std::uint64_t* numbers, std::uint64_t outside) {
    for (; outside != 0; outside &= outside - 1) {
        std::uint64_t& number = numbers[std::countr_zero(outside)];
        number = permutation(number);
    }
}

// The same of more, moved together.
void pass_again_together(const Permutation& permutation, std::uint64_t* numbers, std::uint64_t outside) {
    OfBurst<std::uint8_t> place;
    unsigned n = 0;
    for (; outside != 0; outside &= outside - 1) place[n++] = static_cast<std::uint8_t>(std::countr_zero(outside));
    alignas(64) OfBurst<std::uint64_t> again{};
    while (n > 0) {
        for (unsigned j = 0; j < n; ++j) again[j] = numbers[place[j]];
        pass(permutation, again.data(), n);
        unsigned still = 0;
        for (unsigned j = 0; j < n; ++j) {
            const std::uint8_t i = place[j];
            numbers[i] = again[j];
            place[still] = i;
            still += again[j] >= permutation.size() ? 1U : 0U;
        }
        n = still;
    }
}
}  // namespace

void permute(const Permutation& permutation, std::uint64_t* numbers, unsigned n) {
    pass(permutation, numbers, n);
    if (permutation.passes_once()) return;
    const std::uint64_t outside = those_outside(permutation.size(), numbers, n);
    if (std::popcount(outside) <= few) return pass_again(permutation, numbers, outside);
    pass_again_together(permutation, numbers, outside);
}

}  // namespace xlatperf::flow
