#include "control/help.h"

#include <algorithm>
#include <map>
#include <set>

#include "control/session.h"
#include "technology/kind.h"

namespace xlatperf::control {

namespace {

std::string describe(const Session::RequestKind& request) {
    const std::string name(request.name);
    std::vector<message::FieldHelp> fields;
    Fields message(nullptr, name, &fields);
    read_base(message);
    request.read(message);
    std::string page = name + ": " + std::string(request.text) + "\n";
    std::map<std::string, std::string> with;  // who has a field, by its path and what is allowed
    for (const auto& field : fields) {
        auto& names_of = with[field.path + field.allowed];
        if (!field.with.empty() && names_of.find(field.with) == std::string::npos)
            names_of += (names_of.empty() ? "" : ", ") + field.with;
    }
    std::set<std::string> seen;
    for (const auto& field : fields) {
        if (!seen.insert(field.path + field.allowed).second) continue;
        const std::string& names_of = with[field.path + field.allowed];
        const std::string text_of = (names_of.empty() ? "" : names_of + ": ") + field.text;
        std::string line = "  " + field.path.substr(name.size() + 1);
        line.resize(std::max<std::size_t>(line.size() + 1, 42), ' ');
        const bool is_kind = field.path == "configure.technology.name";  // those that there are follow, a line each
        line += is_kind ? "one of these names" : field.allowed;
        if (field.initial == "required") {
            line += ", required";
        } else if (!field.initial.empty()) {
            line += ", default " + field.initial;
        }
        page += line + (text_of.empty() ? "" : "; " + text_of) + "\n";
        if (!is_kind) continue;
        for (const auto* kind : technology::kinds()) {
            line = "    " + std::string(kind->name);
            line.resize(42, ' ');
            page += line + std::string(kind->standard) + "\n";
        }
    }
    return page + "\n";
}

}  // namespace

std::string help_text() {
    std::string page =
        "xlatperf-engine reads one JSON object per line on standard input and answers with one per line on standard output.\n"
        "Every message has \"request\" and may have an \"id\", which the answer repeats. An answer has \"response\" or "
        "\"error\".\n\n";
    for (const auto& request : Session::requests()) page += describe(request);
    return page;
}

}  // namespace xlatperf::control
