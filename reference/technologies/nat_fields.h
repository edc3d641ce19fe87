// What stateful technologies have in JSON.
#pragma once

#include "json/strict_json.h"
#include "nat/nat.h"

namespace xlatperf::reference {

/// The keys "pool" and "state". `inside` is the clients' family, `outside` the pool's. Throws ConfigError.
NatSettings nat_from_json(const StrictObject& technology, wire::Family inside, wire::Family outside);
/// The key "state" alone.
void read_state(NatSettings& settings, const StrictObject& technology);

}  // namespace xlatperf::reference
