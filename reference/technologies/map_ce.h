// MAP CEs with NAPT44 (RFC 7597 §8, RFC 7599 §8.1).
#pragma once

#include "technologies/kind.h"
#include "technologies/map_domains.h"

namespace xlatperf::reference {

/// `map`, whose role is a CE, behind NAPT44, which the key "state" is about. Throws MessageError.
Chosen with_napt(Fields& technology, const std::shared_ptr<MapTechnology>& map);

}  // namespace xlatperf::reference
