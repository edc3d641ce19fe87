// A MAP-T CE with NAPT44 (RFC 7599).
#include "technologies/map_ce.h"

namespace xlatperf::reference {

const Kind kind::map_t_ce = {"map-t-ce", R"(
  {"name": "map-t-ce", "domains": [{one rule as of map-t, with "ea"}], "state": {...}}
      the same with translation
)",
                             [](Fields& technology) { return with_napt(technology, read_map_t(technology, false)); }};

}  // namespace xlatperf::reference
