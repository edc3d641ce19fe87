// A hop of an ordinary router, in place: RFC 1812 §5.2 for IPv4, RFC 8200 §3 for IPv6.
#pragma once

#include <cstdint>

#include "translate/fate.h"
#include "translate/packet.h"

namespace xlatperf::reference {

/// Checks the packet, decrements its TTL and adjusts the header checksum. `hops`: how often, which is once.
Result forward_ipv4(MutableBytes packet, std::size_t next_hop_mtu, std::uint8_t hops = 1);
/// Checks the packet and decrements its hop limit. A router doesn't fragment IPv6.
Result forward_ipv6(MutableBytes packet, std::size_t next_hop_mtu);

/// IPv4 leaves as two translators in a row make it (RFC 7915).
struct TranslatedTwice {
    bool compute_udp_checksum_zero = false;  // false: dropped (§4.5)
    std::uint16_t identification = 0;        // the generator's next (§5.1)
};

/// A hop of `family`. `twice`: nullptr: IPv4 is routed only.
Result forward(MutableBytes packet, wire::Family family, std::size_t next_hop_mtu, TranslatedTwice* twice);

/// What two translators in a row leave of an IPv4 header: RFC 7915 §4.1 drops identification and DF, §5.1 makes them anew. A
/// fragment stays as it is.
void remake_ipv4_header(MutableBytes packet, std::uint16_t identification);

}  // namespace xlatperf::reference
