#include "flow/connection_burst.h"

#include "flow/drawing.h"
#include "flow/permuted.h"
#include "wire/clones.h"

namespace xlatperf::flow {

namespace {

XLATPERF_VECTOR_CLONES void draw_connections(std::uint64_t key, std::uint64_t count, const std::uint64_t* sequences, unsigned n,
                                             std::uint64_t* connections) {
    for (unsigned i = 0; i < whole_vectors(n); ++i) connections[i] = spread64(mix(key + sequences[i]), count);
}

// As Connections::tuple.
XLATPERF_VECTOR_CLONES void take_apart(const ConnectionBurst::Fixed& fixed, const std::uint64_t* numbers, unsigned n,
                                       std::uint64_t* ports, std::uint64_t* clients, std::uint64_t* servers) {
    const ConnectionBurst::Fixed d = fixed;  // nothing that is written can change it
    for (unsigned i = 0; i < whole_vectors(n); ++i) {
        double rest = to_double(numbers[i]);
        const std::uint64_t client_port = port_in_memory(d.first_client_port + to_number(d.client_ports.take(rest)));
        const std::uint64_t server_port = port_in_memory(d.first_server_port + to_number(d.server_ports.take(rest)));
        clients[i] = to_number(d.clients.take(rest));
        servers[i] = to_number(rest);
        ports[i] = client_port << d.client_shift | server_port << d.server_shift;
    }
}

XLATPERF_VECTOR_CLONES void put_behind_b4s(const ConnectionBurst::Fixed& fixed, std::uint64_t* clients, unsigned n,
                                           std::uint64_t* b4s) {
    const ConnectionBurst::Fixed d = fixed;
    for (unsigned i = 0; i < whole_vectors(n); ++i) {
        double rest = to_double(clients[i]);
        clients[i] = to_number(d.behind_each_b4.take(rest));
        b4s[i] = to_number(rest);
    }
}

}  // namespace

ConnectionBurst::ConnectionBurst(const ConnectionFlows& flows)
    : flows_(&flows),
      fixed_{Digit(flows.connections.client_ports().ports()),
             Digit(flows.connections.server_ports().ports()),
             Digit(flows.connections.clients()),
             Digit(flows.behind_each_b4 ? flows.behind_each_b4->divisor() : 1),
             flows.connections.client_ports().first,
             flows.connections.server_ports().first,
             flows.reverse ? 16U : 0U,
             flows.reverse ? 0U : 16U} {}

void ConnectionBurst::connections(const std::uint64_t* sequences, unsigned n, std::uint64_t* found) const {
    if (const auto key = flows_->order.drawn_with()) return draw_connections(*key, flows_->order.count(), sequences, n, found);
    clear(found, n);
    for (unsigned i = 0; i < n; ++i) found[i] = flows_->order(sequences[i]);
}

void ConnectionBurst::draw(unsigned n, FlowBurst& found) const {
    const Connections& all = flows_->connections;
    alignas(64) OfBurst<std::uint64_t> numbers = found.connection;  // of all four tuples
    if (const Permutation* opening = all.order()) {
        permute(*opening, numbers.data(), n);
    } else {
        for (unsigned i = 0; i < n; ++i) numbers[i] = all.number(found.connection[i]);
    }
    auto& clients = flows_->reverse ? found.destination_network : found.source_network;
    auto& servers = flows_->reverse ? found.source_network : found.destination_network;
    take_apart(fixed_, numbers.data(), n, found.ports.data(), clients.data(), servers.data());
    if (flows_->one_client) clear(clients.data(), n);
    if (flows_->behind_each_b4) put_behind_b4s(fixed_, clients.data(), n, found.b4.data());
}

}  // namespace xlatperf::flow
