#include "technologies/checks.h"

#include <algorithm>

namespace xlatperf::reference {

CheckNames read_switched_off(const StrictObject& technology, const std::vector<std::string_view>& known) {
    CheckNames off;
    if (!technology.has("checks")) return off;
    const std::string path = technology.path("checks");
    const Json& checks = technology.at("checks");
    std::string allowed;
    for (const auto name : known) allowed += (allowed.empty() ? "" : ", ") + std::string(name);
    if (!checks.is_object()) fail(path, checks, "an object with true or false for: " + allowed);
    for (const auto& [name, value] : checks.items()) {
        if (std::find(known.begin(), known.end(), name) == known.end())
            throw ConfigError(path + "." + name + ": unknown key; allowed: " + allowed);
        if (!value.is_boolean()) fail(path + "." + name, value, "true, false");
        if (!value.get<bool>()) off.insert(name);
    }
    return off;
}

}  // namespace xlatperf::reference
