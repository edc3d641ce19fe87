// A MAP-T CE with NAPT44 (RFC 7599).
#include "technologies/map_ce.h"

namespace xlatperf::reference {

namespace {
Chosen read_map_t_ce(const Json& json, const std::string& path) { return read_map_ce(json, path, kind::map_t); }
}  // namespace

const Kind kind::map_t_ce = {"map-t-ce", R"(
  {"name": "map-t-ce", "domains": [{one rule as of map-t, with "ea"}], "state": {...}, and the other keys of map-t}
      the same with translation
)",
                             read_map_t_ce};

}  // namespace xlatperf::reference
