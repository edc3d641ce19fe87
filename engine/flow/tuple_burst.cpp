#include "flow/tuple_burst.h"

#include "flow/burst.h"
#include "flow/drawing.h"
#include "flow/random.h"
#include "wire/clones.h"

namespace xlatperf::flow {

XLATPERF_VECTOR_CLONES void take_apart(const TupleDigits& digits, const std::uint64_t* numbers, unsigned n, std::uint64_t* ports,
                                       std::uint64_t* hosts, std::uint64_t* others) {
    const TupleDigits d = digits;  // nothing that is written can change it
    for (unsigned i = 0; i < whole_vectors(n); ++i) {
        double rest = to_double(numbers[i]);
        const std::uint64_t port = port_in_memory(d.first_port + to_number(d.ports.take(rest)));
        const std::uint64_t other_port = port_in_memory(d.other_first_port + to_number(d.other_ports.take(rest)));
        hosts[i] = to_number(d.hosts.take(rest));
        others[i] = to_number(rest);
        ports[i] = port << d.shift | other_port << d.other_shift;
    }
}

XLATPERF_VECTOR_CLONES void draw_numbers(std::uint64_t key, std::uint64_t count, const std::uint64_t* sequences, unsigned n,
                                         std::uint64_t* found) {
    for (unsigned i = 0; i < whole_vectors(n); ++i) found[i] = spread64(mix(key + sequences[i]), count);
}

}  // namespace xlatperf::flow
