// MAP-E (RFC 7597): customers' IPv4 goes through an IPv6 network in tunnels (RFC 2473) between their CE and the border relay, and
// both know by the mapping rule who has which IPv4 address and ports. The DUT is the border relay (BR), and the Tester plays the
// CEs on the left; or it is a CE without NAPT44, and the Tester plays its hosts on the left and the border relay on the right.
#include "technology/host_fields.h"
#include "technology/map_domains.h"

namespace xlatperf::technology {

namespace {

class MapE final : public Technology {
  public:
    MapE(Side tunnel_side, std::vector<MapDomain> domains, Addresses border_relays, flow::Ipv4Hosts hosts, std::uint64_t seed)
        : tunnel_side_(tunnel_side),
          domains_(std::move(domains)),
          border_relays_(std::move(border_relays)),
          hosts_(hosts),
          subscribers_(draw_subscribers(domains_, false, seed)) {}  // RFC 7597 §6: an IPv4 prefix is padded with zeros

    wire::Family family(Side) const override { return wire::Family::ipv4; }
    std::shared_ptr<const flow::Subscribers> subscribers() const override { return subscribers_; }

    Names names(Side side, Side) const override {
        if (side == Side::left) return OfSubscriber::ipv4;
        Addresses found;
        for (std::uint32_t i = 0; i < hosts_.networks; ++i) found.emplace_back(hosts_.address(i));
        return found;
    }

    /// RFC 7597 §5.4, §8: between the CE's MAP IPv6 address and the border relay of its domain.
    std::optional<Tunnel> tunnel(Side side) const override {
        if (side != tunnel_side_) return {};
        return Tunnel{{OfSubscriber::ipv6, border_relays_}};
    }

    std::vector<std::string> routes(Side side) const override {
        if (side == Side::left) return rule_prefixes(domains_, link_family(side));
        std::vector<std::string> found;
        if (tunnel_side_ == Side::right) {
            for (const auto& address : border_relays_) found.push_back(to_text(address) + "/128");
        } else {
            for (std::uint32_t i = 0; i < hosts_.networks; ++i) found.push_back(wire::to_text(hosts_.network(i)));
        }
        return found;
    }

  private:
    Side tunnel_side_;
    std::vector<MapDomain> domains_;
    Addresses border_relays_;  ///< of each domain
    flow::Ipv4Hosts hosts_;
    std::shared_ptr<const flow::Subscribers> subscribers_;
};

std::shared_ptr<const Technology> read_map_e(Request& request) {
    const auto role = request.own.choice("role", {"br", "ce"}, "br", "what the DUT is");
    Addresses border_relays;
    auto domains = read_domains(request, [&](message::Fields& domain) {
        border_relays.emplace_back(domain.ipv6("br", "IPv6 address of the border relay"));
    });
    return std::make_shared<MapE>(role == "br" ? Side::left : Side::right, std::move(domains), std::move(border_relays),
                                  read_ipv4_hosts(*request.hosts[1]), request.seed);
}

}  // namespace

const Kind kind::map_e = {"map-e", "RFC 7597", FlowSpace::subscribers, read_map_e};

}  // namespace xlatperf::technology
