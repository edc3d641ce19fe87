#pragma once

#include <string>
#include <vector>

#include "technology/technology.h"

namespace xlatperf::technology {

using Texts = std::vector<std::string>;

// Addresses as they are written.
inline Texts texts(const std::vector<wire::Address>& addresses) {
    Texts found;
    for (const auto& address : addresses) found.push_back(to_text(address));
    return found;
}

}  // namespace xlatperf::technology
