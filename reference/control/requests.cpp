#include "control/requests.h"

#include "control/counters_json.h"
#include "control/plan_json.h"

namespace xlatperf::reference {

namespace {

void impair(Gateway& gateway, const Json& json) {
    const StrictObject object(json, "", {"request", "id", "forward", "reverse"});
    // Both are read before either is set: a wrong message changes nothing.
    const bool forward = json.contains("forward"), reverse = json.contains("reverse");
    Plan forward_plan, reverse_plan;
    if (forward) forward_plan = plan_from_json(json.at("forward"), "forward", gateway.nat() != nullptr);
    if (reverse) reverse_plan = plan_from_json(json.at("reverse"), "reverse");
    if (!forward && !reverse) throw ConfigError("forward: missing; give \"forward\" or \"reverse\", {} to impair nothing");
    if (forward) gateway.impair(Direction::forward, forward_plan);
    if (reverse) gateway.impair(Direction::reverse, reverse_plan);
}

void answer(Gateway& gateway, const Json& json, Answer& answer) {
    const std::string request =
        json.is_object() && json.contains("request") && json["request"].is_string() ? json["request"].get<std::string>() : "";
    if (request == "impair") {
        impair(gateway, json);
    } else {
        const StrictObject object(json, "", {"request", "id"});
        object.one_of("request", {"counters", "reset", "impair", "clear", "quit"}, "");
        if (request == "counters") {
            answer.json = counters_to_json(gateway);
            answer.counters = true;
        } else if (request == "reset") {
            gateway.reset();
            answer.reset = true;
        } else if (request == "clear") {
            answer.json["deleted"] = gateway.clear_state();
        } else {
            answer.quit = true;
        }
    }
    answer.json["response"] = request;
}

}  // namespace

Answer answer_request(Gateway& gateway, const std::string& line) {
    Answer found;
    Json id;
    try {
        const Json json = Json::parse(line);
        if (json.is_object() && json.contains("id")) id = json["id"];
        answer(gateway, json, found);
    } catch (const Json::parse_error& error) {
        found = {
            {{"error", "message: not JSON at byte " + std::to_string(error.byte) + ": one JSON object per line is allowed"}}};
    } catch (const std::exception& error) {
        found = {{{"error", error.what()}}};
    }
    if (!id.is_null()) found.json["id"] = id;
    return found;
}

}  // namespace xlatperf::reference
