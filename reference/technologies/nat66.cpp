// Stateful translation from IPv6 to IPv6, in the way of NAT44 (RFC 4787).
#include "technologies/kind.h"
#include "technologies/nat_fields.h"
#include "technologies/stateful.h"

namespace xlatperf::reference {

namespace {

Chosen read_nat66(Fields& technology) {
    return {std::make_shared<StatefulInFamily>(read_nat(technology, wire::Family::ipv6, wire::Family::ipv6), std::nullopt)};
}

}  // namespace

const Kind kind::nat66 = {"nat66", R"(
  {"name": "nat66", "pool": {IPv6}, "state": {...}}
)",
                          read_nat66};

}  // namespace xlatperf::reference
