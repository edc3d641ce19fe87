// MAP-E (RFC 7597): customers' IPv4 goes through an IPv6 network in tunnels (RFC 2473) between their CE and the border relay, and
// both know by the mapping rule who has which IPv4 address and ports. The DUT is the border relay (BR), and the Tester plays the
// CEs on the left; or it is a CE without NAPT44, and the Tester plays its hosts on the left and the border relay on the right.
// With hairpinning the border relay sends packets of one CE back to another one; in a mesh a CE sends them there itself.
#include "technology/forwarded.h"
#include "technology/map_domains.h"
#include "technology/tunnelled.h"

namespace xlatperf::technology {

namespace {

class MapE final : public MapTechnology {
  public:
    /// `border_relays`: of each domain. RFC 7597 §6: the IPv4 prefix of a CE is padded with zeros in its IPv6 address.
    MapE(MapRole role, std::vector<MapDomain> domains, Addresses border_relays, Request& request)
        : MapTechnology(role, std::move(domains), false, request), border_relays_(std::move(border_relays)) {}

    wire::Family family(Side) const override { return wire::Family::ipv4; }
    Arriving arrives(Side side) const override { return side == ipv6_side() ? tunnelled(forwarded_ipv4) : forwarded_ipv4; }

    Names names(Side side, Side) const override {
        if (mesh() && side == Side::left) return dut_ipv4();
        if (side == Side::left || hairpinning() || mesh()) return subscriber();
        return addresses_of(hosts());
    }

    /// RFC 7597 §5.4, §8: between the CE's MAP IPv6 address and the border relay of its domain, or another CE's (§5.3).
    std::optional<Tunnel> tunnel(Side side) const override {
        if (side != ipv6_side()) return {};
        if (mesh()) return Tunnel{{Addresses{dut_ipv6().front()}, subscriber()}};
        return Tunnel{{subscriber(), OfDomain{border_relays_}}};
    }

  protected:
    std::vector<std::string> outside() const override {
        std::vector<std::string> found;
        for (const auto& address : border_relays_) found.push_back(to_text(address) + "/128");
        return found;
    }

  private:
    Addresses border_relays_;
};

std::shared_ptr<const Technology> read_map_e(Request& request) {
    const MapRole role = read_role(request);
    Addresses border_relays;
    const auto read_more = [&](message::Fields& domain) { border_relays.emplace_back(read_border_relay(domain)); };
    auto domains = read_domains(request, read_more, role.mesh);
    return std::make_shared<MapE>(role, std::move(domains), std::move(border_relays), request);
}

}  // namespace

const Kind kind::map_e = {"map-e", "RFC 7597", FlowSpace::subscribers, read_map_e};

}  // namespace xlatperf::technology
