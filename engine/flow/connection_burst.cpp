#include "flow/connection_burst.h"

#include "flow/drawing.h"
#include "flow/permuted.h"
#include "wire/clones.h"

namespace xlatperf::flow {

namespace {

XLATPERF_VECTOR_CLONES void put_behind_b4s(Digit behind_each, std::uint64_t* clients, unsigned n, std::uint64_t* b4s) {
    for (unsigned i = 0; i < whole_vectors(n); ++i) {
        double rest = to_double(clients[i]);
        clients[i] = to_number(behind_each.take(rest));
        b4s[i] = to_number(rest);
    }
}

}  // namespace

ConnectionBurst::ConnectionBurst(const ConnectionFlows& flows)
    : flows_(&flows),
      tuples_{Digit(flows.connections.client_ports().ports()),
              Digit(flows.connections.server_ports().ports()),
              Digit(flows.connections.clients()),
              flows.connections.client_ports().first,
              flows.connections.server_ports().first,
              flows.reverse ? 16U : 0U,
              flows.reverse ? 0U : 16U},
      behind_each_b4_(flows.behind_each_b4 ? flows.behind_each_b4->divisor() : 1) {}

void ConnectionBurst::connections(const std::uint64_t* sequences, unsigned n, std::uint64_t* found) const {
    if (const auto key = flows_->order.drawn_with()) return draw_numbers(*key, flows_->order.count(), sequences, n, found);
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
    auto& clients = flows_->reverse ? found.destination_host : found.source_host;
    auto& servers = flows_->reverse ? found.source_host : found.destination_host;
    take_apart(tuples_, numbers.data(), n, found.ports.data(), clients.data(), servers.data());
    if (flows_->one_client) clear(clients.data(), n);
    if (flows_->behind_each_b4) put_behind_b4s(behind_each_b4_, clients.data(), n, found.b4.data());
}

}  // namespace xlatperf::flow
