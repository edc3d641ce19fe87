// What the DUT's mappings look like when phase 1 is over: do connections share one, which addresses and ports are used?
#pragma once

#include <map>
#include <string>
#include <vector>

#include "flow/connections.h"
#include "state/table.h"

namespace xlatperf::state {

struct Shared {
    std::uint64_t first, second;  ///< connections
    Mapping mapping;
    flow::FourTuple tuple;  ///< of the first; both have the same server and server port
};

struct Survey {
    std::uint64_t compared = 0;  ///< connections whose four tuple on the right was compared with all that may be the same
    std::uint64_t shared = 0;    ///< of these, that have it not for themselves alone (RFC 9693 §4.4 needs that)
    std::vector<Shared> examples;
    std::map<std::string, std::uint64_t> addresses;  ///< how many connections each address of the pool has
    std::uint16_t lowest_port = 0, highest_port = 0;
    std::uint64_t ports_kept = 0;  ///< connections that have their client's port
};

/// Looks at all that is learnt. Two mappings may be equal if their servers or server ports differ: endpoint-independent mapping
/// (RFC 4787 §4.1). Of the four tuples one in `one_in` is compared, by its hash: those that are the same are compared all, or
/// none. Takes up to 10 bytes for each connection while it works, or 24 for each that is compared, and more if many share.
/// Throws std::bad_alloc.
Survey survey(const Table& table, const flow::Connections& connections, std::size_t most_examples, std::uint64_t one_in = 1);

/// Of the table's family, as on the wire.
std::string address_text(const Table& table, const Mapping& mapping);

}  // namespace xlatperf::state
