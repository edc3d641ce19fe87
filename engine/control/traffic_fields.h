// What of `traffic` is the same for all technologies: header fields, hops, ports, outer headers.
#pragma once

#include "message/fields.h"
#include "trial/configuration.h"

namespace xlatperf::control {

/// Throws message::MessageError.
void read_traffic_fields(message::Fields& traffic, trial::Configuration& configuration);

}  // namespace xlatperf::control
