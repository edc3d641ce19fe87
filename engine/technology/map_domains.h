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

/// `role`: the side of IPv6: left of a border relay, right of a CE.
Side read_ipv6_side(Request& request);

class MapTechnology : public Technology {
  public:
    /// `host_in_ipv6`: see MapRule::subscribers.
    MapTechnology(Side ipv6_side, std::vector<MapDomain> domains, bool host_in_ipv6, Request& request);

    flow::Space flows() const override { return flow::SubscriberFlows::Space{subscribers_, hosts_.networks}; }
    std::vector<std::string> routes(Side side) const override;

  protected:
    Side ipv6_side() const { return ipv6_side_; }
    OfSubscriber subscriber() const { return {subscribers_}; }
    /// Who is outside the domains.
    const flow::Ipv4Hosts& hosts() const { return hosts_; }
    /// What stands for them on the IPv6 side, as prefixes.
    virtual std::vector<std::string> outside() const = 0;

  private:
    Side ipv6_side_;
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
