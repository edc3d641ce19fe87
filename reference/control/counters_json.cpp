#include "control/counters_json.h"

namespace xlatperf::reference {

namespace {

Json impairments_to_json(const Impairments& impairments) {
    const ImpairmentCounters& c = impairments.counters();
    Json corrupted = Json::object();
    for (std::size_t i = 0; i < alterations; ++i)
        if (c.corrupted[i] != 0) corrupted[std::string(alteration_names[i])] = c.corrupted[i];
    Json positions = Json::array();
    for (const auto& [first, last] : c.dropped_positions.all()) positions.push_back({first, last});
    return {{"dropped", c.dropped},
            {"stall_dropped", c.stall_dropped},
            {"stall_buffered", c.stall_buffered},
            {"capacity_dropped", c.capacity_dropped},
            {"overflow", c.overflow},
            {"dropped_positions", std::move(positions)},
            {"dropped_positions_complete", c.dropped_positions.complete()},
            {"corrupted", std::move(corrupted)},
            {"untranslated", c.untranslated},
            {"duplicated", c.duplicated},
            {"delayed", c.delayed},
            {"reordered", c.reordered},
            {"flushed", c.flushed},
            {"not_applicable", c.not_applicable},
            {"passed", c.passed},
            {"held", impairments.held()}};
}

Json direction_to_json(const Gateway& gateway, Direction direction) {
    const DirectionCounters& c = gateway.counters(direction);
    Json refused = Json::object();
    for (std::size_t i = 0; i < c.fates.size(); ++i)
        if (c.fates[i] != 0 && i != static_cast<std::size_t>(Fate::forwarded)) refused[std::string(fate_names[i])] = c.fates[i];
    Json impairments = impairments_to_json(gateway.impairments(direction));
    if (gateway.nat() && direction == Direction::forward) {
        const NatCounters& n = gateway.nat()->counters();
        impairments.update({{"changed_mapping", n.changed_mapping},
                            {"changed_packets", n.changed_packets},
                            {"shared_mapping", n.shared_mapping},
                            {"outside_pool", n.outside_pool},
                            {"not_applicable", impairments["not_applicable"].get<std::uint64_t>() + n.not_applicable}});
    }
    const ImpairmentCounters& tested = gateway.impairments(direction).counters();
    return {{"received", c.received},
            {"translated", c.translated},
            {"native", c.native},
            {"fragmented", c.fragmented},
            {"test_packets", tested.test_packets},
            {"arrived_over_us", static_cast<double>(tested.last_arrival_ns - tested.first_arrival_ns) / 1e3},
            {"refused", std::move(refused)},
            {"impairments", std::move(impairments)}};
}

Json side_to_json(const SideCounters& c) {
    return {{"received", c.received},         {"arp_received", c.arp_received},
            {"arp_sent", c.arp_sent},         {"nd_received", c.nd_received},
            {"nd_sent", c.nd_sent},           {"local", c.local},
            {"echo_replies", c.echo_replies}, {"icmp_errors_sent", c.icmp_errors}};
}

Json nat_to_json(const Nat& nat) {
    const NatCounters& c = nat.counters();
    return {{"entries", nat.table().size()}, {"capacity", nat.table().capacity()},
            {"created", c.created},          {"expired", c.expired},
            {"replaced", c.replaced},        {"cleared", c.cleared},
            {"refused", c.refused},          {"exhausted", c.exhausted},
            {"limited", c.limited}};
}

}  // namespace

Json counters_to_json(const Gateway& gateway) {
    Json json = {{"forward", direction_to_json(gateway, Direction::forward)},
                 {"reverse", direction_to_json(gateway, Direction::reverse)},
                 {"left", side_to_json(gateway.counters(Side::left))},
                 {"right", side_to_json(gateway.counters(Side::right))}};
    if (gateway.nat()) json["state"] = nat_to_json(*gateway.nat());
    return json;
}

}  // namespace xlatperf::reference
