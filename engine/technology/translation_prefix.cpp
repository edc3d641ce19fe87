#include "technology/translation_prefix.h"

#include "wire/rfc6052.h"

namespace xlatperf::technology {

wire::Ipv6Prefix read_translation_prefix(message::Fields& fields) {
    wire::Ipv6Prefix prefix;
    fields.require("prefix", prefix, "the translation prefix (RFC 6052 section 2.2)");
    fields.check(wire::rfc6052::is_prefix_length(prefix.length), "prefix", wire::to_text(prefix),
                 "a length of 32, 40, 48, 56, 64 or 96 (RFC 6052 section 2.2)");
    fields.check(((prefix.network().value >> 56) & 0xff) == 0, "prefix", wire::to_text(prefix),
                 "bits 64 to 71 zero (RFC 6052 section 2.2)");
    return prefix;
}

}  // namespace xlatperf::technology
