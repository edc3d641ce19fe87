#include "flow/part.h"

#include "wire/clones.h"

namespace xlatperf::flow {

namespace {

XLATPERF_VECTOR_CLONES void number(std::uint64_t first, unsigned n, std::uint64_t* numbers) {
    for (unsigned i = 0; i < whole_vectors(n); ++i) numbers[i] = first + i;
}

XLATPERF_VECTOR_CLONES void number_places(std::uint64_t first, const std::uint8_t* places, unsigned n, std::uint64_t* numbers) {
    for (unsigned i = 0; i < whole_vectors(n); ++i) numbers[i] = first + places[i];
}

}  // namespace

void Part::take(const MixPattern& pattern, Class of, std::uint64_t first, unsigned frames) {
    n = pattern.count(of, frames);
    place = pattern.places[index(of)].data();
    number_places(first, place, n, sequence.data());
}

void Part::take_all(std::uint64_t first, unsigned frames) {
    n = frames;
    number(first, n, sequence.data());
}

}  // namespace xlatperf::flow
