// What stateful technologies have in the configuration.
#pragma once

#include "message/fields.h"
#include "nat/nat.h"

namespace xlatperf::reference {

/// The keys "pool" and "state". `inside` is the clients' family, `outside` the pool's. Throws MessageError.
NatSettings read_nat(message::Fields& technology, wire::Family inside, wire::Family outside);
/// The key "state" alone.
void read_state(message::Fields& technology, NatSettings& settings);

}  // namespace xlatperf::reference
