// The translation prefix of a request (RFC 6052 §2.2).
#pragma once

#include "message/fields.h"

namespace xlatperf::technology {

wire::Ipv6Prefix read_translation_prefix(message::Fields& fields);

}  // namespace xlatperf::technology
