#include "control/change_fields.h"

#include <algorithm>
#include <string>

namespace xlatperf::control {

std::vector<frame::Change> read_changes(message::Fields& fields) {
    std::vector<frame::Change> found;
    const auto& names = frame::header_field_names;
    for (auto& own : fields.objects("alter", "what is changed in foreground frames before they leave; checksums fit again")) {
        const auto name = own.choice("field", {names.begin(), names.end()}, std::nullopt, "which field; outer_ of a tunnel");
        const auto index = std::find(names.begin(), names.end(), name) - names.begin();
        const auto field = static_cast<frame::HeaderField>(index);
        const unsigned bits = frame::width(field, wire::Family::ipv6, true);
        const wire::Bits128 all = ~wire::Bits128{0} >> (128 - bits);
        const auto keep = own.bits("keep", bits, all, "these bits stay, the others are zero");
        found.push_back({field, keep, own.bits("flip", bits, 0, "then these are the other way round")});
        own.no_more();
    }
    return found;
}

}  // namespace xlatperf::control
