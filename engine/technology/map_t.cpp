// MAP-T (RFC 7599): as MAP-E, but IPv4 is translated to IPv6 (RFC 7915) and back instead of being encapsulated. A CE has its MAP
// IPv6 address; who is outside the domain is in its default mapping rule's prefix (DMR, RFC 6052). The DUT is the border relay
// (BR), and the Tester plays the CEs on the left; or it is a CE without NAPT44, and the Tester plays its hosts on the left. With
// hairpinning the border relay sends packets of one CE back to another one; in a mesh a CE sends them there itself.
#include "technology/map_domains.h"
#include "technology/translated.h"
#include "wire/rfc6052.h"

namespace xlatperf::technology {

namespace {

class MapT final : public MapTechnology {
  public:
    /// `dmrs`: of each domain. A CE's IPv6 address has the packet's whole IPv4 address: nothing else could tell a prefix's
    /// addresses from each other.
    MapT(MapRole role, std::vector<MapDomain> domains, std::vector<wire::Ipv6Prefix> dmrs, Request& request)
        : MapTechnology(role, std::move(domains), true, request), dmrs_(std::move(dmrs)) {
        // If all domains have the same, so have their hosts the same addresses, and one list is enough.
        if (std::equal(dmrs_.begin() + (dmrs_.empty() ? 0 : 1), dmrs_.end(), dmrs_.begin())) dmrs_.resize(dmrs_.empty() ? 0 : 1);
        request.hosts[1]->check(dmrs_.size() * hosts().count() <= most_addresses, "hosts", hosts().hosts,
                                "at most " + std::to_string(most_addresses) + " hosts behind the DMRs of all domains together");
    }

    wire::Family family(Side side) const override { return side == ipv6_side() ? wire::Family::ipv6 : wire::Family::ipv4; }
    Arriving arrives(Side side) const override { return translated(family(side)); }

    Names names(Side side, Side seen_from) const override {
        if (hairpinning() && side != seen_from) return outside_subscriber();
        if (mesh() && side == Side::left) return seen_from == Side::left ? dut_ipv4() : dut_ipv6();
        if (side == Side::left || hairpinning() || mesh()) return subscriber();
        if (family(seen_from) == wire::Family::ipv4) return addresses_of(hosts());
        const auto behind = [&](const wire::Ipv6Prefix& dmr, Addresses& found) {  // RFC 7915 §4.1, §5.1 by RFC 7599 §5.1
            for (std::uint32_t i = 0; i < hosts().count(); ++i) found.emplace_back(wire::rfc6052::embed(dmr, hosts().address(i)));
        };
        OfDomain found{{}, hosts().count()};
        for (const auto& dmr : dmrs_) behind(dmr, found.addresses);
        if (dmrs_.size() == 1) return std::move(found.addresses);
        return found;
    }

    /// Between CEs: the border relay translates to IPv4 and back, so the one that sent it is outside now.
    Names arriving_names(Side side, Side seen_from) const override {
        if (!hairpinning()) return names(side, seen_from);
        if (side == Side::left) return outside_subscriber();
        return subscriber();
    }

  protected:
    std::vector<std::string> outside() const override {
        std::vector<std::string> found;
        for (const auto& dmr : dmrs_) found.push_back(wire::to_text(dmr));
        return found;
    }

  private:
    static constexpr std::size_t most_addresses = 1 << 20;

    OutsideSubscriber outside_subscriber() const { return {subscriber().all, dmrs_}; }

    std::vector<wire::Ipv6Prefix> dmrs_;
};

std::shared_ptr<const Technology> read_map_t(Request& request) {
    const MapRole role = read_role(request);
    std::vector<wire::Ipv6Prefix> dmrs;
    auto domains = read_domains(
        request, [&](message::Fields& domain) { dmrs.push_back(read_dmr(domain)); }, role.mesh);
    return std::make_shared<MapT>(role, std::move(domains), std::move(dmrs), request);
}

}  // namespace

const Kind kind::map_t = {"map-t", "RFC 7599", FlowSpace::subscribers, read_map_t};

}  // namespace xlatperf::technology
