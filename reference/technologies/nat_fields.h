// What stateful technologies have in JSON.
#pragma once

#include "json/strict_json.h"
#include "nat/nat.h"

namespace xlatperf::reference {

/// The keys "pool" and "state". `inside` is the clients' family, `outside` the pool's. Throws ConfigError.
NatSettings nat_from_json(const StrictObject& technology, wire::Family inside, wire::Family outside);
/// What the key "state" alone says. `path` is its own.
void read_state(NatSettings& settings, const Json& json, const std::string& path);

}  // namespace xlatperf::reference
