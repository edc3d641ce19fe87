// A MAP-E CE with NAPT44 (RFC 7597).
#include "technologies/map_ce.h"

namespace xlatperf::reference {

namespace {
Chosen read_map_e_ce(const Json& json, const std::string& path) { return read_map_ce(json, path, kind::map_e); }
}  // namespace

const Kind kind::map_e_ce = {"map-e-ce", R"(
  {"name": "map-e-ce", "domains": [{one rule as of map-e, with "ea"}], "state": {...}, and the other keys of map-e}
      a CE with NAPT44: UDP of its hosts is translated to its address and ports, statefully; "state" as of nat44
)",
                             read_map_e_ce};

}  // namespace xlatperf::reference
