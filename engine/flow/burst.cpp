#include "flow/burst.h"

#include "flow/random.h"
#include "wire/clones.h"

namespace xlatperf::flow {

namespace {

// A port in memory order, in the lower half of a lane.
constexpr std::uint64_t swapped(std::uint64_t port) { return ((port << 8) | (port >> 8)) & 0xffff; }

XLATPERF_VECTOR_CLONES void draw_ports(const Drawing& drawing, const std::uint64_t* sequences, unsigned n, std::uint32_t* ports) {
    const std::uint64_t key = drawing.key, first_source = drawing.first_source_port, sources = drawing.source_ports,
                        first_destination = drawing.first_destination_port, destinations = drawing.destination_ports;
    n = (n + 7) & ~7U;
    for (unsigned i = 0; i < n; ++i) {
        const std::uint64_t random = mix(key + sequences[i]);
        const std::uint64_t source = first_source + (((random & 0xffffffff) * sources) >> 32);
        const std::uint64_t destination = first_destination + (((random >> 32) * destinations) >> 32);
        ports[i] = static_cast<std::uint32_t>(swapped(source) | swapped(destination) << 16);
    }
}

XLATPERF_VECTOR_CLONES void draw_networks(const Drawing& drawing, const std::uint64_t* sequences, unsigned n,
                                          std::uint32_t* sources, std::uint32_t* destinations) {
    const std::uint64_t key = drawing.key, of_source = drawing.source_networks, of_destination = drawing.destination_networks;
    n = (n + 7) & ~7U;
    for (unsigned i = 0; i < n; ++i) {
        const std::uint64_t more = mix(mix(key + sequences[i]));
        sources[i] = static_cast<std::uint32_t>(((more & 0xffffffff) * of_source) >> 32);
        destinations[i] = static_cast<std::uint32_t>(((more >> 32) * of_destination) >> 32);
    }
}

}  // namespace

void draw(const Drawing& drawing, const std::uint64_t* sequences, unsigned n, FlowBurst& found) {
    draw_ports(drawing, sequences, n, found.ports.data());
    if (drawing.source_networks > 1 || drawing.destination_networks > 1)
        draw_networks(drawing, sequences, n, found.source_network.data(), found.destination_network.data());
}

}  // namespace xlatperf::flow
