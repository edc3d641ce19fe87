#include "technology/map_domains.h"

#include <algorithm>

#include "technology/host_fields.h"
#include "wire/rfc6052.h"

namespace xlatperf::technology {

namespace {

constexpr std::int64_t usual_ces = 1000;

template <typename P> bool overlap(const P& a, const P& b) { return a.contains(b.address) || b.contains(a.address); }

// MapRule::problem() begins with the field.
void refuse_problem(const message::Fields& fields, const MapRule& rule) {
    const std::string problem = rule.problem();
    if (!problem.empty()) throw message::MessageError(fields.path_of(problem));
}

}  // namespace

// Of one CE as RFC 7597 Appendix A, example 5 has it: no EA bits, the PSID is provisioned.
MapRule MapDomain::own_rule() const {
    if (!ea) return rule;
    const MapCe ce = rule.ce(*ea);
    MapRule one = rule;
    one.ipv6 = {wire::Ipv6Prefix{ce.ipv6, rule.end_user_length()}.network(), rule.end_user_length()};
    one.ipv4 = {ce.ipv4, ce.ipv4_length};
    one.ea_bits = 0;
    if (rule.psid_length() > 0) {
        one.psid = ce.ports.psid();
        one.psid_length_given = rule.psid_length();
    }
    return one;
}

MapDomain read_domain(message::Fields& fields) {
    MapDomain found;
    MapRule& rule = found.rule;
    rule.ipv6 = fields.ipv6_prefix("ipv6", "Rule IPv6 prefix (RFC 7597 section 5)");
    rule.ipv4 = fields.ipv4_prefix("ipv4", "Rule IPv4 prefix");
    rule.ea_bits = static_cast<unsigned>(fields.integer("ea_bits", 0, 48, std::nullopt, "EA bits: IPv4 suffix and PSID"));
    rule.psid_offset = static_cast<unsigned>(fields.integer("psid_offset", 0, 15, 6, "RFC 7597 section 5.1"));
    if (fields.has("psid")) {
        rule.psid = static_cast<std::uint16_t>(fields.integer("psid", 0, 65535, 0, "the PSID, where EA bits have none"));
        rule.psid_length_given = static_cast<unsigned>(fields.integer("psid_length", 1, 16, std::nullopt, "its bits"));
    }
    if (!fields.only_help()) refuse_problem(fields, rule);
    const auto most = static_cast<std::int64_t>(std::min<std::uint64_t>(rule.ces(), flow::Subscribers::most));
    found.ces =
        static_cast<std::uint32_t>(fields.integer("ces", 1, fields.only_help() ? std::int64_t{flow::Subscribers::most} : most,
                                                  std::min(most, usual_ces), "how many CEs are simulated, drawn from the rule"));
    if (fields.has("ea")) {
        const auto last = static_cast<std::int64_t>(rule.ces() - 1);
        const auto ea =
            fields.integer("ea", 0, fields.only_help() ? (INT64_C(1) << 48) - 1 : last, 0, "only the CE with these EA bits");
        if (found.ces != 1) fields.refuse("ces", std::to_string(found.ces), "1 with ea");
        found.ea = static_cast<std::uint64_t>(ea);
    }
    return found;
}

void check_domains(const message::Fields& technology, const std::vector<MapDomain>& domains) {
    if (technology.only_help()) return;
    const auto refuse = [&](const std::string& allowed) {
        technology.refuse("domains", "a list of " + std::to_string(domains.size()), allowed);
    };
    if (domains.empty() || domains.size() > flow::Subscribers::most_domains)
        refuse("1 to " + std::to_string(flow::Subscribers::most_domains) + " domains");
    std::uint64_t ces = 0;
    for (const auto& domain : domains) ces += domain.ces;
    if (ces > flow::Subscribers::most) refuse("at most " + std::to_string(flow::Subscribers::most) + " CEs in all domains");
    for (std::size_t i = 0; i < domains.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const MapRule one = domains[i].own_rule(), other = domains[j].own_rule();
            const bool share_ipv4 = overlap(one.ipv4, other.ipv4) && (!one.psid || !other.psid || one.psid == other.psid);
            if (!overlap(one.ipv6, other.ipv6) && !share_ipv4) continue;
            throw message::MessageError(technology.path_of("domains[" + std::to_string(i) + "]") + ": " +
                                        wire::to_text(one.ipv6) + " and " + wire::to_text(one.ipv4) +
                                        " are not allowed: prefixes beside those of domains[" + std::to_string(j) + "]");
        }
    }
}

wire::Ipv6Address read_border_relay(message::Fields& domain) { return domain.ipv6("br", "IPv6 address of the border relay"); }

wire::Ipv6Prefix read_dmr(message::Fields& domain) {
    const auto dmr = domain.ipv6_prefix("dmr", "default mapping rule: who is outside (RFC 7599 section 5.1)");
    if (domain.only_help()) return dmr;
    if (!wire::rfc6052::is_prefix_length(dmr.length) || ((dmr.network().value >> 56) & 0xff) != 0)
        domain.refuse("dmr", wire::to_text(dmr),
                      "a length of 32, 40, 48, 56, 64 or 96, bits 64 to 71 zero (RFC 6052 section 2.2)");
    return {dmr.network(), dmr.length};
}

Side read_ipv6_side(Request& request) {
    return request.own.choice("role", {"br", "ce"}, "br", "what the DUT is") == "br" ? Side::left : Side::right;
}

MapTechnology::MapTechnology(Side ipv6_side, std::vector<MapDomain> domains, bool host_in_ipv6, Request& request)
    : ipv6_side_(ipv6_side), domains_(std::move(domains)), hosts_(read_ipv4_hosts(*request.hosts[1])) {
    std::vector<flow::Subscribers::Domain> drawn;
    for (const auto& domain : domains_) drawn.push_back({domain.rule.subscribers(host_in_ipv6), domain.ces, domain.ea});
    subscribers_ = std::make_shared<const flow::Subscribers>(drawn, request.seed);
}

std::vector<std::string> MapTechnology::routes(Side side) const {
    const bool ipv6 = side == ipv6_side_;
    if (side == Side::right) return ipv6 ? outside() : networks_of(hosts_);
    std::vector<std::string> found;
    for (const auto& domain : domains_) {
        const MapRule rule = domain.own_rule();
        found.push_back(ipv6 ? wire::to_text(wire::Ipv6Prefix{rule.ipv6.network(), rule.ipv6.length})
                             : wire::to_text(wire::Ipv4Prefix{rule.ipv4.network(), rule.ipv4.length}));
    }
    return found;
}

}  // namespace xlatperf::technology
