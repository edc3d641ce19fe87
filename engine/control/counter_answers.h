// What the counters of a trial are called and mean, from their rows (counter/counters.inc).
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace xlatperf::control {

using nlohmann::ordered_json;

/// The answer to `counters`.
ordered_json answer_counter_names();

/// The same for `--help`.
std::string counters_help();

}  // namespace xlatperf::control
