// The technology in a request, and what it takes from the rest of the request.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "control/fields.h"
#include "technology/technology.h"
#include "trial/configuration.h"

namespace xlatperf::control {

/// `hosts` of both sides; a stateful technology has none.
using HostFields = std::array<std::optional<Fields>, 2>;

std::shared_ptr<const technology::Technology> read_native(Fields& technology, HostFields& hosts);
std::shared_ptr<const technology::Technology> read_siit(Fields& technology, HostFields& hosts);

bool is_stateful(const std::string& name);
/// `connections` is `traffic.connections`.
std::shared_ptr<const technology::Technology> read_stateful(const std::string& name, Fields& technology, Fields& connections);
/// What remains of `traffic.connections` for a technology that was read from it.
trial::ConnectionConfiguration read_connection_configuration(Fields& connections, const technology::Technology& technology);

}  // namespace xlatperf::control
