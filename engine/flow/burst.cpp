#include "flow/burst.h"

#include "flow/random.h"
#include "wire/checksum.h"
#include "wire/clones.h"

namespace xlatperf::flow {

namespace {

// The halves of a random number, of which each draws something.
constexpr std::uint32_t low(std::uint64_t random) { return static_cast<std::uint32_t>(random); }
constexpr std::uint32_t high(std::uint64_t random) { return static_cast<std::uint32_t>(random >> 32); }

constexpr std::uint32_t port(std::uint32_t first, std::uint32_t random, std::uint32_t ports) {
    return wire::network16(static_cast<std::uint16_t>(first + spread(random, ports)));
}

XLATPERF_VECTOR_CLONES void draw_ports(const Drawing& drawing, const std::uint64_t* sequences, unsigned n, std::uint32_t* ports) {
    const Drawing d = drawing;  // nothing that is written can change it
    for (unsigned i = 0; i < whole_vectors(n); ++i) {
        const std::uint64_t random = mix(d.key + sequences[i]);
        ports[i] = port(d.first_source_port, low(random), d.source_ports) |
                   port(d.first_destination_port, high(random), d.destination_ports) << 16;
    }
}

XLATPERF_VECTOR_CLONES void draw_networks(const Drawing& drawing, const std::uint64_t* sequences, unsigned n,
                                          std::uint32_t* sources, std::uint32_t* destinations) {
    const Drawing d = drawing;
    for (unsigned i = 0; i < whole_vectors(n); ++i) {
        const std::uint64_t more = mix(mix(d.key + sequences[i]));
        sources[i] = spread(low(more), d.source_networks);
        destinations[i] = spread(high(more), d.destination_networks);
    }
}

}  // namespace

void draw(const Drawing& drawing, const std::uint64_t* sequences, unsigned n, FlowBurst& found) {
    draw_ports(drawing, sequences, n, found.ports.data());
    if (drawing.source_networks > 1 || drawing.destination_networks > 1)
        draw_networks(drawing, sequences, n, found.source_network.data(), found.destination_network.data());
}

}  // namespace xlatperf::flow
