// How the IP/ICMP Translation Algorithm is to work (RFC 7915), as JSON.
#pragma once

#include "json/strict_json.h"
#include "translate/siit.h"

namespace xlatperf::reference {

/// An IPv4 or IPv6 prefix, said to whoever gave another thing.
inline constexpr std::string_view ipv4_prefix_form = "an IPv4 prefix like 198.18.0.0/24",
                                  ipv6_prefix_form = "an IPv6 prefix like 2001:2::/64";

/// The prefix at `key`, of a length and with the zeros that RFC 6052 §2.2 asks for. Throws ConfigError.
wire::Ipv6Prefix read_translation_prefix(const StrictObject& object, std::string_view key);

/// The keys "udp_checksum_zero" and "lowest_ipv6_mtu"; the rest is as it begins. Throws ConfigError.
Siit read_translation(const StrictObject& object);

}  // namespace xlatperf::reference
