#include "technologies/translation_fields.h"

#include "wire/rfc6052.h"

namespace xlatperf::reference {

wire::Ipv6Prefix read_translation_prefix(message::Fields& technology, const std::string& key) {
    wire::Ipv6Prefix prefix;
    technology.require(key, prefix, "the translation prefix (RFC 6052 section 2.2)");
    technology.check(wire::rfc6052::is_prefix_length(prefix.length), key, wire::to_text(prefix),
                     "a length of 32, 40, 48, 56, 64 or 96 (RFC 6052 section 2.2)");
    technology.check(((prefix.network().value >> 56) & 0xff) == 0, key, wire::to_text(prefix),
                     "bits 64 to 71 zero (RFC 6052 section 2.2)");
    return prefix;
}

AddressMap read_address_map(message::Fields& technology) {
    std::optional<wire::Ipv6Prefix> prefix;
    if (technology.has("prefix")) prefix = read_translation_prefix(technology, "prefix");
    std::vector<Eam> table;
    technology.objects("eam", "explicit address mappings (RFC 7757); these or prefix, or both", [&](message::Fields& row) {
        Eam& eam = table.emplace_back();
        row.require("ipv4", eam.ipv4, "the IPv4 prefix");
        row.require("ipv6", eam.ipv6, "the IPv6 prefix");
        row.check(AddressMap::suffixes_fit(eam), "ipv6", wire::to_text(eam.ipv6),
                  "a suffix at least as long as that of ipv4 (RFC 7757 section 3.2)");
    });
    if (!prefix && table.empty())
        throw message::MessageError(technology.path_of("prefix") + ": missing; give \"prefix\" or \"eam\"");
    return AddressMap(prefix, std::move(table));
}

namespace {

void read_udp_checksum_zero(message::Fields& technology, bool& compute) {
    static constexpr wire::Word<bool> words[] = {{"drop", false}, {"compute", true}};
    technology.read("udp_checksum_zero", compute, words, "IPv4 UDP packets without a checksum (RFC 7915 section 4.5)");
}

}  // namespace

std::optional<TranslatedTwice> read_double_translation(message::Fields& technology) {
    bool twice = false;
    technology.read("double_translation", twice,
                    "IPv4 leaves as two translators in a row make it (RFC 7915): identification of a generator, DF only in "
                    "packets of more than 1260 bytes, UDP with a checksum");
    if (!twice) return {};
    TranslatedTwice made;
    read_udp_checksum_zero(technology, made.compute_udp_checksum_zero);
    return made;
}

Siit read_translation(message::Fields& technology) {
    Siit siit;
    read_udp_checksum_zero(technology, siit.compute_udp_checksum_zero);
    technology.read("lowest_ipv6_mtu", siit.lowest_ipv6_mtu, 1280, 9600,
                    "IPv4 packets with DF=0 whose translation is longer are fragmented (RFC 7915 section 4.1)");
    return siit;
}

}  // namespace xlatperf::reference
