// `alter` of a trial: what is changed in foreground frames before they leave.
#pragma once

#include <vector>

#include "frame/alteration.h"
#include "message/fields.h"

namespace xlatperf::control {

/// Throws message::MessageError.
std::vector<frame::Change> read_changes(message::Fields& fields);

}  // namespace xlatperf::control
