// A mapping rule of MAP-E and MAP-T (RFC 7597 §5, RFC 7599 §5: the same): which CE has which IPv4 address, ports and IPv6
// address.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "flow/subscribers.h"
#include "wire/address.h"

namespace xlatperf::technology {

/// Where a MAP address' interface identifier has the IPv4 address and the PSID.
enum class IdentifierFormat : std::uint8_t {
    rfc7597,  ///< RFC 7597 §6: 16 zero bits, the IPv4 address, the PSID
    draft03,  ///< draft-ietf-softwire-map-03: 8 zero bits, the IPv4 address, the PSID, 8 zero bits
};

/// A CE of a rule.
struct MapCe {
    wire::Ipv4Address ipv4;     ///< its address, or the first one of its prefix
    unsigned ipv4_length = 32;  ///< shorter: it has a prefix
    flow::PortSet ports{0, 0, 0};
    wire::Ipv6Address ipv6;  ///< the MAP IPv6 address (RFC 7597 §5.2, §6)
};

struct MapRule {
    wire::Ipv6Prefix ipv6;  ///< Rule IPv6 prefix
    wire::Ipv4Prefix ipv4;  ///< Rule IPv4 prefix
    unsigned ea_bits = 0;   ///< 0 to 48
    unsigned psid_offset = 6;
    /// Provisioned instead of being in the EA bits, which then leave no room for a PSID.
    std::optional<std::uint16_t> psid;
    unsigned psid_length_given = 0;  ///< with `psid`
    IdentifierFormat identifier = IdentifierFormat::rfc7597;

    /// Bits of the CE's IPv4 address that the EA bits hold.
    unsigned suffix_bits() const;
    /// Bits of the PSID, wherever it comes from.
    unsigned psid_length() const;
    /// Of the IPv4 prefix that a CE has: 32, or less if it has several addresses.
    unsigned ce_ipv4_length() const;
    /// End-user IPv6 prefix length: rule and EA bits.
    unsigned end_user_length() const { return ipv6.length + ea_bits; }
    /// How many CEs have the same IPv4 address.
    std::uint64_t sharing() const { return std::uint64_t{1} << (ea_bits - suffix_bits()); }
    /// 2^EA bits; at most 2^48.
    std::uint64_t ces() const { return std::uint64_t{1} << ea_bits; }

    /// What is wrong with the rule: its field and why, in one line; empty if nothing is.
    std::string problem() const;

    /// CE number `ea`, which is its EA bits; below `ces()`.
    MapCe ce(std::uint64_t ea) const;

    /// All of them, for frames. `host_in_ipv6`: a CE with an IPv4 prefix has its packets' whole IPv4 address in
    /// the IPv6 address, not only the prefix.
    flow::SubscriberRule subscribers(bool host_in_ipv6) const;

    /// The EA bits of who has this address and port; none if it isn't in the rule, or the port has A = 0.
    std::optional<std::uint64_t> ea_of(wire::Ipv4Address address, std::uint16_t port) const;

    /// The EA bits of a MAP address; none if it isn't exactly the address of a CE.
    std::optional<std::uint64_t> ea_of(wire::Ipv6Address address) const;
};

}  // namespace xlatperf::technology
