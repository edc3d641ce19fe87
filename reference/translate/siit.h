// The IP/ICMP Translation Algorithm (RFC 7915), stateless.
#pragma once

#include "translate/address_map.h"
#include "translate/fate.h"
#include "translate/packet.h"

namespace xlatperf::reference {

struct Siit {
    AddressMap map{{}, {}};
    std::size_t lowest_ipv6_mtu = 1280;      // RFC 7915 §4.1
    bool compute_udp_checksum_zero = false;  // false: dropped (RFC 7915 §4.5)
    std::size_t ipv4_mtu = 1500, ipv6_mtu = 1500;
    wire::Ipv4Address own_ipv4;  // source of errors whose own source can't be translated (RFC 6791 §2)
    wire::Ipv6Address own_ipv6;
};

/// A translation makes a packet longer by at most this: 40 - 20 and a Fragment header. An ICMP error grows twice.
inline constexpr std::size_t translation_growth = 28, translation_room = 2 * translation_growth;

/// RFC 7915 §4. `out` must have room for `in` and `translation_room`.
Result translate_v4_to_v6(const Siit& siit, Bytes in, MutableBytes out);

/// RFC 7915 §5. `identification` is the next of the generator for packets that need one.
Result translate_v6_to_v4(const Siit& siit, Bytes in, MutableBytes out, std::uint16_t identification);

/// The two halves of a translation, for stateful translators (RFC 6146 §3.7): what speaks against it whatever the addresses
/// are; and the packet with addresses that are known. The room must be there.
template <typename Address> struct AddressPair { Address source, destination; };
Fate check_v4_to_v6(const Ipv4Packet& packet);
Result translate_v4_to_v6(const Siit& siit, const Ipv4Packet& packet, const AddressPair<wire::Ipv6Address>& to, MutableBytes out);
Result check_v6_to_v4(const Ipv6Packet& packet);
Result translate_v6_to_v4(const Siit& siit, const Ipv6Packet& packet, const AddressPair<wire::Ipv4Address>& to, MutableBytes out,
                          std::uint16_t identification);

/// A packet that an ICMP error quotes (RFC 7915 §4.3, §5.3): like any other, but the hop limit stays and nothing is
/// fragmented or answered. The result's size is 0 if it can't be translated.
std::size_t translate_quoted_v4_to_v6(const Siit& siit, Bytes in, MutableBytes out);
std::size_t translate_quoted_v6_to_v4(const Siit& siit, Bytes in, MutableBytes out);

/// RFC 7915 §4.2: the ICMPv4 message `in` between the translated addresses of `out`'s header. 0 and a reason if it's dropped.
Result icmp_v4_to_v6(const Siit& siit, Bytes in, MutableBytes out, wire::Ipv6Address source, wire::Ipv6Address destination);
/// RFC 7915 §5.2.
Result icmp_v6_to_v4(const Siit& siit, const Ipv6Packet& packet, MutableBytes out);

}  // namespace xlatperf::reference
