#include "control/plan_fields.h"

#include <algorithm>
#include <cmath>

namespace xlatperf::reference {

using message::Fields;
using message::MessageError;

namespace {

constexpr std::uint64_t largest_position = 1'000'000'000'000'000;
constexpr double longest_delay_us = 60e6;
constexpr std::size_t most_rules = 64, most_positions = 1'000'000;

std::uint64_t nanoseconds(double microseconds) { return static_cast<std::uint64_t>(std::llround(microseconds * 1000)); }

Selection read_selection(Fields& fields) {
    std::optional<std::uint64_t> every;
    fields.read("every", every, 1, largest_position, "packets k, 2k, 3k ...");
    Selection selection{every.value_or(0), {}};
    for (const auto position : fields.integers("positions", 1, static_cast<std::int64_t>(largest_position), {},
                                               "these packets; the direction's first is 1", most_positions))
        selection.positions.push_back(static_cast<std::uint64_t>(position));
    std::sort(selection.positions.begin(), selection.positions.end());
    if (selection.empty() && !fields.only_help())
        throw MessageError(fields.path_of("every") + ": missing; give \"every\" or \"positions\"");
    return selection;
}

void read_selected(Fields& fields, const char* key, std::string_view text, Selection& selection) {
    if (fields.has(key)) fields.object(key, text, [&](Fields& own) { selection = read_selection(own); });
}

template <typename Read> void read_rules(Fields& fields, const char* key, std::string_view text, Read read_rule) {
    std::size_t rules = 0;
    fields.objects(key, text, [&](Fields& own) {
        fields.check(++rules <= most_rules, key, "a list of more than " + std::to_string(most_rules), "at most so many");
        read_rule(own);
    });
}

void read_reorder(Fields& fields, Reorder& reorder) {
    reorder.which = read_selection(fields);
    fields.read("by", reorder.by, 1, 4096, "leaves right behind the so manyth test packet after it that passed");
    fields.check(reorder.which.every == 0 || reorder.which.every > reorder.by, "by", reorder.by,
                 "less than every, or packets that are held back would wait for each other");
    double flush_ms = 100;
    fields.read("flush_ms", flush_ms, 0.001, 60000, "or when none has arrived for so long");
    reorder.flush_ns = nanoseconds(1000 * flush_ms);
}

void read_stall(Fields& fields, Stall& stall) {
    static constexpr wire::Word<bool> mode_words[] = {{"drop", false}, {"buffer", true}};
    fields.require("at", stall.at, 1, largest_position, "from the arrival of this packet on");
    double for_ms = 0;
    fields.require("for_ms", for_ms, 0.001, 600000, "for so long");
    stall.for_ns = nanoseconds(1000 * for_ms);
    bool buffers = false;
    fields.read("mode", buffers, mode_words, "packets are dropped; or kept, and leave when it is over");
    std::optional<std::uint64_t> buffer;
    fields.read("buffer", buffer, 1, 1'000'000, "with mode buffer so many are kept; null: 4096");
    fields.check(buffers || !buffer, "buffer", buffer.value_or(0), "only with mode \"buffer\"");
    stall.buffer = buffers ? buffer.value_or(4096) : 0;
}

Plan read_plan(Fields& fields, bool has_mappings) {
    Plan plan;
    for (const char* key : {"change_mapping", "share_mapping", "outside_pool"}) {
        if (fields.has(key) && !has_mappings && !fields.only_help())
            throw MessageError(fields.path_of(key) + ": only forward, with stateful translation");
    }
    read_selected(fields, "change_mapping", "the connection has another address and port of the pool from this packet on",
                  plan.change_mapping);
    read_selected(
        fields, "share_mapping",
        "the packet opens a connection, with the address and port that the latest other one to the same destination has",
        plan.share_mapping);
    read_selected(fields, "outside_pool", "this packet leaves with the address before the pool's first as its source",
                  plan.outside_pool);
    read_selected(fields, "drop", "these don't leave", plan.drop);
    if (fields.has("stall"))
        fields.object("stall", "a time without forwarding", [&](Fields& own) { read_stall(own, plan.stall.emplace()); });
    if (fields.has("capacity")) {
        fields.object("capacity", "a server: a packet that finds no room in front of it is dropped", [&](Fields& own) {
            auto& capacity = plan.capacity.emplace();
            own.require("rate_fps", capacity.rate_fps, 0.001, 1e9, "packets that it serves in a second");
            own.require("buffer", capacity.buffer, 0, 1'000'000,
                        "packets that may wait; frames arrive up to 32 at a time, of which less than that drops some");
        });
    }
    read_rules(fields, "corrupt", "what is wrong in a packet", [&](Fields& own) {
        const auto what = static_cast<Alteration>(own.one_of("what", alteration_names, "what it does stands above"));
        plan.corrupt.push_back({what, read_selection(own)});
    });
    Selection hop_limit;
    read_selected(fields, "hop_limit", "the same as what hop_limit, the last", hop_limit);
    if (!hop_limit.empty()) plan.corrupt.push_back({Alteration::hop_limit, hop_limit});
    read_selected(fields, "untranslated", "the packet as it arrived is sent instead (not technology native)", plan.untranslated);
    double delay_us = 0;
    fields.read("delay_us", delay_us, 0, longest_delay_us,
                "a packet leaves so long after its arrival, or after its service with capacity or stall");
    plan.delay_ns = nanoseconds(delay_us);
    read_rules(fields, "delays", "other delays of some; of several rules that select a packet the last one counts",
               [&](Fields& own) {
                   const Selection which = read_selection(own);
                   double own_us = 0;
                   own.require("delay_us", own_us, 0, longest_delay_us, "instead");
                   plan.delays.push_back({which, nanoseconds(own_us)});
               });
    read_selected(fields, "duplicate", "a copy leaves right before it", plan.duplicate);
    if (fields.has("reorder"))
        fields.object("reorder", "packets that others overtake: they aren't duplicated, and have those others' delay",
                      [&](Fields& own) { read_reorder(own, plan.reorder.emplace()); });
    return plan;
}

}  // namespace

std::array<std::optional<Plan>, 2> read_plans(Fields& fields, bool has_mappings) {
    std::array<std::optional<Plan>, 2> plans;
    if (fields.has("forward"))
        fields.object("forward", "left to right", [&](Fields& own) { plans[0] = read_plan(own, has_mappings); });
    if (fields.only_help()) return plans;  // the same again
    if (fields.has("reverse")) fields.object("reverse", "right to left", [&](Fields& own) { plans[1] = read_plan(own, false); });
    return plans;
}

}  // namespace xlatperf::reference
