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

// Once more, moved together. Returns those that are outside then.
std::uint64_t pass_together(const Permutation& permutation, std::uint64_t* numbers, std::uint64_t outside) {
    alignas(64) OfBurst<std::uint64_t> again{};
    unsigned n = 0;
    for (std::uint64_t rest = outside; rest != 0; rest &= rest - 1) again[n++] = numbers[std::countr_zero(rest)];
    pass(permutation, again.data(), n);
    std::uint64_t still = 0;
    for (const std::uint64_t* next = again.data(); outside != 0; outside &= outside - 1, ++next) {
        const int i = std::countr_zero(outside);
        numbers[i] = *next;
        still |= (*next >= permutation.size() ? std::uint64_t{1} : 0) << i;
    }
    return still;
}
}  // namespace

void permute(const Permutation& permutation, std::uint64_t* numbers, unsigned n) {
    pass(permutation, numbers, n);
    if (permutation.passes_once()) return;
    std::uint64_t outside = those_outside(permutation.size(), numbers, n);
    // Fewer take less time one by one than as a vector, which waits until its parts are stored.
    while (std::popcount(outside) > 4) outside = pass_together(permutation, numbers, outside);
    for (; outside != 0; outside &= outside - 1) {
        std::uint64_t& number = numbers[std::countr_zero(outside)];
        number = permutation(number);
    }
}

}  // namespace xlatperf::flow
