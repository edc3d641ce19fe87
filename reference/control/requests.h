// Requests at run time: one JSON object per line.
#pragma once

#include <string>

#include "gateway/gateway.h"
#include "json/strict_json.h"

namespace xlatperf::reference {

struct Answer {
    Json json;  // to be printed on one line
    bool quit = false;
    bool counters = false;  // the caller adds what the ports know
    bool reset = false;     // the caller resets the ports' counters
};

/// Never throws: what's wrong with `line` is in the answer's "error".
Answer answer_request(Gateway& gateway, const std::string& line);

}  // namespace xlatperf::reference
