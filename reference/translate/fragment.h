// Cutting packets that are too long (RFC 791 §3.2, RFC 8200 §4.5 as RFC 7915 §4.1 uses it).
#pragma once

#include <functional>

#include "translate/packet.h"

namespace xlatperf::reference {

/// Takes one finished fragment: its headers and its part of the payload. False: there's no room, stop.
using TakeFragment = std::function<bool(Bytes headers, Bytes payload)>;

/// `packet` is whole and correct; each fragment has at most `limit` bytes. False if it can't be cut or `take` stopped.
bool fragment_ipv4(Bytes packet, std::size_t limit, const TakeFragment& take);
/// `packet` has no extension header but perhaps a Fragment header; without one the fragments get `identification`.
bool fragment_ipv6(Bytes packet, std::size_t limit, std::uint32_t identification, const TakeFragment& take);

}  // namespace xlatperf::reference
