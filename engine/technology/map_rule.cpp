#include "technology/map_rule.h"

#include <algorithm>

namespace xlatperf::technology {

namespace {

constexpr std::uint64_t low_bits(unsigned count) { return (std::uint64_t{1} << count) - 1; }

}  // namespace

unsigned MapRule::suffix_bits() const { return std::min(32 - ipv4.length, ea_bits); }

unsigned MapRule::psid_length() const { return psid ? psid_length_given : ea_bits - suffix_bits(); }

unsigned MapRule::ce_ipv4_length() const { return ipv4.length + suffix_bits(); }

std::string MapRule::problem() const {
    const auto number = [](unsigned value) { return std::to_string(value); };
    if (ea_bits > 48) return "ea_bits: " + number(ea_bits) + " is not allowed: 0 to 48 (RFC 7597 section 5)";
    if (psid_offset > 15) return "psid_offset: " + number(psid_offset) + " is not allowed: 0 to 15 (RFC 7597 section 5.1)";
    if (end_user_length() > 128)
        return "ea_bits: " + number(ea_bits) + " is not allowed: with the rule's prefix at most 128 bits (RFC 7597 section 5.2)";
    if (psid && ea_bits > 32 - ipv4.length)
        return "psid: not allowed: " + number(ea_bits) + " EA bits hold a PSID already (RFC 7597 section 5.2)";
    if (psid && ce_ipv4_length() < 32)
        return "psid: not allowed: a CE with an IPv4 prefix shares no address (RFC 7597 section 5.2)";
    if (psid_offset + psid_length() > 16) {
        const std::string most = " is not allowed: with psid_offset " + number(psid_offset) + " at most ";
        if (psid)
            return "psid_length: " + number(psid_length_given) + most + number(16 - psid_offset) + " (RFC 7597 section 5.1)";
        return "ea_bits: " + number(ea_bits) + most + number(48 - ipv4.length - psid_offset) + ": " + number(32 - ipv4.length) +
               " of the IPv4 address and " + number(16 - psid_offset) + " of the PSID (RFC 7597 section 5.1)";
    }
    if (psid && *psid >= (1U << psid_length_given))
        return "psid: " + number(*psid) + " is not allowed: it has " + number(psid_length_given) + " bits";
    return {};
}

MapCe MapRule::ce(std::uint64_t ea) const {
    const flow::SubscriberRule rule = subscribers(false);
    MapCe found;
    found.ipv4 = {rule.ipv4_of(ea, 0)};
    found.ipv4_length = ce_ipv4_length();
    if (!rule.all_ports()) found.ports = rule.ports(ea);
    found.ipv6 = {rule.ipv6_of(ea, 0)};
    return found;
}

flow::SubscriberRule MapRule::subscribers(bool host_in_ipv6) const {
    const unsigned end_user = end_user_length();
    flow::SubscriberRule found;
    found.number_bits = ea_bits;
    found.ipv6 = ipv6.network().value;
    found.ipv6_shift = std::min(127U, 128 - end_user);  // a prefix of no bits has no EA bits either
    // An end-user prefix beyond 64 bits takes the place of the first of them.
    found.identifier_mask = end_user >= 128 ? 0 : ~wire::Bits128{0} >> end_user;
    found.identifier_shift = identifier == IdentifierFormat::draft03 ? 8 : 0;
    found.ipv4 = ipv4.network().value;
    found.host_bits = 32 - ce_ipv4_length();  // the prefix case: RFC 7597 §6 pads the address on the right
    found.host_in_ipv6 = host_in_ipv6;
    found.psid_bits = psid ? 0 : psid_length();
    found.psid = psid.value_or(0);
    found.psid_offset = psid_offset;
    found.psid_length = psid_length();
    return found;
}

std::optional<std::uint64_t> MapRule::ea_of(wire::Ipv4Address address, std::uint16_t port) const {
    if (!ipv4.contains(address)) return {};
    const unsigned length = psid_length();
    const auto number = flow::PortSet::psid_of(port, psid_offset, length);
    if (psid_offset > 0 && length > 0 && (port >> (16 - psid_offset)) == 0) return {};
    if (psid && number != *psid) return {};
    const std::uint64_t suffix = (address.value & low_bits(32 - ipv4.length)) >> (32 - ce_ipv4_length());
    return psid ? suffix : suffix << length | number;
}

std::optional<std::uint64_t> MapRule::ea_of(wire::Ipv6Address address) const {
    if (!ipv6.contains(address)) return {};
    const unsigned end_user = end_user_length();
    const std::uint64_t ea = ea_bits == 0 ? 0 : static_cast<std::uint64_t>(address.value >> (128 - end_user)) & low_bits(ea_bits);
    if (ce(ea).ipv6 != address) return {};
    return ea;
}

}  // namespace xlatperf::technology
