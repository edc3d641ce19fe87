#include "flow/burst_flows.h"

namespace xlatperf::flow {

BurstFlows::BurstFlows(const Enumeration& flows) : flows_(flows) {
    if (const auto drawing = flows.drawing()) {
        way_ = *drawing;
    } else if (const auto& connections = flows.connections()) {
        way_ = ConnectionBurst(*connections);
    } else if (const auto& subscribers = flows.subscribers(); subscribers && SubscriberBurst::suits(*subscribers)) {
        way_ = SubscriberBurst(*subscribers);
    }
}

void BurstFlows::draw(const std::uint64_t* sequences, unsigned n, FlowBurst& found) const {
    if (const auto* drawing = std::get_if<Drawing>(&way_)) return flow::draw(*drawing, sequences, n, found);
    if (const auto* connections = std::get_if<ConnectionBurst>(&way_)) return connections->draw(sequences, n, found);
    if (const auto* subscribers = std::get_if<SubscriberBurst>(&way_)) return subscribers->draw(sequences, n, found);
    for (unsigned i = 0; i < n; ++i) found.set(i, flows_(sequences[i]));
}

void BurstFlows::connections(const std::uint64_t* sequences, unsigned n, std::uint64_t* keys) const {
    std::get<ConnectionBurst>(way_).keys(sequences, n, keys);
}

}  // namespace xlatperf::flow
