// A MAP-E CE with NAPT44 (RFC 7597).
#include "technologies/map_ce.h"

namespace xlatperf::reference {

const Kind kind::map_e_ce = {"map-e-ce", R"(
  {"name": "map-e-ce", "domains": [{one rule as of map-e, with "ea"}], "state": {...}}
      a CE with NAPT44: UDP of its hosts is translated to its address and ports, statefully
)",
                             [](Fields& technology) { return with_napt(technology, read_map_e(technology, false)); }};

}  // namespace xlatperf::reference
