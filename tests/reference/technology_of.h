// A technology as the configuration has it.
#pragma once

#include <nlohmann/json.hpp>

#include "technologies/kind.h"

namespace xlatperf::reference::test {

inline std::shared_ptr<Technology> technology_of(const nlohmann::json& json) {
    Fields fields(&json, "technology", nullptr);
    const Chosen chosen = read_technology(fields);
    fields.no_more();
    return chosen.technology;
}

}  // namespace xlatperf::reference::test
