#include "technologies/translation_fields.h"

#include "wire/rfc6052.h"

namespace xlatperf::reference {

wire::Ipv6Prefix read_translation_prefix(const StrictObject& object, std::string_view key) {
    const wire::Ipv6Prefix prefix = object.parsed(key, wire::parse_ipv6_prefix, ipv6_prefix_form);
    if (!wire::rfc6052::is_prefix_length(prefix.length))
        fail(object.path(key), object.at(key), "a length of 32, 40, 48, 56, 64 or 96 (RFC 6052 section 2.2)");
    if (((prefix.network().value >> 56) & 0xff) != 0)
        fail(object.path(key), object.at(key), "bits 64 to 71 must be zero (RFC 6052 section 2.2)");
    return prefix;
}

Siit read_translation(const StrictObject& object) {
    Siit siit;
    siit.compute_udp_checksum_zero = object.one_of("udp_checksum_zero", {"compute", "drop"}, "drop") == "compute";
    siit.lowest_ipv6_mtu = object.integer("lowest_ipv6_mtu", 1280, 9600, 1280);
    return siit;
}

}  // namespace xlatperf::reference
