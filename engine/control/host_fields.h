// The simulated hosts of a side in a request.
#pragma once

#include "control/fields.h"
#include "flow/host_range.h"

namespace xlatperf::control {

flow::Ipv4Hosts read_ipv4_hosts(Fields fields);
flow::Ipv6Hosts read_ipv6_hosts(Fields fields);

}  // namespace xlatperf::control
