// An lwB4 with NAPT44 (RFC 7596 §5).
#include "technologies/binding_table.h"
#include "technologies/kind.h"
#include "technologies/napt_edge.h"
#include "technologies/nat_fields.h"

namespace xlatperf::reference {

namespace {

Chosen read_lw4o6_b4(const Json& json, const std::string& path) {
    if (json.contains("role")) throw ConfigError(path + ".role: unknown key; the device is an lwB4");
    Json own = json;
    own.erase("state");
    own["name"] = kind::lw4o6.name;
    own["role"] = "lwb4";
    const auto edge = kind::lw4o6.read(own, path).technology;
    NatSettings settings;
    const Softwire softwire = BindingTable::read(own["table"].get<std::string>()).softwires().front();
    settings.pool = pool_of_one(softwire.ipv4, softwire.psid_offset, softwire.psid_length, softwire.psid);
    if (settings.pool.ports() == 0) fail(path + ".table", own["table"], "a softwire with another port than 0");
    if (json.contains("state")) read_state(settings, json.at("state"), path + ".state");
    return {std::make_shared<NaptEdge>(edge, settings)};
}

}  // namespace

const Kind kind::lw4o6_b4 = {"lw4o6-b4", R"(
  {"name": "lw4o6-b4", "table": "softwires.csv", "state": {...}, and the other keys of lw4o6}
      an lwB4 with NAPT44: UDP of its hosts is translated to its address and ports, statefully; "state" as of nat44
)",
                             read_lw4o6_b4};

}  // namespace xlatperf::reference
