// A packet whose header was translated between the families (RFC 7915): by SIIT, NAT64, MAP-T, and twice by 464XLAT.
#pragma once

#include <cstddef>

#include "technology/arriving.h"
#include "wire/address.h"

namespace xlatperf::technology {

/// From IPv4 to IPv6. Source and destination are the technology's own (§6).
inline constexpr Arriving ipv6_from_ipv4 = {
    .lengths = {Rule::fitting, "RFC 7915 §4.1"},        // payload length: total length without the IPv4 header; no options
    .hop_limit = {Rule::decremented, "RFC 7915 §4.1"},  // from the TTL: a translator is a router
    .traffic_class = {Rule::kept, "RFC 7915 §4.1"},     // all 8 bits of the TOS
    .udp_checksum = {Rule::fitting, "RFC 7915 §4.5"},   // to the new pseudo header
    .flow_label = {Rule::zero, "RFC 7915 §4.1"},
};

/// An IPv4 packet of so many bytes may be fragmented behind the translator, a larger one has DF (RFC 7915 §5.1).
inline constexpr std::size_t largest_fragmentable = 1260;  // bytes

/// From IPv6 to IPv4.
inline constexpr Arriving ipv4_from_ipv6 = {
    .lengths = {Rule::fitting, "RFC 7915 §5.1"},  // total length: payload length and the IPv4 header; IHL 5
    .hop_limit = {Rule::decremented, "RFC 7915 §5.1"},
    .traffic_class = {Rule::kept, "RFC 7915 §5.1"},
    .udp_checksum = {Rule::fitting, "RFC 7915 §5.5"},
    .identification = {Rule::free, "RFC 7915 §5.1"},     // of a generator of the translator's
    .dont_fragment = {Rule::if_large, "RFC 7915 §5.1"},  // than `largest_fragmentable`
    .fragmentation = {Rule::zero, "RFC 7915 §5.1"},
    .header_checksum = {Rule::fitting, "RFC 7915 §5.1"},
};

/// What arrives in this family. From IPv4 to IPv6 and back it's the second translator that made the header.
constexpr const Arriving& translated(wire::Family family) {
    return family == wire::Family::ipv4 ? ipv4_from_ipv6 : ipv6_from_ipv4;
}

}  // namespace xlatperf::technology
