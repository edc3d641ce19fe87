#include "flow/connection_burst.h"

#include "flow/permuted.h"
#include "wire/clones.h"

namespace xlatperf::flow {

namespace {

// Twice, because the numbers are permuted in their place.
XLATPERF_VECTOR_CLONES void draw_connections(std::uint64_t key, std::uint64_t count, const std::uint64_t* sequences, unsigned n,
                                             std::uint64_t* connections, std::uint64_t* numbers) {
    for (unsigned i = 0; i < whole_vectors(n); ++i) connections[i] = numbers[i] = spread64(mix(key + sequences[i]), count);
}

}  // namespace

void draw(const ConnectionFlows& flows, const std::uint64_t* sequences, unsigned n, FlowBurst& found) {
    alignas(64) OfBurst<std::uint64_t> numbers;  // that connections become when they are permuted
    if (const auto key = flows.order.drawn_with()) {
        draw_connections(*key, flows.order.count(), sequences, n, found.key.data(), numbers.data());
    } else {
        clear(numbers.data(), n);
        for (unsigned i = 0; i < n; ++i) found.key[i] = numbers[i] = flows.order(sequences[i]);
    }
    if (const Permutation* opening = flows.connections.order()) {
        permute(*opening, numbers.data(), n);
        for (unsigned i = 0; i < n; ++i) found.set(i, flows.flow(found.key[i], flows.connections.tuple(numbers[i])));
    } else {
        for (unsigned i = 0; i < n; ++i) found.set(i, flows.flow(found.key[i], flows.connections(found.key[i])));
    }
}

}  // namespace xlatperf::flow
