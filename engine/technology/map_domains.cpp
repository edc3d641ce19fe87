#include "technology/map_domains.h"

#include <algorithm>
#include <utility>

#include "technology/host_fields.h"
#include "wire/rfc6052.h"

namespace xlatperf::technology {

namespace {

constexpr std::uint32_t usual_ces = 1000;

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

MapDomain read_domain(message::Fields& fields, bool of_dut) {
    MapDomain found;
    MapRule& rule = found.rule;
    fields.require("ipv6", rule.ipv6, "Rule IPv6 prefix (RFC 7597 section 5)");
    fields.require("ipv4", rule.ipv4, "Rule IPv4 prefix");
    fields.require("ea_bits", rule.ea_bits, 0, 48, "EA bits: IPv4 suffix and PSID");
    fields.read("psid_offset", rule.psid_offset, 0, 15, "RFC 7597 section 5.1");
    fields.read("psid", rule.psid, 0, 65535, "the PSID, where EA bits have none");
    if (fields.has("psid")) fields.require("psid_length", rule.psid_length_given, 1, 16, "its bits");
    static constexpr wire::Word<IdentifierFormat> identifier_words[] = {{"rfc7597", IdentifierFormat::rfc7597},
                                                                        {"draft-03", IdentifierFormat::draft03}};
    fields.read("interface_identifier", rule.identifier, identifier_words,
                "of MAP addresses: RFC 7597 section 6, or draft-ietf-softwire-map-03");
    if (!fields.only_help()) refuse_problem(fields, rule);
    const bool any = fields.only_help();
    if (of_dut && !any) {
        fields.check(rule.suffix_bits() > 0, "ea_bits", rule.ea_bits, with_mesh);
        if (!fields.has("ea")) throw message::MessageError(fields.path_of("ea: missing: with mesh, the CE that the DUT is"));
    }
    const auto most = static_cast<std::uint32_t>(
        any ? flow::Subscribers::most
            : std::min<std::uint64_t>(of_dut ? rule.ces() - rule.sharing() : rule.ces(), flow::Subscribers::most));
    found.ces = std::min(most, usual_ces);
    fields.read("ces", found.ces, 1, most, "how many CEs are simulated, drawn from the rule");
    fields.read("ea", found.ea, 0, (any ? std::uint64_t{1} << 48 : rule.ces()) - 1, "only the CE with these EA bits");
    fields.check(!found.ea || found.ces == 1 || of_dut, "ces", found.ces, "1 with ea");
    return found;
}

void check_domains(const message::Fields& technology, const std::vector<MapDomain>& domains, bool mesh) {
    if (technology.only_help()) return;
    const auto refuse = [&](const std::string& allowed) {
        technology.refuse("domains", "a list of " + std::to_string(domains.size()), allowed);
    };
    if (domains.empty() || domains.size() > flow::Subscribers::most_domains)
        refuse("1 to " + std::to_string(flow::Subscribers::most_domains) + " domains");
    std::uint64_t ces = 0;
    for (const auto& domain : domains) ces += domain.ces;
    if (ces > flow::Subscribers::most) refuse("at most " + std::to_string(flow::Subscribers::most) + " CEs in all domains");
    std::vector<MapRule> own;
    for (const auto& domain : domains) own.push_back(mesh && own.empty() ? domain.rule : domain.own_rule());
    for (std::size_t i = 0; i < domains.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const MapRule &one = own[i], &other = own[j];
            const bool share_ipv4 = overlap(one.ipv4, other.ipv4) && (!one.psid || !other.psid || one.psid == other.psid);
            if (!overlap(one.ipv6, other.ipv6) && !share_ipv4) continue;
            throw message::MessageError(technology.path_of("domains[" + std::to_string(i) + "]") + ": " +
                                        wire::to_text(one.ipv6) + " and " + wire::to_text(one.ipv4) +
                                        " are not allowed: prefixes beside those of domains[" + std::to_string(j) + "]");
        }
    }
}

wire::Ipv6Address read_border_relay(message::Fields& domain) {
    wire::Ipv6Address found;
    domain.require("br", found, "IPv6 address of the border relay");
    return found;
}

wire::Ipv6Prefix read_dmr(message::Fields& domain) {
    wire::Ipv6Prefix dmr;
    domain.require("dmr", dmr, "default mapping rule: who is outside (RFC 7599 section 5.1)");
    domain.check(wire::rfc6052::is_prefix_length(dmr.length) && ((dmr.network().value >> 56) & 0xff) == 0, "dmr",
                 wire::to_text(dmr), "a length of 32, 40, 48, 56, 64 or 96, bits 64 to 71 zero (RFC 6052 section 2.2)");
    return {dmr.network(), dmr.length};
}

MapRole read_role(Request& request) {
    static constexpr wire::Word<bool> role_words[] = {{"br", true}, {"ce", false}};
    MapRole found;
    request.own.read("role", found.is_border_relay, role_words, "what the DUT is");
    request.own.read("hairpinning", found.hairpinning, "br: from one CE to another (RFC 7597 section 5: hub-and-spoke mode)");
    request.own.check(found.is_border_relay || !found.hairpinning, "hairpinning", "true", "false with role ce");
    request.own.read("mesh", found.mesh, "ce: to other CEs and from them (RFC 7597 section 5: Forwarding Mapping Rules)");
    request.own.check(!found.is_border_relay || !found.mesh, "mesh", "true", "false with role br");
    return found;
}

MapTechnology::MapTechnology(MapRole role, std::vector<MapDomain> domains, bool host_in_ipv6, Request& request)
    : role_(role), domains_(std::move(domains)), hosts_(read_ipv4_hosts(*request.hosts[1])) {
    std::vector<flow::Subscribers::Domain> drawn;
    for (const auto& domain : domains_) drawn.push_back({domain.rule.subscribers(host_in_ipv6), domain.ces, domain.ea});
    if (role_.mesh && !drawn.empty()) {
        auto& own = drawn.front();
        dut_ = std::make_shared<const flow::Subscribers>(std::vector<flow::Subscribers::Domain>{{own.rule, 1, own.only}},
                                                         request.seed);
        // Who shares the DUT's address with it is nobody that it can reach by that.
        const std::uint64_t sharing = domains_.front().rule.sharing();
        own.without = {*std::exchange(own.only, std::nullopt) / sharing * sharing, sharing};
    }
    subscribers_ = std::make_shared<const flow::Subscribers>(drawn, request.seed);
    request.own.check(!role_.hairpinning || subscribers_->count() >= 2, "hairpinning", "true", "false with one CE: it takes two");
}

flow::Space MapTechnology::flows() const {
    if (role_.hairpinning) return flow::HairpinFlows::Space{subscribers_};
    if (role_.mesh) return flow::SubscriberFlows::Space{subscribers_, dut_addresses(), Side::right, dut_};
    return flow::SubscriberFlows::Space{subscribers_, hosts_.count()};
}

// Of a prefix not more than fit into a list.
std::uint32_t MapTechnology::dut_addresses() const { return 1U << std::min(dut_->rule(0).host_bits, 16U); }

Addresses MapTechnology::dut_ipv4() const {
    Addresses found;
    for (std::uint32_t host = 0; host < dut_addresses(); ++host) found.emplace_back(dut_->ipv4((*dut_)(0), host));
    return found;
}

Addresses MapTechnology::dut_ipv6() const {
    Addresses found;
    for (std::uint32_t host = 0; host < dut_addresses(); ++host) found.emplace_back(dut_->ipv6((*dut_)(0), host));
    return found;
}

std::vector<std::string> MapTechnology::routes(Side side) const {
    const bool ipv6 = side == ipv6_side();
    if (side == Side::right && role_.hairpinning) return {};
    if (side == Side::right && !role_.mesh) return ipv6 ? outside() : networks_of(hosts_);
    std::vector<std::string> found;
    for (const auto& domain : domains_) {
        const bool of_dut = role_.mesh && &domain == domains_.data();
        if (role_.mesh && side == Side::left && !of_dut) break;
        const MapRule rule = of_dut && side == Side::right ? domain.rule : domain.own_rule();
        found.push_back(ipv6 ? wire::to_text(wire::Ipv6Prefix{rule.ipv6.network(), rule.ipv6.length})
                             : wire::to_text(wire::Ipv4Prefix{rule.ipv4.network(), rule.ipv4.length}));
    }
    // A CE that doesn't know the others sends what is for them there.
    if (role_.mesh && side == Side::right)
        for (auto& prefix : outside()) found.push_back(std::move(prefix));
    return found;
}

}  // namespace xlatperf::technology
