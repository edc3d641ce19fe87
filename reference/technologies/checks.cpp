#include "technologies/checks.h"

namespace xlatperf::reference {

CheckNames read_switched_off(message::Fields& technology, const std::vector<std::string_view>& known) {
    CheckNames off;
    technology.object("checks", "what the device checks; a packet that fails one is dropped", [&](message::Fields& own) {
        for (const auto name : known) {
            bool on = true;
            own.read(std::string(name), on, "");
            if (!on) off.emplace(name);
        }
    });
    return off;
}

}  // namespace xlatperf::reference
