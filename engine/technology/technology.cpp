#include "technology/technology.h"

namespace xlatperf::technology {

const Addresses* list_in(const Names& names) {
    if (const auto* of_domain = std::get_if<OfDomain>(&names)) return &of_domain->addresses;
    return std::get_if<Addresses>(&names);
}

std::array<wire::Address, 2> Technology::first_and_last(Side side) const {
    const Names found = names(side, side);
    if (const auto* list = list_in(found)) return {list->front(), list->back()};
    if (std::holds_alternative<flow::MappedServers>(found)) {
        const Addresses all = servers();
        return {all.front(), all.back()};
    }
    const auto& all = std::get<OfSubscriber>(found).all;
    const auto address = [&](std::uint32_t index) -> wire::Address {
        const auto who = (*all)(index);
        if (link_family(side) == wire::Family::ipv6) return all->ipv6(who, 0);
        return all->ipv4(who, 0);
    };
    return {address(0), address(all->count() - 1)};
}

bool Pool::contains(const std::uint8_t* address, std::uint16_t port) const {
    if (!contains(port)) return false;
    if (const auto* v4 = std::get_if<wire::Ipv4Address>(&first))
        return wire::Ipv4Address::load(address).value - v4->value < addresses;
    return wire::Ipv6Address::load(address).value - std::get<wire::Ipv6Address>(first).value < addresses;
}

std::uint16_t Pool::port_for(std::uint16_t client) const {
    if (contains(client)) return client;
    std::uint32_t lowest = 0;
    while (!contains(ports.port(lowest))) ++lowest;
    return ports.port(lowest);
}

std::string to_text(const flow::PortSet& set) {
    const std::uint32_t in_a_row = 1U << (16 - set.psid_offset() - set.psid_length()), ranges = set.ports() / in_a_row;
    std::string text = "PSID " + std::to_string(set.psid()) + " (" + std::to_string(set.psid_length()) + " bits), ports ";
    for (std::uint32_t i = 0; i < ranges; ++i) {
        if (ranges > 3 && i == 2) text += "... ";
        if (ranges > 3 && i >= 2 && i + 1 < ranges) continue;
        const auto first = set.port(i * in_a_row);
        text += std::to_string(first) + (in_a_row > 1 ? "-" + std::to_string(first + in_a_row - 1) : "") +
                (i + 1 < ranges ? " " : "");
    }
    return text;
}

std::string to_text(const Pool& pool) {
    std::string text = to_text(pool.first);
    if (pool.addresses > 1) text += " and " + std::to_string(pool.addresses - 1) + " after it";
    if (pool.ports.psid_length() > 0) return text + ", " + to_text(pool.ports);
    return text + ", ports " + std::to_string(pool.first_port) + " to " + std::to_string(pool.last_port);
}

}  // namespace xlatperf::technology
