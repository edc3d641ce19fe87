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

Chosen read_technology(Fields& technology) {
    std::vector<std::string_view> names;
    for (const Kind* kind : kinds()) names.push_back(kind->name);
    return kinds()[technology.one_of("name", names, "what it does to packets besides routing them")]->read(technology);
}

}  // namespace xlatperf::reference
