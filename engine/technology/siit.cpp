#include "technology/siit.h"

#include "wire/rfc6052.h"

namespace xlatperf::technology {

wire::Ipv6Address Siit::to_ipv6(wire::Ipv4Address address) const {
    if (const auto mapped = mappings_.to_ipv6(address)) return *mapped;
    if (prefix_) return wire::rfc6052::embed(*prefix_, address);
    throw Unmappable{"technology.eam", "no mapping covers " + wire::to_text(address) + ", and technology.prefix is absent"};
}

std::vector<Address> Siit::addresses(Side side, Side seen_from) const {
    const auto& hosts = hosts_[flow::index(side)];
    std::vector<Address> found;
    for (std::uint32_t i = 0; i < hosts.networks; ++i) {
        const auto address = hosts.address(i);
        if (family(seen_from) == wire::Family::ipv4) {
            found.emplace_back(address);
        } else {
            found.emplace_back(to_ipv6(address));
        }
    }
    return found;
}

std::vector<std::string> Siit::routes(Side side) const {
    std::vector<std::string> found;
    if (family(side) == wire::Family::ipv4) {
        const auto& hosts = hosts_[flow::index(side)];
        for (std::uint32_t i = 0; i < hosts.networks; ++i) found.push_back(wire::to_text(hosts.network(i)));
    } else {
        for (const auto& address : addresses(side, side)) found.push_back(technology::to_text(address) + "/128");
    }
    return found;
}

}  // namespace xlatperf::technology
