// The simulated hosts of a side in a request.
#pragma once

#include "flow/host_range.h"
#include "message/fields.h"

namespace xlatperf::technology {

flow::Ipv4Hosts read_ipv4_hosts(message::Fields fields);
flow::Ipv6Hosts read_ipv6_hosts(message::Fields fields);

}  // namespace xlatperf::technology
