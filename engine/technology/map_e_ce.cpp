// A MAP-E CE with NAPT44 (RFC 7597): private IPv4 on the left, tunnels (RFC 2473) to the border relay on the right.
#include "technology/map_ce.h"

namespace xlatperf::technology {

namespace {

class MapECe final : public Stateful {
  public:
    MapECe(const MapCeParts& parts, wire::Ipv6Address border_relay)
        : Stateful(parts.clients, parts.servers, pool_of(parts.ce, parts.ce.ipv4)),
          map_address_(parts.ce.ipv6),
          border_relay_(border_relay) {}

    wire::Family family(Side) const override { return wire::Family::ipv4; }

    /// RFC 7597 §5.4, §8: between the CE's MAP IPv6 address and its border relay.
    std::optional<Tunnel> tunnel(Side side) const override {
        if (side != Side::right) return {};
        return Tunnel{{Addresses{map_address_}, Addresses{border_relay_}}};
    }

    std::vector<std::string> routes(Side side) const override {
        if (side == Side::left) return Stateful::routes(side);
        return {wire::to_text(wire::Ipv6Prefix{border_relay_, 128})};
    }

  protected:
    Address server(const Address& address, Side) const override { return address; }

  private:
    wire::Ipv6Address map_address_, border_relay_;
};

std::shared_ptr<const Technology> read_map_e_ce(Request& request) {
    wire::Ipv6Address border_relay;
    const auto parts = read_map_ce(request, [&](message::Fields& domain) { border_relay = read_border_relay(domain); });
    return std::make_shared<MapECe>(parts, border_relay);
}

}  // namespace

const Kind kind::map_e_ce = {"map-e-ce", "RFC 7597, RFC 9693", FlowSpace::connections, read_map_e_ce};

}  // namespace xlatperf::technology
