#include "technology/siit.h"

#include <bit>

#include "technology/covering.h"
#include "technology/host_fields.h"
#include "technology/kind.h"

namespace xlatperf::technology {

wire::Ipv6Address Siit::to_ipv6(wire::Ipv4Address address) const {
    if (const auto found = addresses_.to_ipv6(address)) return *found;
    throw Unmappable{"technology.eam", "no mapping covers " + wire::to_text(address) + ", and technology.prefix is absent"};
}

wire::Ipv4Address Siit::and_back(wire::Ipv4Address address) const {
    return addresses_.to_ipv4(to_ipv6(address)).value_or(address);
}

Names Siit::arriving_names(Side side, Side seen_from) const {
    if (family(seen_from) == wire::Family::ipv6) return names(side, seen_from);
    Addresses found = addresses_of(hosts_[flow::index(side)]);
    for (auto& address : found) address = and_back(std::get<wire::Ipv4Address>(address));
    return found;
}

Names Siit::names(Side side, Side seen_from) const {
    Addresses found = addresses_of(hosts_[flow::index(side)]);
    if (family(seen_from) == wire::Family::ipv6) {  // RFC 7915 §4.1, §5.1 by §6: RFC 6052 or RFC 7757
        for (auto& address : found) address = to_ipv6(std::get<wire::Ipv4Address>(address));
    }
    return found;
}

namespace {

// Of one host in each network each address by itself.
template <typename P> std::vector<std::string> routes_to(std::vector<wire::Bits128> addresses, std::uint32_t in_each) {
    if (addresses.empty()) return {};
    if (in_each > 1) return texts(covering<P>(std::move(addresses), P::bits - static_cast<unsigned>(std::bit_width(in_each))));
    std::vector<std::string> found;
    for (const auto value : addresses)
        found.push_back(wire::to_text(P{{static_cast<decltype(P::address.value)>(value)}, P::bits}));
    return found;
}

}  // namespace

std::vector<std::string> Siit::routes(Side side) const {
    const auto& hosts = hosts_[flow::index(side)];
    std::vector<wire::Bits128> addresses;
    if (family(side) == wire::Family::ipv6) {
        for (std::uint32_t i = 0; i < hosts.count(); ++i) addresses.push_back(to_ipv6(hosts.address(i)).value);
        return routes_to<wire::Ipv6Prefix>(std::move(addresses), hosts.hosts);
    }
    std::vector<std::string> found = networks_of(hosts);
    for (std::uint32_t i = 0; i < hosts.count(); ++i) {
        const auto own = hosts.address(i), then = and_back(own);
        if (!(then == own)) addresses.push_back(then.value);
    }
    for (auto& route : routes_to<wire::Ipv4Prefix>(std::move(addresses), hosts.hosts)) found.push_back(std::move(route));
    return found;
}

namespace {

std::shared_ptr<const Technology> read_siit(Request& request) {
    auto& own = request.own;
    Side ipv6_side = Side::left;
    own.read("ipv6_side", ipv6_side, flow::side_words, "the other side is IPv4");
    AddressTranslation addresses = read_address_translation(own);
    return std::make_shared<Siit>(ipv6_side, std::move(addresses), read_ipv4_hosts(*request.hosts[0]),
                                  read_ipv4_hosts(*request.hosts[1]));
}

}  // namespace

const Kind kind::siit = {"siit", "RFC 7915", FlowSpace::hosts, read_siit};

}  // namespace xlatperf::technology
