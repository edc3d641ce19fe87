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

const Kind& read_kind(message::Fields& technology) {
    std::vector<std::string_view> names;
    for (const auto* kind : kinds()) names.push_back(kind->name);
    return *kinds()[technology.one_of("name", names, "what it is")];
}

}  // namespace xlatperf::technology
