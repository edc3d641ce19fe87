// Configurations of stateful technologies to test with (R9693-3.1, -3.2).
#pragma once

#include "technology/nat44.h"
#include "technology/nat64.h"
#include "trial/configurations.h"
#include "trial/schedule/description.h"

namespace xlatperf::trial {

enum class Nat { nat44, nat64, nat66 };

inline constexpr Nat all_nats[] = {Nat::nat44, Nat::nat64, Nat::nat66};

inline std::string name(Nat nat) { return std::array{"nat44", "nat64", "nat66"}[static_cast<std::size_t>(nat)]; }

/// Clients 10.0.0.2 or 2001:2::2, servers 198.19.0.2 or 2001:2:0:8000::2, and so on; the pool is 198.19.0.1 or 2001:2:0:8000::1.
inline Configuration stateful(Nat nat, std::uint32_t clients = 1, std::uint32_t servers = 1,
                              flow::Opening opening = flow::Opening::increasing) {
    auto configuration = without_technology();
    const flow::Ipv4Range clients4{wire::parse_ipv4("10.0.0.2").value(), clients},
        servers4{wire::parse_ipv4("198.19.0.2").value(), servers};
    const flow::Ipv6Range clients6{wire::parse_ipv6("2001:2::2").value(), clients, 65536},
        servers6{wire::parse_ipv6("2001:2:0:8000::2").value(), servers};
    const technology::Pool pool4{wire::parse_ipv4("198.19.0.1").value()}, pool6{wire::parse_ipv6("2001:2:0:8000::1").value()};
    if (nat == Nat::nat44) configuration.technology = std::make_shared<technology::Nat44>(clients4, servers4, pool4);
    if (nat == Nat::nat66) configuration.technology = std::make_shared<technology::Nat44>(clients6, servers6, pool6);
    if (nat == Nat::nat64) {
        configuration.technology =
            std::make_shared<technology::Nat64>(clients6, servers4, pool4, wire::parse_ipv6_prefix("2001:db8:6464::/96").value());
    }
    configuration.connections.emplace();
    configuration.connections->space = {clients, servers, {1024, 65535}, {1, 49151}, opening};
    return configuration;
}

inline Description of_phase(flow::Phase phase, std::uint64_t count) {
    Description found;
    found.number = 7;
    found.frame_sizes = {84};
    found.connections = {count, phase};
    found.rates = {{1000, phase == flow::Phase::steady ? 1 : static_cast<double>(count) / 1000}};
    return found;
}

}  // namespace xlatperf::trial
