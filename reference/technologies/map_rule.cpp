#include "technologies/map_rule.h"

#include <algorithm>

namespace xlatperf::reference {

using namespace wire;

namespace {
constexpr Bits128 ones(unsigned count) { return count >= 128 ? ~Bits128{0} : (Bits128{1} << count) - 1; }
}  // namespace

std::uint16_t MapRule::psid_of(std::uint16_t port) const {
    const unsigned behind = 16 - psid_offset - psid_length();
    return static_cast<std::uint16_t>((std::uint32_t{port} >> behind) & ones(psid_length()));
}

bool MapRule::is_given(std::uint16_t port) const {
    return psid_length() == 0 || psid_offset == 0 || (port >> (16 - psid_offset)) != 0;
}

bool MapRule::has(const Ce& ce, std::uint16_t port) const { return is_given(port) && psid_of(port) == ce.psid; }

Ce MapRule::ce_of(Ipv4Address address, std::uint16_t port) const {
    const unsigned length = ipv4.length + suffix_length();
    return {{Ipv4Prefix{address, length}.network(), length}, psid.value_or(psid_of(port))};
}

Ce MapRule::ce_of_ea(std::uint64_t ea) const {
    const unsigned in_psid = psid ? 0 : psid_length(), length = ipv4.length + suffix_length();
    const std::uint64_t suffix = ea >> in_psid << (32 - length);
    const Ipv4Address first{ipv4.network().value | static_cast<std::uint32_t>(suffix)};
    return {{first, length}, psid.value_or(static_cast<std::uint16_t>(ea & static_cast<std::uint64_t>(ones(in_psid))))};
}

std::uint64_t MapRule::ea_of(Ipv6Address address) const {
    if (ea_bits == 0) return 0;
    return static_cast<std::uint64_t>((address.value >> (128 - end_user_length())) & ones(ea_bits));
}

Ipv6Address MapRule::map_address(const Ce& ce, Ipv4Address address) const {
    const Bits128 suffix = (ce.ipv4.address.value & ones(32 - ipv4.length)) >> (32 - ce.ipv4.length);
    const Bits128 ea = psid ? suffix : suffix << psid_length() | ce.psid;
    const unsigned behind = 128 - end_user_length();
    const Bits128 identifier = (Bits128{address.value} << 16 | ce.psid) << behind_psid;
    return {ipv6.network().value | (behind >= 128 ? 0 : ea << behind) | (identifier & ones(std::min(behind, 64U)))};
}

Bits128 MapRule::identifier(Ipv6Address address) const { return address.value & ones(128 - end_user_length()); }

Ipv6Prefix MapRule::network_of(Ipv6Address address) const { return {address, std::max(64U, end_user_length())}; }

std::optional<Ipv4Address> ipv4_in(const MapRule& rule, Ipv6Address address) {
    const unsigned behind = 16 + rule.behind_psid;
    if (rule.end_user_length() + 32 + behind > 128) return {};
    return Ipv4Address{static_cast<std::uint32_t>(address.value >> behind)};
}

}  // namespace xlatperf::reference
