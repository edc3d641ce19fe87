// What stateful technologies read from a request: clients and servers, the pool, and whether IPv4 is translated twice.
#pragma once

#include "technology/kind.h"
#include "technology/stateful.h"

namespace xlatperf::technology {

template <typename A> flow::AddressRange<A> read_clients(Request& request);
template <typename A> flow::AddressRange<A> read_servers(Request& request);

Pool read_pool(Request& request, wire::Family family);

/// Of technologies with IPv4 on both sides.
bool read_double_translation(message::Fields& fields);

}  // namespace xlatperf::technology
