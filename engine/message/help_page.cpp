#include "message/help_page.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

namespace xlatperf::message {

namespace {

constexpr std::size_t column = 42, width = 128;

std::string row(const FieldHelp& field, const std::string& owners) {
    std::string text = field.allowed;
    if (field.initial == "required") {
        text += ", required";
    } else if (!field.initial.empty()) {
        text += ", default " + field.initial;
    }
    const std::string words = (owners.empty() ? "" : owners + ": ") + field.text;
    return words.empty() ? text : text + "; " + words;
}

}  // namespace

std::string help_lines(std::string beginning, const std::string& text) {
    beginning.resize(std::max(beginning.size() + 1, column), ' ');
    std::string page, line = beginning, word;
    bool any = false;
    for (std::istringstream words(text); words >> word; any = true) {
        if (any && line.size() + 1 + word.size() > width) {
            page += line + "\n";
            line = std::string(column + 2, ' ');
        } else if (any) {
            line += " ";
        }
        line += word;
    }
    return page + line + "\n";
}

std::string help_page(const std::vector<FieldHelp>& fields, std::size_t skip) {
    std::map<std::string, std::string> owners;  // by a field's path and what is allowed
    for (const auto& field : fields) {
        auto& names = owners[field.path + field.allowed];
        if (!field.with.empty() && names.find(field.with) == std::string::npos) names += (names.empty() ? "" : ", ") + field.with;
    }
    std::string page;
    std::set<std::string> seen;
    for (const auto& field : fields) {
        const std::string key = field.path + field.allowed;
        if (seen.insert(key).second) page += help_lines("  " + field.path.substr(skip), row(field, owners[key]));
    }
    return page;
}

}  // namespace xlatperf::message
