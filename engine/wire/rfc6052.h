// IPv4-embedded IPv6 addresses (RFC 6052 §2.2).
#pragma once

#include "wire/address.h"

namespace xlatperf::wire::rfc6052 {

/// Only 32, 40, 48, 56, 64 and 96 are prefix lengths (RFC 6052 §2.2).
bool is_prefix_length(unsigned length);

/// The IPv6 address that represents `address` under `prefix`; bits 64 to 71 and the suffix are zero.
/// `prefix.length` must be one of the six.
Ipv6Address embed(const Ipv6Prefix& prefix, Ipv4Address address);

/// The IPv4 address in `address`, nothing if it isn't under `prefix`. The suffix is ignored (RFC 6052 §2.2).
std::optional<Ipv4Address> extract(const Ipv6Prefix& prefix, Ipv6Address address);

}  // namespace xlatperf::wire::rfc6052
