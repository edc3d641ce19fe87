#include "technologies/kind.h"

namespace xlatperf::reference {

const std::vector<const Kind*>& kinds() {
    static const std::vector<const Kind*> all = {
#define KIND(name) &kind::name,
#include "technologies/kinds.inc"
#undef KIND
    };
    return all;
}

Chosen read_technology(const Json& json, const std::string& path) {
    const Json name = json.is_object() && json.contains("name") ? json["name"] : Json();
    std::string allowed;
    for (const Kind* kind : kinds()) {
        if (name == kind->name) return kind->read(json, path);
        allowed += (allowed.empty() ? "" : ", ") + std::string(kind->name);
    }
    if (!json.is_object()) fail(path, json, "a JSON object");
    if (name.is_null()) throw ConfigError(path + ".name: missing");
    fail(path + ".name", name, allowed);
}

}  // namespace xlatperf::reference
