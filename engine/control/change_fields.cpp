#include "control/change_fields.h"

namespace xlatperf::control {

std::vector<frame::Change> read_changes(message::Fields& fields) {
    std::vector<frame::Change> found;
    fields.objects("alter", "what is changed in foreground frames before they leave; checksums fit again", [&](auto& own) {
        const auto field =
            static_cast<frame::HeaderField>(own.one_of("field", frame::header_field_names, "which field; outer_ of a tunnel"));
        const unsigned bits = frame::width(field, wire::Family::ipv6, true);
        const wire::Bits128 all = ~wire::Bits128{0} >> (128 - bits);
        const auto keep = own.bits("keep", bits, all, "these bits stay, the others are zero");
        const auto flip = own.bits("flip", bits, 0, "then these are the other way round");
        bool of_another = false;
        own.read("of_another", of_another, "in their place: what it is in the frame of another subscriber");
        found.push_back({field, keep, flip, of_another});
    });
    return found;
}

}  // namespace xlatperf::control
