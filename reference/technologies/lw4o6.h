// Lightweight 4over6 (RFC 7596), as the device with NAPT44 needs it.
#pragma once

#include "technologies/binding_table.h"
#include "technologies/kind.h"

namespace xlatperf::reference {

/// An lwB4 without NAPT44, and its softwire: all keys of lw4o6 but the role. Throws MessageError.
std::pair<std::shared_ptr<Technology>, Softwire> read_lwb4(Fields& technology);

}  // namespace xlatperf::reference
