// A packet that a router forwards: RFC 1812 over IPv4, RFC 8200 over IPv6. So do tunnels with the packet inside, and gateways
// that translate addresses and ports alone.
#pragma once

#include "technology/arriving.h"
#include "wire/address.h"

namespace xlatperf::technology {

inline constexpr Arriving forwarded_ipv4 = {
    .hop_limit = {Rule::decremented, "RFC 1812 §5.3.1"},
    .traffic_class = {Rule::kept, "RFC 2474 §3"},  // the Tester knows no other marking
    .identification = {Rule::kept, "RFC 791 §3.1"},
    .dont_fragment = {Rule::kept, "RFC 791 §3.1"},
    .fragmentation = {Rule::kept, "RFC 791 §3.1"},
    .lengths = "RFC 1812 §5.2.2",
    .udp_checksum = "RFC 768",
    .header_checksum = "RFC 1812 §5.2.2",
};

inline constexpr Arriving forwarded_ipv6 = {
    .hop_limit = {Rule::decremented, "RFC 8200 §3"},
    .traffic_class = {Rule::kept, "RFC 2474 §3"},
    .flow_label = {Rule::kept, "RFC 6437 §3"},
    .lengths = "RFC 8200 §3",
    .udp_checksum = "RFC 8200 §8.1",
};

constexpr const Arriving& forwarded(wire::Family family) {
    return family == wire::Family::ipv4 ? forwarded_ipv4 : forwarded_ipv6;
}

}  // namespace xlatperf::technology
