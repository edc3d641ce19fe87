// What kinds of technologies there are; kinds.inc lists their files.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "message/fields.h"
#include "technologies/technology.h"
#include "translate/forward.h"

namespace xlatperf::reference {

using message::Fields;
using message::MessageError;

/// What the configuration's "technology" says.
struct Chosen {
    std::shared_ptr<Technology> technology;     // of one gateway; nullptr: it routes only
    std::optional<TranslatedTwice> twice = {};  // routed IPv4 as two translators in a row leave it
};

struct Kind {
    std::string_view name;
    std::string_view help;  // lines for --help
    /// Throws MessageError.
    Chosen (*read)(Fields& technology);
};

namespace kind {
#define KIND(name) extern const Kind name;
#include "technologies/kinds.inc"
#undef KIND
}  // namespace kind

/// All of them.
const std::vector<const Kind*>& kinds();

/// The kind that "name" says, read. Throws MessageError.
Chosen read_technology(Fields& technology);

}  // namespace xlatperf::reference
