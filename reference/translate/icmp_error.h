// ICMP errors that the gateway itself sends (RFC 792, RFC 1812 §4.3.2, RFC 4443 §2.4).
#pragma once

#include "translate/packet.h"

namespace xlatperf::reference {

struct IcmpError {
    std::uint8_t type = 0, code = 0;
    std::uint32_t rest = 0;  // bytes 4 to 7 of the message: MTU, pointer
};

/// Whole packets that quote `cause`. 0 if `cause` mustn't be answered: errors, fragments but the first, multicast,
/// sources that aren't one host (RFC 1812 §4.3.2.7, RFC 4443 §2.4 (e)), or if `out` is too small.
std::size_t make_icmpv4_error(const IcmpError& error, Bytes cause, wire::Ipv4Address source, MutableBytes out);
std::size_t make_icmpv6_error(const IcmpError& error, Bytes cause, wire::Ipv6Address source, MutableBytes out);

inline constexpr std::size_t largest_icmp_error = 1280;

}  // namespace xlatperf::reference
