// The technologies nat44, nat64 and nat66 as JSON.
#pragma once

#include "json/strict_json.h"
#include "nat/nat.h"

namespace xlatperf::reference {

/// The keys "pool" and "state". `inside` is the clients' family, `outside` the pool's. Throws ConfigError.
NatSettings nat_from_json(const StrictObject& technology, wire::Family inside, wire::Family outside);

}  // namespace xlatperf::reference
