// A packet whose header was translated between the families (RFC 7915): by SIIT, NAT64, MAP-T, and twice by 464XLAT.
#pragma once

#include <cstddef>

#include "technology/arriving.h"
#include "wire/address.h"

namespace xlatperf::technology {

// Not in these tables, as nothing else is right in any test: version and next header or protocol, which is UDP before and
// behind (RFC 7915 §4.1, §5.1; no fragment header, as no fragments are sent), and IHL 5, are of the image that all is compared
// with (frame/image.cpp). Source and destination address (§4.1, §5.1, by §6) are each technology's `names`.

/// From IPv4 to IPv6.
inline constexpr Arriving ipv6_from_ipv4 = {
    .hop_limit = {Rule::decremented, "RFC 7915 §4.1"},  // from the TTL: a translator is a router
    .traffic_class = {Rule::kept, "RFC 7915 §4.1"},     // all 8 bits of the TOS
    .flow_label = {Rule::zero, "RFC 7915 §4.1"},
    .lengths = "RFC 7915 §4.1",       // payload length: total length without the IPv4 header; no options
    .udp_checksum = "RFC 7915 §4.5",  // to the new pseudo header
    .computes_udp_checksum = true,    // or drops the packet (§4.5)
};

/// An IPv4 packet of so many bytes may be fragmented behind the translator, a larger one has DF (RFC 7915 §5.1).
inline constexpr std::size_t largest_fragmentable = 1260;  // bytes

/// From IPv6 to IPv4.
inline constexpr Arriving ipv4_from_ipv6 = {
    .hop_limit = {Rule::decremented, "RFC 7915 §5.1"},
    .traffic_class = {Rule::kept, "RFC 7915 §5.1"},
    .identification = {Rule::free, "RFC 7915 §5.1"},     // of a generator of the translator's
    .dont_fragment = {Rule::if_large, "RFC 7915 §5.1"},  // than `largest_fragmentable`
    .fragmentation = {Rule::zero, "RFC 7915 §5.1"},      // MF and the fragment offset: there is no fragment header
    .lengths = "RFC 7915 §5.1",                          // total length: payload length and the IPv4 header; IHL 5
    .udp_checksum = "RFC 7915 §5.5",
    .header_checksum = "RFC 7915 §5.1",
    .computes_udp_checksum = true,  // the first one of two translators
};

/// What arrives in this family. From IPv4 to IPv6 and back it's the second translator that made the header.
constexpr const Arriving& translated(wire::Family family) {
    return family == wire::Family::ipv4 ? ipv4_from_ipv6 : ipv6_from_ipv4;
}

}  // namespace xlatperf::technology
