// An lwB4 with NAPT44 (RFC 7596 §5).
#include "technologies/lw4o6.h"
#include "technologies/napt_edge.h"
#include "technologies/nat_fields.h"

namespace xlatperf::reference {

namespace {

Chosen read_lw4o6_b4(Fields& technology) {
    const auto [edge, own] = read_lwb4(technology);
    NatSettings settings;
    settings.pool = pool_of_one(own.ipv4, own.psid_offset, own.psid_length, own.psid);
    technology.check(settings.pool.ports() > 0, "table", "the softwire", "one with another port than 0");
    read_state(technology, settings);
    return {std::make_shared<NaptEdge>(edge, settings)};
}

}  // namespace

const Kind kind::lw4o6_b4 = {"lw4o6-b4", R"(
  {"name": "lw4o6-b4", "table": "softwires.csv", "state": {...}}
      an lwB4 with NAPT44: UDP of its hosts is translated to its address and ports, statefully
)",
                             read_lw4o6_b4};

}  // namespace xlatperf::reference
