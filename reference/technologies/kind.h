// What kinds of technologies there are; kinds.inc lists their files.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "json/strict_json.h"
#include "technologies/technology.h"

namespace xlatperf::reference {

/// What the configuration's "technology" says.
struct Chosen {
    std::shared_ptr<Technology> technology;  // of one gateway; nullptr: it routes only
    bool double_translation = false;         // routed IPv4 headers as two translators in a row leave them
};

struct Kind {
    std::string_view name;
    std::string_view help;  // lines for --help
    /// Throws ConfigError.
    Chosen (*read)(const Json& json, const std::string& path);
};

namespace kind {
#define KIND(name) extern const Kind name;
#include "technologies/kinds.inc"
#undef KIND
}  // namespace kind

/// All of them.
const std::vector<const Kind*>& kinds();

/// The kind that "name" says, read. Throws ConfigError.
Chosen read_technology(const Json& json, const std::string& path);

}  // namespace xlatperf::reference
