// Two stateless translators in a row (RFC 7915), IPv4 outside and IPv6 between them: a gateway that is both.
#pragma once

#include <memory>

#include "technologies/technology.h"
#include "translate/siit.h"

namespace xlatperf::reference {

/// By the side where their IPv4 is.
std::shared_ptr<Technology> make_siit_pair(std::array<Siit, 2> translators);

}  // namespace xlatperf::reference
