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
    std::optional<std::uint64_t> ea{};  ///< only the CE with these EA bits
    /// The rule, or that of this CE alone.
    MapRule own_rule() const;
};

/// `technology.domains`. `read_more` reads what MAP-E or MAP-T adds to a domain.
template <typename ReadMore> std::vector<MapDomain> read_domains(Request& request, ReadMore read_more);

/// One domain of the list.
MapDomain read_domain(message::Fields& fields);

/// Throws message::MessageError if there are none or too many, or if two of them share addresses.
void check_domains(const message::Fields& technology, const std::vector<MapDomain>& domains);

/// What MAP-E adds to a domain, and MAP-T.
wire::Ipv6Address read_border_relay(message::Fields& domain);
wire::Ipv6Prefix read_dmr(message::Fields& domain);

/// What the DUT is.
struct MapRole {
    bool is_border_relay = true;
    bool hairpinning = false;  ///< of a border relay: its CEs send to each other through it (RFC 7597 §5: hub and spoke)
};
/// `role`, `hairpinning`.
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
    OfSubscriber subscriber() const { return {subscribers_}; }
    /// Who is outside the domains.
    const flow::Ipv4Hosts& hosts() const { return hosts_; }
    /// What stands for them on the IPv6 side, as prefixes.
    virtual std::vector<std::string> outside() const = 0;

  private:
    MapRole role_;
    std::vector<MapDomain> domains_;
    flow::Ipv4Hosts hosts_;
    std::shared_ptr<const flow::Subscribers> subscribers_;
};

template <typename ReadMore> std::vector<MapDomain> read_domains(Request& request, ReadMore read_more) {
    std::vector<MapDomain> found;
    request.own.objects("domains", "MAP domains: a rule each, and how many CEs", [&](message::Fields& fields) {
        found.push_back(read_domain(fields));
        read_more(fields);
    });
    check_domains(request.own, found);
    return found;
}

}  // namespace xlatperf::technology
