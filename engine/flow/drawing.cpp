#include "flow/drawing.h"

#include "wire/clones.h"

namespace xlatperf::flow {

namespace {

XLATPERF_VECTOR_CLONES void draw_ports(const Drawing& drawing, const std::uint64_t* sequences, unsigned n, std::uint64_t* ports) {
    const Drawing d = drawing;  // nothing that is written can change it
    for (unsigned i = 0; i < whole_vectors(n); ++i) {
        const std::uint64_t random = mix(d.key + sequences[i]);
        const std::uint64_t source = d.first_source_port + spread_half(low_half(random), d.source_ports),
                            destination = d.first_destination_port + spread_half(high_half(random), d.destination_ports);
        ports[i] = port_in_memory(source) | port_in_memory(destination) << 16;
    }
}

XLATPERF_VECTOR_CLONES void draw_hosts(const Drawing& drawing, const std::uint64_t* sequences, unsigned n, std::uint64_t* sources,
                                       std::uint64_t* destinations) {
    const Drawing d = drawing;
    for (unsigned i = 0; i < whole_vectors(n); ++i) {
        const std::uint64_t more = mix(mix(d.key + sequences[i]));
        sources[i] = spread_half(low_half(more), d.source_hosts);
        destinations[i] = spread_half(high_half(more), d.destination_hosts);
    }
}

}  // namespace

XLATPERF_VECTOR_CLONES void clear(std::uint64_t* values, unsigned n) {
    for (unsigned i = 0; i < whole_vectors(n); ++i) values[i] = 0;
}

void draw(const Drawing& drawing, const std::uint64_t* sequences, unsigned n, FlowBurst& found) {
    draw_ports(drawing, sequences, n, found.ports.data());
    if (drawing.source_hosts > 1 || drawing.destination_hosts > 1) {
        draw_hosts(drawing, sequences, n, found.source_host.data(), found.destination_host.data());
    } else {
        clear(found.source_host.data(), n);
        clear(found.destination_host.data(), n);
    }
}

}  // namespace xlatperf::flow
