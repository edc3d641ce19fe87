// A mapping rule (RFC 7597 §5, RFC 7599 §5: the same): whose an IPv4 address and port are.
#pragma once

#include <cstdint>
#include <optional>

#include "wire/address.h"

namespace xlatperf::reference {

/// A customer edge: who has these addresses and ports.
struct Ce {
    wire::Ipv4Prefix ipv4;   // one address, or several
    std::uint16_t psid = 0;  // of `MapRule::psid_length` bits
};

class MapRule {
  public:
    wire::Ipv6Prefix ipv6;
    wire::Ipv4Prefix ipv4;
    unsigned ea_bits = 0, psid_offset = 6;
    std::optional<std::uint16_t> psid;  // provisioned: the EA bits have none
    unsigned provisioned_length = 0;
    unsigned behind_psid = 0;  // bits of the interface identifier: 8 in draft-ietf-softwire-map-03

    /// RFC 7597 §5.2: what of the EA bits belongs to the IPv4 address, and what to the PSID.
    unsigned suffix_length() const { return ea_bits < 32 - ipv4.length ? ea_bits : 32 - ipv4.length; }
    unsigned psid_length() const { return psid ? provisioned_length : ea_bits - suffix_length(); }
    unsigned end_user_length() const { return ipv6.length + ea_bits; }

    /// RFC 7597 §5.1. A port whose upper bits are all zero is in nobody's set where addresses are shared.
    std::uint16_t psid_of(std::uint16_t port) const;
    bool is_given(std::uint16_t port) const;
    bool has(const Ce& ce, std::uint16_t port) const;

    /// Who has this address, which must be in the rule, and port; if the PSID is provisioned, who has that one.
    Ce ce_of(wire::Ipv4Address address, std::uint16_t port) const;
    /// Whose the EA bits are.
    Ce ce_of_ea(std::uint64_t ea) const;
    std::uint64_t ea_of(wire::Ipv6Address address) const;
    /// RFC 7597 §6: the end-user prefix, and behind it zeros, `address` and the PSID, which end at the last bit, or before it.
    wire::Ipv6Address map_address(const Ce& ce, wire::Ipv4Address address) const;
    /// Of a MAP address, the bits behind the end-user prefix.
    wire::Bits128 identifier(wire::Ipv6Address address) const;
    /// The end-user prefix of an address, and the zero bits up to the interface identifier.
    wire::Ipv6Prefix network_of(wire::Ipv6Address address) const;
};

/// The IPv4 address in a MAP address's interface identifier; nothing if the end-user prefix reaches into it.
std::optional<wire::Ipv4Address> ipv4_in(const MapRule& rule, wire::Ipv6Address address);

}  // namespace xlatperf::reference
