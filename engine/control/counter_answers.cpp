#include "control/counter_answers.h"

#include "counter/counters.h"
#include "message/help_page.h"

namespace xlatperf::control {

namespace {

constexpr std::array unit_names = {"frames", "times", "ns"};

// Calls `with(key, title, rows)` for each kind of counters.
template <typename With> void each_kind(const With& with) {
    using namespace counter;
    with("remarks", "Remarks on frames of a class that count as expected: the frame ...", rows<Remark>);
    with("reasons", "Frames of a class, each in exactly one: the frame ...", rows<Reason>);
    with("sending", "How the frames of a direction left (in \"departure\")", rows<Sending>);
    with("strays", "Frames that belong to no class, of the side where they arrived", rows<Stray>);
    with("ports", "Of the port of a side", rows<Port>);
    with("invalid", "Why a trial is invalid, and says nothing about the DUT", rows<Invalid>);
}

const char* unit_of(const counter::Row& row) { return unit_names[static_cast<std::size_t>(row.unit)]; }

}  // namespace

ordered_json answer_counter_names() {
    ordered_json answer = ordered_json::object();
    each_kind([&](const char* key, const char*, const auto& rows) {
        ordered_json& kind = answer[key] = ordered_json::array();
        for (const counter::Row& row : rows)
            kind.push_back({{"name", row.name}, {"unit", unit_of(row)}, {"section", row.section}, {"text", row.text}});
    });
    return answer;
}

std::string counters_help() {
    std::string page;
    each_kind([&](const char*, const char* title, const auto& rows) {
        page += std::string(title) + ":\n";
        for (const counter::Row& row : rows) {
            std::string text(row.text);
            if (!row.section.empty()) text += " (" + std::string(row.section) + ")";
            page += message::help_lines("  " + std::string(row.name), text);
        }
        page += "\n";
    });
    return page;
}

}  // namespace xlatperf::control
