#include "technology/technology.h"

namespace xlatperf::technology {

std::string to_text(const Address& address) {
    return std::visit([](const auto& a) { return wire::to_text(a); }, address);
}

}  // namespace xlatperf::technology
