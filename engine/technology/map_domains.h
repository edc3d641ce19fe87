// What MAP-E and MAP-T have in common (RFC 7597 §5, RFC 7599 §5): domains with a rule each, CEs of which the Tester plays some or
// that the DUT is, and IPv4 hosts outside.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "technology/kind.h"
#include "technology/map_rule.h"

namespace xlatperf::technology {

struct MapDomain {
    MapRule rule;
    std::uint32_t ces = 1;
    std::optional<std::uint64_t> ea{};  ///< only the CE with these EA bits; in a mesh, of the first domain, the DUT
    /// The rule, or that of this CE alone.
    MapRule own_rule() const;
};

/// `technology.domains`. `read_more` reads what MAP-E or MAP-T adds to a domain. `mesh`: `ea` of the first one is the DUT, `ces`
/// are others.
template <typename ReadMore> std::vector<MapDomain> read_domains(Request& request, ReadMore read_more, bool mesh = false);

/// Of the EA bits: what a rule must have so that another CE of the domain can be reached by it.
inline constexpr const char* with_mesh = "with mesh, some of the IPv4 address: no other CE of the domain has another one";

/// One domain of the list. `of_dut`: the first one of a mesh.
MapDomain read_domain(message::Fields& fields, bool of_dut);

/// Throws message::MessageError if there are none or too many, or if two of them share addresses.
void check_domains(const message::Fields& technology, const std::vector<MapDomain>& domains, bool mesh);

/// What MAP-E adds to a domain, and MAP-T.
wire::Ipv6Address read_border_relay(message::Fields& domain);
wire::Ipv6Prefix read_dmr(message::Fields& domain);

/// What the DUT is.
struct MapRole {
    bool is_border_relay = true;
    bool hairpinning = false;  ///< of a border relay: its CEs send to each other through it (RFC 7597 §5: hub and spoke)
    bool mesh = false;         ///< of a CE: it and others send to each other (RFC 7597 §5: Forwarding Mapping Rules)
};
/// `role`, `hairpinning`, `mesh`.
MapRole read_role(Request& request);

class MapTechnology : public Technology {
  public:
    /// `host_in_ipv6`: see MapRule::subscribers. Throws message::MessageError.
    MapTechnology(MapRole role, std::vector<MapDomain> domains, bool host_in_ipv6, Request& request);

    flow::Space flows() const override;
    std::vector<std::string> routes(Side side) const override;

  protected:
    /// The side of IPv6: left of a border relay, right of a CE.
    Side ipv6_side() const { return role_.is_border_relay ? Side::left : Side::right; }
    /// From one CE to another, which are both on the left.
    bool hairpinning() const { return role_.hairpinning; }
    /// The DUT is on the left, other CEs on the right.
    bool mesh() const { return role_.mesh; }
    OfSubscriber subscriber() const { return {subscribers_}; }
    /// Of a mesh, the DUT: its IPv4 addresses, its MAP addresses for them.
    Addresses dut_ipv4() const;
    Addresses dut_ipv6() const;
    /// Who is outside the domains.
    const flow::Ipv4Hosts& hosts() const { return hosts_; }
    /// What stands for them on the IPv6 side, as prefixes.
    virtual std::vector<std::string> outside() const = 0;

  private:
    MapRole role_;
    std::vector<MapDomain> domains_;
    flow::Ipv4Hosts hosts_;
    std::shared_ptr<const flow::Subscribers> subscribers_;
    std::shared_ptr<const flow::Subscribers> dut_;  // in a mesh

    std::uint32_t dut_addresses() const;
};

template <typename ReadMore> std::vector<MapDomain> read_domains(Request& request, ReadMore read_more, bool mesh) {
    std::vector<MapDomain> found;
    request.own.objects("domains", "MAP domains: a rule each, and how many CEs", [&](message::Fields& fields) {
        found.push_back(read_domain(fields, mesh && found.empty()));
        read_more(fields);
    });
    check_domains(request.own, found, mesh);
    return found;
}

}  // namespace xlatperf::technology
