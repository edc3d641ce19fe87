// The port by which a packet of several who share an address is told from the others'.
#pragma once

#include "translate/fate.h"
#include "translate/packet.h"

namespace xlatperf::reference {

/// A port, or why there's none: of TCP and UDP, an echo's identifier, or of an ICMP error that of the packet which it is about
/// and which went the other way (RFC 7597 §8.2, RFC 7599 §9, RFC 7596 §8.1).
struct PortFound {
    Fate fate = Fate::forwarded;
    std::uint16_t port = 0;
};
enum class PortOf : std::uint8_t { source, destination };
PortFound find_port(Bytes payload, std::uint8_t protocol, bool is_fragment, PortOf end);

}  // namespace xlatperf::reference
