// Fields of IP headers that no router looks at to forward a packet. A frame that differs in these alone can be accepted: then it
// is as expected, and counted as a remark.
#pragma once

#include <array>
#include <optional>

#include "counter/counters.h"

namespace xlatperf::counter {

/// `reason`: why it's wrong; `remark`: what it's counted as where it's accepted.
struct Acceptable {
    Reason reason;
    Remark remark;
};

inline constexpr std::array acceptable = {
    Acceptable{Reason::hop_limit, Remark::accepted_hop_limit},
    Acceptable{Reason::traffic_class, Remark::accepted_traffic_class},
    Acceptable{Reason::dont_fragment, Remark::accepted_dont_fragment},
    Acceptable{Reason::identification, Remark::accepted_identification},
    Acceptable{Reason::flow_label, Remark::accepted_flow_label},
};

/// The remark in place of a reason; none if such a frame can't be accepted.
constexpr std::optional<Remark> accepted_as(Reason reason) {
    for (const Acceptable& one : acceptable) {
        if (one.reason == reason) return one.remark;
    }
    return {};
}

}  // namespace xlatperf::counter
