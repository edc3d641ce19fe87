#include "flow/burst_flows.h"

namespace xlatperf::flow {

namespace {

// What isn't mentioned goes one by one.
using Way = BurstFlows::Way;
template <typename Flows> Way way_of(const Flows&) { return {}; }
Way way_of(const HostFlows& flows) {
    if (const auto drawing = flows.drawing()) return *drawing;
    return {};
}
Way way_of(const CountedFlows& flows) { return flows; }
Way way_of(const ConnectionFlows& flows) { return ConnectionBurst(flows); }
Way way_of(const SubscriberFlows& flows) {
    if (SubscriberBurst::suits(flows)) return SubscriberBurst(flows);
    return {};
}

}  // namespace

BurstFlows::BurstFlows(const Enumeration& flows)
    : flows_(flows), way_(std::visit([](const auto& kind) { return way_of(kind); }, flows.flows())) {}

void BurstFlows::draw(const std::uint64_t* sequences, unsigned n, FlowBurst& found) const {
    if (const auto* drawing = std::get_if<Drawing>(&way_)) return flow::draw(*drawing, sequences, n, found);
    if (const auto* counted = std::get_if<CountedFlows>(&way_); counted != nullptr && counted->draw(sequences, n, found)) return;
    if (const auto* of_connections = std::get_if<ConnectionBurst>(&way_)) {
        of_connections->connections(sequences, n, found.connection.data());
        return of_connections->draw(n, found);
    }
    if (const auto* subscribers = std::get_if<SubscriberBurst>(&way_);
        subscribers != nullptr && subscribers->draw(sequences, n, found))
        return;
    for (unsigned i = 0; i < n; ++i) found.set(i, flows_(sequences[i]));
}

void BurstFlows::connections(const std::uint64_t* sequences, unsigned n, std::uint64_t* found) const {
    std::get<ConnectionBurst>(way_).connections(sequences, n, found);
}

void BurstFlows::draw_connected(unsigned n, FlowBurst& found) const { std::get<ConnectionBurst>(way_).draw(n, found); }

}  // namespace xlatperf::flow
