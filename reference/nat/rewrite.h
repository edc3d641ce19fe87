// Another address or port in a UDP packet, with the checksums adjusted (RFC 3022 §4.1, RFC 1624).
#pragma once

#include "nat/endpoint.h"
#include "translate/packet.h"

namespace xlatperf::reference {

enum class End : std::uint8_t { source, destination };

/// `udp_header` is behind the headers of `packet`, whose family tells what the address is. A UDP checksum of zero stays.
void rewrite(MutableBytes packet, std::uint8_t* udp_header, End end, const Endpoint& to);

/// The port alone.
void rewrite_port(std::uint8_t* udp_header, End end, std::uint16_t port);

}  // namespace xlatperf::reference
