#include <algorithm>

#include "technology/kind.h"

namespace xlatperf::technology {

const std::vector<const Kind*>& kinds() {
    static const std::vector<const Kind*> all = {
#define KIND(name) &kind::name,
#include "technology/kinds.inc"
#undef KIND
    };
    return all;
}

const Kind* find_kind(std::string_view name) {
    const auto found = std::find_if(kinds().begin(), kinds().end(), [&](const Kind* kind) { return kind->name == name; });
    return found == kinds().end() ? nullptr : *found;
}

}  // namespace xlatperf::technology
