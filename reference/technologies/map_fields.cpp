// MAP's domains and checks as JSON.
#include "technologies/checks.h"
#include "technologies/map_domains.h"
#include "technologies/translation_fields.h"

namespace xlatperf::reference {

namespace {

constexpr std::size_t most_domains = 64;

/// RFC 7597 §5: what a rule can be.
void check_rule(const StrictObject& object, const MapRule& rule) {
    if (rule.end_user_length() > 128)
        fail(object.path("ea_bits"), rule.ea_bits, "with the prefix's length at most 128 (RFC 7597 section 5.2)");
    if (rule.psid && rule.ea_bits != 32 - rule.ipv4.length)
        fail(object.path("psid"), *rule.psid, "only with EA bits that hold the IPv4 suffix alone (RFC 7597 section 5.2)");
    if (rule.psid_length() + rule.psid_offset > 16)
        fail(object.path("psid_offset"), rule.psid_offset, "with the PSID's length at most 16 (RFC 7597 section 5.1)");
    if (rule.psid && *rule.psid >> rule.provisioned_length != 0)
        fail(object.path("psid"), *rule.psid, "a number of psid_length bits");
}

MapRule read_rule(const StrictObject& object) {
    MapRule rule;
    rule.ipv6 = object.parsed("ipv6", wire::parse_ipv6_prefix, ipv6_prefix_form);
    rule.ipv4 = object.parsed("ipv4", wire::parse_ipv4_prefix, ipv4_prefix_form);
    rule.ea_bits = static_cast<unsigned>(object.integer("ea_bits", 0, 48));
    rule.psid_offset = static_cast<unsigned>(object.integer("psid_offset", 0, 15, 6));
    if (object.has("psid")) {
        rule.psid = static_cast<std::uint16_t>(object.integer("psid", 0, 65535));
        rule.provisioned_length = static_cast<unsigned>(object.integer("psid_length", 1, 16));
    } else if (object.has("psid_length")) {
        fail(object.path("psid_length"), object.at("psid_length"), "only with psid");
    }
    check_rule(object, rule);
    return rule;
}

void read_checks(MapSettings& settings, const StrictObject& technology, const std::vector<Check>& known) {
    std::vector<std::string_view> names;
    for (const Check check : known) names.push_back(check_names[static_cast<std::size_t>(check)]);
    const CheckNames off = read_switched_off(technology, names);
    for (std::size_t i = 0; i < check_names.size(); ++i) settings.off[i] = off.contains(check_names[i]);
}

}  // namespace

MapSettings read_map(const StrictObject& object, std::string_view own, const std::vector<Check>& br_checks,
                     const std::vector<Check>& ce_checks, const std::function<void(const StrictObject&)>& read_own) {
    MapSettings settings;
    settings.is_border_relay = object.one_of("role", {"br", "ce"}, "") == "br";
    object.at("domains");
    const Json& domains = object.array("domains");
    if (domains.empty() || domains.size() > most_domains) fail(object.path("domains"), domains.size(), "1 to 64 domains");
    for (std::size_t i = 0; i < domains.size(); ++i) {
        const StrictObject row(domains[i], object.path("domains") + "[" + std::to_string(i) + "]",
                               {"ipv6", "ipv4", "ea_bits", "psid_offset", "psid", "psid_length", "ces", "ea", own});
        MapDomain domain{read_rule(row), {}};
        const std::uint64_t last = (std::uint64_t{1} << domain.rule.ea_bits) - 1;
        if (!settings.is_border_relay) domain.ce = domain.rule.ce_of_ea(row.integer("ea", 0, last));
        read_own(row);
        settings.domains.push_back(domain);
    }
    read_checks(settings, object, settings.is_border_relay ? br_checks : ce_checks);
    return settings;
}

}  // namespace xlatperf::reference
