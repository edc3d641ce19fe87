// MAP's domains and checks in the configuration.
#include "technologies/checks.h"
#include "technologies/map_domains.h"

namespace xlatperf::reference {

using message::Fields;

namespace {

constexpr std::size_t most_domains = 4096;

/// RFC 7597 §5: what a rule can be.
void check_rule(const Fields& fields, const MapRule& rule) {
    fields.check(rule.end_user_length() <= 128, "ea_bits", rule.ea_bits,
                 "with the prefix's length at most 128 (RFC 7597 section 5.2)");
    if (rule.psid)
        fields.check(rule.ea_bits == 32 - rule.ipv4.length, "psid", *rule.psid,
                     "only with EA bits that hold the IPv4 suffix alone (RFC 7597 section 5.2)");
    const char* too_long = rule.psid ? "psid_length" : "ea_bits";
    fields.check(rule.psid_length() + rule.psid_offset <= 16, too_long, rule.psid ? rule.provisioned_length : rule.ea_bits,
                 "with the PSID's offset at most 16 bits of a port (RFC 7597 section 5.1)");
    if (rule.psid) fields.check(*rule.psid >> rule.provisioned_length == 0, "psid", *rule.psid, "a number of psid_length bits");
}

MapRule read_rule(Fields& fields) {
    MapRule rule;
    fields.require("ipv6", rule.ipv6, "Rule IPv6 prefix (RFC 7597 section 5)");
    fields.require("ipv4", rule.ipv4, "Rule IPv4 prefix");
    fields.require("ea_bits", rule.ea_bits, 0, 48, "EA bits: IPv4 suffix and PSID");
    fields.read("psid_offset", rule.psid_offset, 0, 15, "RFC 7597 section 5.1");
    fields.read("psid", rule.psid, 0, 65535, "the PSID, where EA bits have none");
    if (fields.has("psid")) fields.require("psid_length", rule.provisioned_length, 1, 16, "its bits");
    fields.check(rule.psid || !fields.has("psid_length"), "psid_length", "a number", "only with psid");
    static constexpr wire::Word<bool> identifier_words[] = {{"rfc7597", false}, {"draft-03", true}};
    bool is_of_draft = false;
    fields.read("interface_identifier", is_of_draft, identifier_words,
                "of MAP addresses: RFC 7597 section 6, or draft-ietf-softwire-map-03");
    rule.behind_psid = is_of_draft ? 8 : 0;
    check_rule(fields, rule);
    return rule;
}

}  // namespace

bool read_is_border_relay(Fields& technology) {
    static constexpr wire::Word<bool> role_words[] = {{"br", true}, {"ce", false}};
    bool is_border_relay = true;
    technology.require("role", is_border_relay, role_words, "what the device is");
    return is_border_relay;
}

MapSettings read_map(Fields& technology, bool is_border_relay, const std::vector<Check>& checks,
                     const std::function<void(Fields&)>& read_own) {
    MapSettings settings;
    settings.is_border_relay = is_border_relay;
    if (is_border_relay) {
        technology.read("hairpinning", settings.hairpinning, "packets of one CE to another go back (RFC 7597 section 5)");
    }
    technology.read("mesh", settings.mesh, "ce: the domains' rules are Forwarding Mapping Rules, the first one is its own");
    technology.check(!is_border_relay || !settings.mesh, "mesh", "true", "false with role br");
    technology.objects("domains", "MAP domains: a rule each", [&](Fields& fields) {
        MapDomain domain{read_rule(fields), {}};
        for (const char* of_tester : {"ces", "ea"}) fields.has(of_tester);  // a border relay knows the rule alone
        if (!is_border_relay && (!settings.mesh || settings.domains.empty())) {
            std::uint64_t ea = 0;
            fields.require("ea", ea, 0, (std::uint64_t{1} << domain.rule.ea_bits) - 1, "EA bits of the CE that the device is");
            domain.ce = domain.rule.ce_of_ea(ea);
        }
        read_own(fields);
        settings.domains.push_back(domain);
    });
    technology.check(!settings.domains.empty() && settings.domains.size() <= most_domains, "domains",
                     "a list of " + std::to_string(settings.domains.size()), "1 to 4096 domains");
    std::vector<std::string_view> names;
    const bool other_ces = is_border_relay || settings.mesh;
    for (const Check check : checks)
        if (check != Check::ea_bits || other_ces) names.push_back(check_names[static_cast<std::size_t>(check)]);
    const CheckNames off = read_switched_off(technology, names);
    for (std::size_t i = 0; i < check_names.size(); ++i) settings.off[i] = off.contains(check_names[i]);
    return settings;
}

}  // namespace xlatperf::reference
