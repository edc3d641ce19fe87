// A packet in an IPv6 tunnel (RFC 2473): the outer header is made by the DUT.
#pragma once

#include "technology/arriving.h"

namespace xlatperf::technology {

/// `inner`: of the packet inside, which the tunnel's entry forwards (§3.1). An option with the tunnel encapsulation limit may
/// follow the outer header (§4.1.1).
constexpr Arriving tunnelled(Arriving inner) {
    inner.outer_hop_limit = {Rule::told, "RFC 2473 §6.3"};      // configured at the tunnel's entry
    inner.outer_traffic_class = {Rule::told, "RFC 2473 §6.4"};  // configured there, or the packet's own
    inner.outer_flow_label = {Rule::free, "RFC 2473 §6.5"};     // configured there
    return inner;
}

}  // namespace xlatperf::technology
