#include "technology/native.h"

namespace xlatperf::technology {

wire::Family Native::family(Side) const {
    return std::holds_alternative<flow::Ipv4Hosts>(hosts_[0]) ? wire::Family::ipv4 : wire::Family::ipv6;
}

std::vector<Address> Native::addresses(Side side, Side) const {
    std::vector<Address> found;
    std::visit(
        [&](const auto& hosts) {
            for (std::uint32_t i = 0; i < hosts.networks; ++i) found.emplace_back(hosts.address(i));
        },
        hosts_[flow::index(side)]);
    return found;
}

std::vector<std::string> Native::routes(Side side) const {
    std::vector<std::string> found;
    std::visit(
        [&](const auto& hosts) {
            for (std::uint32_t i = 0; i < hosts.networks; ++i) found.push_back(wire::to_text(hosts.network(i)));
        },
        hosts_[flow::index(side)]);
    return found;
}

}  // namespace xlatperf::technology
