// The longest prefix that an address is in.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "link/frame.h"
#include "wire/address.h"

namespace xlatperf::reference {

/// `via` absent: the destination is on the link.
template <typename Address> struct NextHop {
    Side side = Side::left;
    std::optional<Address> via;
};

template <typename Address, typename Prefix> class RouteTable {
  public:
    void add(const Prefix& prefix, NextHop<Address> next_hop) {
        auto group = std::find_if(groups_.begin(), groups_.end(), [&](auto& g) { return g.length <= prefix.length; });
        if (group == groups_.end() || group->length != prefix.length) group = groups_.insert(group, Group{prefix.length, {}});
        const Route route{prefix.network(), next_hop};
        const auto at = lower(group->routes, route.network);
        if (at == group->routes.end() || !(at->network == route.network)) group->routes.insert(at, route);  // the first one stays
    }
    const NextHop<Address>* find(Address address) const {
        for (const Group& group : groups_) {
            const Address network = Prefix{address, group.length}.network();
            const auto at = lower(group.routes, network);
            if (at != group.routes.end() && at->network == network) return &at->next_hop;
        }
        return nullptr;
    }

  private:
    struct Route {
        Address network;
        NextHop<Address> next_hop;
    };
    struct Group {  // routes of one prefix length, sorted
        unsigned length = 0;
        std::vector<Route> routes;
    };
    std::vector<Group> groups_;  // the longest first

    template <typename Routes> static auto lower(Routes& routes, Address network) {
        return std::lower_bound(routes.begin(), routes.end(), network, [](const Route& r, Address n) { return r.network < n; });
    }
};

using Ipv4Routes = RouteTable<wire::Ipv4Address, wire::Ipv4Prefix>;
using Ipv6Routes = RouteTable<wire::Ipv6Address, wire::Ipv6Prefix>;

}  // namespace xlatperf::reference
