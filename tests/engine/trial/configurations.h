// Configurations to test with: SIIT and native, with and without background.
#pragma once

#include "technology/native.h"
#include "technology/siit.h"
#include "trial/configuration.h"

namespace xlatperf::trial {

inline flow::Ipv4Hosts ipv4_hosts(const char* prefix, std::uint32_t networks = 1) {
    return {wire::parse_ipv4_prefix(prefix).value(), networks, 2};
}
inline flow::Ipv6Hosts ipv6_hosts(const char* prefix, std::uint32_t networks = 1) {
    return {wire::parse_ipv6_prefix(prefix).value(), networks, 2};
}

/// Addresses of both families on both sides, background hosts, the ports of RFC 4814.
inline Configuration without_technology() {
    Configuration configuration;
    const char* const nets4[] = {"198.18.255.", "198.19.255."};
    const char* const nets6[] = {"2001:2:0:7fff::", "2001:2:0:ffff::"};
    const char* const backgrounds[] = {"2001:2:0:1000::/64", "2001:2:0:9000::/64"};
    for (std::size_t i = 0; i < 2; ++i) {
        auto& side = configuration.sides[i];
        side.ipv4 = {wire::parse_ipv4(nets4[i] + std::string("2")).value(),
                     wire::parse_ipv4(nets4[i] + std::string("1")).value()};
        side.ipv6 = {wire::parse_ipv6(nets6[i] + std::string("2")).value(),
                     wire::parse_ipv6(nets6[i] + std::string("1")).value()};
        side.background_hosts = ipv6_hosts(backgrounds[i]);
        configuration.ports[i] = {flow::PortRange(flow::Order::pseudorandom, 1024, 65535),
                                  flow::PortRange(flow::Order::pseudorandom, 1, 49151)};
    }
    configuration.traffic_class = 0xb8;
    return configuration;
}

inline Configuration siit(flow::Side ipv6_side = flow::Side::left, std::uint32_t networks = 1) {
    auto configuration = without_technology();
    const technology::AddressMappingTable mappings(
        {{wire::parse_ipv4_prefix("198.18.0.0/24").value(), wire::parse_ipv6_prefix("2001:2::/120").value()},
         {wire::parse_ipv4_prefix("198.19.0.0/24").value(), wire::parse_ipv6_prefix("2001:2:0:1000::/120").value()}});
    configuration.technology = std::make_shared<technology::Siit>(
        ipv6_side, technology::AddressTranslation(wire::parse_ipv6_prefix("2001:db8:6464::/96"), mappings),
        ipv4_hosts("198.18.0.0/24", networks), ipv4_hosts("198.19.0.0/24", networks));
    return configuration;
}

inline Configuration native_ipv4() {
    auto configuration = without_technology();
    configuration.technology = std::make_shared<technology::Native>(ipv4_hosts("198.18.0.0/24"), ipv4_hosts("198.19.0.0/24"));
    return configuration;
}

inline Configuration native_ipv6() {
    auto configuration = without_technology();
    configuration.technology = std::make_shared<technology::Native>(ipv6_hosts("2001:2::/64"), ipv6_hosts("2001:2:0:8000::/64"));
    return configuration;
}

inline Configuration with_background(Configuration configuration, std::uint32_t take = 9, std::uint32_t of = 10) {
    configuration.foreground_take = take;
    configuration.foreground_of = of;
    return configuration;
}

}  // namespace xlatperf::trial
