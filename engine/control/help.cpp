#include "control/help.h"

#include "control/counter_answers.h"
#include "control/session.h"
#include "message/help_page.h"
#include "technology/kind.h"

namespace xlatperf::control {

std::string help_text() {
    std::string page =
        "xlatperf-engine reads one JSON object per line on standard input and answers with one per line on standard output.\n"
        "Every message has \"request\" and may have an \"id\", which the answer repeats. An answer has \"response\" or "
        "\"error\".\n\n";
    for (const auto& request : Session::requests()) {
        const std::string name(request.name);
        std::vector<message::FieldHelp> fields;
        Fields message(nullptr, name, &fields);
        read_base(message);
        request.read(message);
        page += name + ": " + std::string(request.text) + "\n" + message::help_page(fields, name.size() + 1) + "\n";
    }
    page += "What is counted in a trial:\n\n" + counters_help();
    page += "Technologies, and the standards that they are from:\n";
    for (const auto* kind : technology::kinds())
        page += message::help_lines("  " + std::string(kind->name), std::string(kind->standard));
    return page;
}

}  // namespace xlatperf::control
