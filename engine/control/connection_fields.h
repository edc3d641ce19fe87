// What connections are made of, as far as it is the same for all stateful technologies.
#pragma once

#include "message/fields.h"
#include "trial/configuration.h"

namespace xlatperf::control {

/// What remains of `traffic.connections` for a technology that was read from it.
trial::ConnectionConfiguration read_connection_configuration(message::Fields& connections,
                                                             const technology::Technology& technology);

}  // namespace xlatperf::control
