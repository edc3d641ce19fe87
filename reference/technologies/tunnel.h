// IPv4 in IPv6 (RFC 2473), as MAP-E, Lw4o6 and DS-Lite have it.
#pragma once

#include "message/fields.h"
#include "technologies/technology.h"
#include "translate/fate.h"
#include "translate/packet.h"

namespace xlatperf::reference {

struct TunnelSettings {
    std::uint8_t hop_limit = 64;                      // RFC 2473 §6.3
    std::optional<std::uint8_t> traffic_class;        // absent: the packet's own is carried over (§6.4)
    std::optional<std::uint8_t> encapsulation_limit;  // absent: no such option (§5.1)
    std::uint8_t entry_hops = 1, exit_hops = 1;       // how often the TTL is decremented in front of the tunnel, and behind it

    /// Of the option's header.
    std::size_t extension() const { return encapsulation_limit ? 8 : 0; }
};

/// The keys "hop_limit", "traffic_class", "encapsulation_limit", "entry_hops" and "exit_hops". Throws MessageError.
TunnelSettings read_tunnel(message::Fields& technology);

/// Whether a packet is one of a tunnel. Extension headers, such as the tunnel encapsulation limit (RFC 2473 §5.1), are passed
/// over.
std::optional<Ipv6Packet> parse_tunnel(Bytes packet);

/// Of a customer's edge, whose end of the tunnel is `own`: IPv4 of its hosts, left, that goes elsewhere; or a tunnel to it,
/// right.
bool is_for_edge(const Arrival& arrival, const Surroundings& around, wire::Ipv6Address own);

/// `whole`, an IPv4 packet, into a tunnel between `ends`, over a link with this MTU.
Result enter_tunnel(const TunnelSettings& settings, Bytes whole, const Ipv6Ends& ends, std::size_t mtu, MutableBytes out);

/// RFC 6040 §4.2: congestion that was met in the tunnel. False: the packet can't tell of it, and is dropped.
bool carry_congestion(std::uint8_t outer_traffic_class, MutableBytes packet);

/// `whole`, what was in a tunnel, on its way, with the congestion that its outer header tells of (RFC 6040 §4.2). What stops it
/// isn't answered: who sent it is behind the tunnel's other end.
Result leave_tunnel(const TunnelSettings& settings, std::uint8_t outer_traffic_class, Bytes whole, std::size_t mtu,
                    MutableBytes out);

}  // namespace xlatperf::reference
