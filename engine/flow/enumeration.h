// The flow of a frame: a pure function of the seed, the direction and the frame's number.
#pragma once

#include <cstdint>
#include <utility>
#include <variant>

#include "flow/connection_flows.h"
#include "flow/counted_flows.h"
#include "flow/hairpin_flows.h"
#include "flow/host_flows.h"
#include "flow/subscriber_flows.h"

namespace xlatperf::flow {

/// What frames are between. Each kind has its file, with what is to be known of it (`Space`) and how it is drawn; a new one is
/// one more here, and needs nothing else but what is faster for whole bursts (burst_flows.cpp).
template <typename... Kind> struct FlowKinds {
    using Any = std::variant<Kind...>;
    using Space = std::variant<typename Kind::Space...>;
};
using AllFlows = FlowKinds<HostFlows, CountedFlows, SubscriberFlows, HairpinFlows, ConnectionFlows>;
using Space = AllFlows::Space;

class Enumeration {
  public:
    Enumeration(const Space& space, const Drawn& drawn) : flows_(make(space, drawn)) {}

    const AllFlows::Any& flows() const { return flows_; }
    bool has_connections() const { return std::holds_alternative<ConnectionFlows>(flows_); }

    Flow operator()(std::uint64_t sequence) const {
        return std::visit([&](const auto& flows) { return flows(sequence); }, flows_);
    }

  private:
    static AllFlows::Any make(const Space& space, const Drawn& drawn) {
        const auto of = [&](const auto& one) -> AllFlows::Any {
            return typename std::remove_cvref_t<decltype(one)>::Flows(one, drawn);
        };
        return std::visit(of, space);
    }

    AllFlows::Any flows_;
};

}  // namespace xlatperf::flow
