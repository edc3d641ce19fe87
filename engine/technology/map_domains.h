// MAP domains of a request (RFC 7597 §5, RFC 7599 §5): the rule of each, what is beyond the domain, and how many of its CEs the
// Tester plays.
#pragma once

#include <memory>
#include <vector>

#include "technology/kind.h"
#include "technology/map_rule.h"

namespace xlatperf::technology {

struct MapDomain {
    MapRule rule;
    std::uint32_t ces = 1;
};

/// `technology.domains`. `read_more` reads what MAP-E or MAP-T adds to a domain.
template <typename ReadMore> std::vector<MapDomain> read_domains(Request& request, ReadMore read_more);

/// One domain of the list.
MapDomain read_domain(message::Fields& fields);

/// Throws message::MessageError if there are none or too many, or if two of them share addresses.
void check_domains(const message::Fields& technology, const std::vector<MapDomain>& domains);

std::shared_ptr<const flow::Subscribers> draw_subscribers(const std::vector<MapDomain>& domains, bool host_in_ipv6,
                                                          std::uint64_t seed);

/// The IPv6 or IPv4 prefixes of all rules.
std::vector<std::string> rule_prefixes(const std::vector<MapDomain>& domains, wire::Family family);

template <typename ReadMore> std::vector<MapDomain> read_domains(Request& request, ReadMore read_more) {
    std::vector<MapDomain> found;
    for (auto& fields : request.own.objects("domains", "MAP domains: a rule each, and how many CEs")) {
        found.push_back(read_domain(fields));
        read_more(fields);
        fields.no_more();
    }
    check_domains(request.own, found);
    return found;
}

}  // namespace xlatperf::technology
