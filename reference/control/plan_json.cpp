#include "control/plan_json.h"

#include <algorithm>
#include <cmath>

namespace xlatperf::reference {

namespace {

constexpr std::uint64_t largest_position = 1'000'000'000'000'000;
constexpr double longest_delay_us = 60e6;
constexpr std::size_t most_rules = 64, most_positions = 1'000'000;

std::uint64_t nanoseconds(double microseconds) { return static_cast<std::uint64_t>(std::llround(microseconds * 1000)); }

std::vector<std::uint64_t> positions_of(const StrictObject& object) {
    std::vector<std::uint64_t> positions;
    const Json& list = object.array("positions");
    if (list.size() > most_positions) fail(object.path("positions"), list.size(), "at most 1000000 positions");
    for (const Json& value : list) {
        if (!value.is_number_unsigned() || value.get<std::uint64_t>() < 1 || value.get<std::uint64_t>() > largest_position)
            fail(object.path("positions"), value, "positions: integers from 1, the first test packet of the direction");
        positions.push_back(value.get<std::uint64_t>());
    }
    std::sort(positions.begin(), positions.end());
    return positions;
}

Selection selection_of(const StrictObject& object) {
    Selection selection{object.integer("every", 1, largest_position, 0), positions_of(object)};
    if (selection.empty()) throw ConfigError(object.path("every") + ": missing; give \"every\" or \"positions\"");
    return selection;
}

Selection selection_at(const StrictObject& object, std::string_view key) {
    if (!object.has(key)) return {};
    return selection_of(StrictObject(object.at(key), object.path(key), {"every", "positions"}));
}

/// One object, or a list of them.
template <typename Take> void each(const StrictObject& object, std::string_view key, Take take) {
    if (!object.has(key)) return;
    const Json& value = object.at(key);
    if (!value.is_array()) return take(value, object.path(key));
    if (value.size() > most_rules) fail(object.path(key), value.size(), "at most 64 entries");
    for (std::size_t i = 0; i < value.size(); ++i) take(value[i], object.path(key) + "[" + std::to_string(i) + "]");
}

Corruption corruption_from(const Json& json, const std::string& path) {
    const StrictObject object(json, path, {"what", "every", "positions"});
    const std::string what = object.text("what");
    const auto at = std::find(alteration_names.begin(), alteration_names.end(), what);
    if (at == alteration_names.end()) {
        std::string allowed;
        for (const std::string_view name : alteration_names) allowed += (allowed.empty() ? "" : ", ") + std::string(name);
        fail(object.path("what"), what, allowed);
    }
    return {static_cast<Alteration>(at - alteration_names.begin()), selection_of(object)};
}

Reorder reorder_from(const Json& json, const std::string& path) {
    const StrictObject object(json, path, {"every", "positions", "by", "flush_ms"});
    Reorder reorder;
    reorder.which = selection_of(object);
    reorder.by = object.integer("by", 1, 4096, 1);
    if (reorder.which.every != 0 && reorder.which.every <= reorder.by)
        fail(object.path("by"), reorder.by, "less than every, or packets that are held back would wait for each other");
    reorder.flush_ns = nanoseconds(1000 * object.number("flush_ms", 0.001, 60000, 100));
    return reorder;
}

Stall stall_from(const Json& json, const std::string& path) {
    const StrictObject object(json, path, {"at", "for_ms", "mode", "buffer"});
    Stall stall;
    stall.at = object.integer("at", 1, largest_position);
    stall.for_ns = nanoseconds(1000 * object.number("for_ms", 0.001, 600000));
    const bool buffers = object.one_of("mode", {"drop", "buffer"}, "drop") == "buffer";
    if (!buffers && object.has("buffer")) fail(object.path("buffer"), object.at("buffer"), "only with mode \"buffer\"");
    stall.buffer = buffers ? object.integer("buffer", 1, 1'000'000, 4096) : 0;
    return stall;
}

}  // namespace

Plan plan_from_json(const Json& json, const std::string& path, bool has_mappings) {
    Plan plan;
    if (json.is_null()) return plan;
    const StrictObject object(json, path,
                              {"change_mapping", "share_mapping", "outside_pool", "drop", "stall", "capacity", "corrupt",
                               "hop_limit", "untranslated", "duplicate", "delay_us", "delays", "reorder"});
    for (const char* key : {"change_mapping", "share_mapping", "outside_pool"})
        if (object.has(key) && !has_mappings) throw ConfigError(object.path(key) + ": only forward, with stateful translation");
    plan.change_mapping = selection_at(object, "change_mapping");
    plan.share_mapping = selection_at(object, "share_mapping");
    plan.outside_pool = selection_at(object, "outside_pool");
    plan.drop = selection_at(object, "drop");
    if (object.has("stall")) plan.stall = stall_from(object.at("stall"), object.path("stall"));
    if (object.has("capacity")) {
        const StrictObject capacity(object.at("capacity"), object.path("capacity"), {"rate_fps", "buffer"});
        plan.capacity = CapacityPlan{capacity.number("rate_fps", 0.001, 1e9), capacity.integer("buffer", 0, 1'000'000)};
    }
    each(object, "corrupt", [&](const Json& j, const std::string& p) { plan.corrupt.push_back(corruption_from(j, p)); });
    if (object.has("hop_limit")) plan.corrupt.push_back({Alteration::hop_limit, selection_at(object, "hop_limit")});
    plan.untranslated = selection_at(object, "untranslated");
    plan.duplicate = selection_at(object, "duplicate");
    plan.delay_ns = nanoseconds(object.number("delay_us", 0, longest_delay_us, 0));
    each(object, "delays", [&](const Json& j, const std::string& p) {
        const StrictObject rule(j, p, {"every", "positions", "delay_us"});
        plan.delays.push_back({selection_of(rule), nanoseconds(rule.number("delay_us", 0, longest_delay_us))});
    });
    if (object.has("reorder")) plan.reorder = reorder_from(object.at("reorder"), object.path("reorder"));
    return plan;
}

}  // namespace xlatperf::reference
