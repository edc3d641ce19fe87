// Which of many MAP domains has an address (RFC 7597 §5: the rule with the longest prefix).
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "link/prefix_table.h"
#include "technologies/map_rule.h"

namespace xlatperf::reference {

class RuleIndex {
  public:
    /// The domain with this number, which has these addresses.
    void add(std::size_t number, const MapRule& rule, const wire::Ipv4Prefix& ipv4, const wire::Ipv6Prefix& ipv6) {
        by_ipv4_.add(ipv4, {}).push_back({number, rule});
        by_ipv6_.add(ipv6, number);
    }
    bool has(wire::Ipv4Address address) const { return by_ipv4_.find(address) != nullptr; }
    /// Of several rules with a provisioned PSID, the one with the port's.
    std::optional<std::size_t> find(wire::Ipv4Address address, std::uint16_t port) const {
        const auto* found = by_ipv4_.find(address);
        if (found == nullptr) return {};
        const auto has_port = [&](const Domain& domain) {
            return !domain.rule.psid || domain.rule.psid_of(port) == *domain.rule.psid;
        };
        const auto own = std::find_if(found->begin(), found->end(), has_port);
        return own == found->end() ? found->front().number : own->number;
    }
    std::optional<std::size_t> find(wire::Ipv6Address map_address) const {
        const auto* found = by_ipv6_.find(map_address);
        return found == nullptr ? std::nullopt : std::optional(*found);
    }

  private:
    struct Domain {
        std::size_t number;
        MapRule rule;
    };
    PrefixTable<wire::Ipv4Address, wire::Ipv4Prefix, std::vector<Domain>> by_ipv4_;
    PrefixTable<wire::Ipv6Address, wire::Ipv6Prefix, std::size_t> by_ipv6_;
};

}  // namespace xlatperf::reference
