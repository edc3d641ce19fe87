#include "wire/rfc6052.h"

namespace xlatperf::wire::rfc6052 {

namespace {
constexpr unsigned u_octet = 64;  // bits 64 to 71 must be zero: the IPv4 bits go around them
}

bool is_prefix_length(unsigned length) {
    return length == 32 || length == 40 || length == 48 || length == 56 || length == 64 || length == 96;
}

Ipv6Address embed(const Ipv6Prefix& prefix, Ipv4Address address) {
    Bits128 value = prefix.network().value;
    unsigned at = prefix.length;
    for (int byte = 3; byte >= 0; --byte) {
        if (at == u_octet) at += 8;
        value |= Bits128{(address.value >> (8 * byte)) & 0xff} << (120 - at);
        at += 8;
    }
    return {value};
}

std::optional<Ipv4Address> extract(const Ipv6Prefix& prefix, Ipv6Address address) {
    if (!prefix.contains(address)) return {};
    Ipv4Address found;
    unsigned at = prefix.length;
    for (int byte = 0; byte < 4; ++byte) {
        if (at == u_octet) at += 8;
        found.value = (found.value << 8) | static_cast<std::uint32_t>((address.value >> (120 - at)) & 0xff);
        at += 8;
    }
    return found;
}

}  // namespace xlatperf::wire::rfc6052
