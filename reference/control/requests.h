// Requests at run time: one JSON object per line.
#pragma once

#include <span>
#include <string>

#include "control/config.h"
#include "gateway/gateway.h"

namespace xlatperf::reference {

struct Answer {
    Json json;  // to be printed on one line
    bool quit = false;
    bool counters = false;  // the caller adds what the ports know
    bool reset = false;     // the caller resets the ports' counters
};

struct RequestKind {
    std::string_view name, text;
    /// Throws message::MessageError, and has changed nothing then.
    void (*answer)(Gateway& gateway, message::Fields& fields, Answer& answer);
};
std::span<const RequestKind> requests();

/// Never throws: what's wrong with `line` is in the answer's "error".
Answer answer_request(Gateway& gateway, const std::string& line);

}  // namespace xlatperf::reference
