#include "control/requests.h"

#include "control/counters_json.h"
#include "control/plan_fields.h"

namespace xlatperf::reference {

using message::Fields;
using message::MessageError;

namespace {

// Both directions are read before either is set: a wrong message changes nothing.
void impair(Gateway& gateway, Fields& fields, Answer&) {
    const auto plans = read_plans(fields, gateway.nat() != nullptr);
    fields.no_more();
    if (!plans[0] && !plans[1]) throw MessageError("forward: missing; give \"forward\" or \"reverse\", {} to impair nothing");
    for (const auto direction : {Direction::forward, Direction::reverse}) {
        if (const auto& plan = plans[static_cast<std::size_t>(direction)]) gateway.impair(direction, *plan);
    }
}

void counters(Gateway& gateway, Fields& fields, Answer& answer) {
    fields.no_more();
    answer.json = counters_to_json(gateway);
    answer.counters = true;
}

void reset(Gateway& gateway, Fields& fields, Answer& answer) {
    fields.no_more();
    gateway.reset();
    answer.reset = true;
}

void clear(Gateway& gateway, Fields& fields, Answer& answer) {
    std::optional<std::uint32_t> entries;
    if (const Nat* nat = gateway.nat()) {
        const auto& settings = nat->settings();
        const std::uint32_t least = settings.when_full == WhenFull::collect ? settings.collect : 1;
        fields.read("entries", entries, least, most_entries, "");
    }
    fields.no_more();
    answer.json["deleted"] = gateway.clear_state(entries);
}

void quit(Gateway&, Fields& fields, Answer& answer) {
    fields.no_more();
    answer.quit = true;
}

}  // namespace

std::span<const RequestKind> requests() {
    static constexpr RequestKind all[] = {
        {"counters", "all counters", counters},
        {"reset", "counters are zero again, positions of impairments begin at 1 again, held frames leave", reset},
        {"impair",
         "replaces all impairments of the directions that are given, \"forward\" and \"reverse\"; {} means none. Their positions "
         "begin at 1 again, frames that were held leave at once, counters go on",
         impair},
        {"clear",
         "deletes all entries of stateful translation; the answer has \"deleted\", how many they were; with \"entries\" the "
         "table has room for so many from then on",
         clear},
        {"quit", "ends", quit},
    };
    return all;
}

Answer answer_request(Gateway& gateway, const std::string& line) {
    Answer found;
    std::optional<std::int64_t> id;
    try {
        const Json json = Json::parse(line);
        Fields fields(&json, "", nullptr);
        fields.read("id", id, INT64_MIN, INT64_MAX, "");
        std::vector<std::string_view> names;
        for (const auto& kind : requests()) names.push_back(kind.name);
        const auto& kind = requests()[fields.one_of("request", names, "")];
        kind.answer(gateway, fields, found);
        found.json["response"] = kind.name;
    } catch (const Json::parse_error& error) {
        found = {
            {{"error", "message: not JSON at byte " + std::to_string(error.byte) + ": one JSON object per line is allowed"}}};
    } catch (const std::exception& error) {
        found = {{{"error", error.what()}}};
    }
    if (id) found.json["id"] = *id;
    return found;
}

}  // namespace xlatperf::reference
