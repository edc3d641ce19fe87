// A hop of an ordinary router, in place: RFC 1812 §5.2 for IPv4, RFC 8200 §3 for IPv6.
#pragma once

#include "translate/fate.h"
#include "translate/packet.h"

namespace xlatperf::reference {

/// Checks the packet, decrements its TTL and adjusts the header checksum. `hops`: how often, which is once.
Result forward_ipv4(MutableBytes packet, std::size_t next_hop_mtu, std::uint8_t hops = 1);
/// Checks the packet and decrements its hop limit. A router doesn't fragment IPv6.
Result forward_ipv6(MutableBytes packet, std::size_t next_hop_mtu);

/// A hop of `family`. `identification`: IPv4 headers leave as two translators in a row make them, with its next value.
Result forward(MutableBytes packet, wire::Family family, std::size_t next_hop_mtu, std::uint16_t* identification);

/// What two translators in a row leave of an IPv4 header: RFC 7915 §4.1 drops identification and DF, §5.1 makes them anew. A
/// fragment stays as it is.
void remake_ipv4_header(MutableBytes packet, std::uint16_t identification);

}  // namespace xlatperf::reference
