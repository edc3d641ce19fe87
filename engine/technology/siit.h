// Stateless IP/ICMP Translation (RFC 7915): every host has an IPv4 address; its IPv6 address follows from the explicit
// address mappings (RFC 7757), else from the translation prefix (RFC 6052).
#pragma once

#include "technology/address_translation.h"
#include "technology/technology.h"
#include "technology/translated.h"

namespace xlatperf::technology {

class Siit final : public Technology {
  public:
    Siit(Side ipv6_side, AddressTranslation addresses, flow::Ipv4Hosts left, flow::Ipv4Hosts right)
        : ipv6_side_(ipv6_side), addresses_(std::move(addresses)), hosts_{left, right} {}

    wire::Family family(Side side) const override { return side == ipv6_side_ ? wire::Family::ipv6 : wire::Family::ipv4; }
    Arriving arrives(Side side) const override { return translated(family(side)); }
    Names names(Side side, Side seen_from) const override;
    Names arriving_names(Side side, Side seen_from) const override;
    flow::Space flows() const override { return flow::HostFlows::Space{{hosts_[0].count(), hosts_[1].count()}}; }
    std::vector<std::string> routes(Side side) const override;

    /// The IPv6 address that represents `address`: RFC 7757 §3.2, longest match first, then RFC 6052. Throws Unmappable.
    wire::Ipv6Address to_ipv6(wire::Ipv4Address address) const;

    /// What the DUT makes of that one again: another address, where mappings of IPv6 prefixes overlap, or one covers addresses
    /// under the translation prefix (RFC 7757 §3.3.2: longest match). Throws Unmappable.
    wire::Ipv4Address and_back(wire::Ipv4Address address) const;

  private:
    Side ipv6_side_;
    AddressTranslation addresses_;
    std::array<flow::Ipv4Hosts, 2> hosts_;
};

}  // namespace xlatperf::technology
