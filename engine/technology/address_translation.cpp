#include "technology/address_translation.h"

#include "technology/translation_prefix.h"
#include "wire/rfc6052.h"

namespace xlatperf::technology {

std::optional<wire::Ipv6Address> AddressTranslation::to_ipv6(wire::Ipv4Address address) const {
    if (const auto mapped = mappings_.to_ipv6(address)) return mapped;
    if (prefix_) return wire::rfc6052::embed(*prefix_, address);
    return {};
}

std::optional<wire::Ipv4Address> AddressTranslation::to_ipv4(wire::Ipv6Address address) const {
    if (const auto mapped = mappings_.to_ipv4(address)) return mapped;
    return prefix_ ? wire::rfc6052::extract(*prefix_, address) : std::nullopt;
}

AddressTranslation read_address_translation(message::Fields& fields) {
    std::optional<wire::Ipv6Prefix> prefix;
    if (fields.has("prefix")) prefix = read_translation_prefix(fields);
    std::vector<AddressMapping> rows;
    fields.objects("eam", "explicit address mappings (RFC 7757)", [&](message::Fields& row) {
        auto& mapping = rows.emplace_back();
        row.require("ipv4", mapping.ipv4, "the IPv4 prefix");
        row.require("ipv6", mapping.ipv6, "the IPv6 prefix");
        const auto same = [](const auto& a, const auto& b) { return a.length == b.length && a.network() == b.network(); };
        for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
            const std::string others = "a network that eam[" + std::to_string(i) + "] doesn't have";
            row.check(!same(rows[i].ipv4, mapping.ipv4), "ipv4", wire::to_text(mapping.ipv4), others);
            row.check(!same(rows[i].ipv6, mapping.ipv6), "ipv6", wire::to_text(mapping.ipv6), others);
        }
        row.check(
            mapping.fits(), "ipv6", wire::to_text(mapping.ipv6),
            "a prefix whose suffix is at least as long as that of " + wire::to_text(mapping.ipv4) + " (RFC 7757 section 3.1)");
    });
    return {prefix, AddressMappingTable(std::move(rows))};
}

}  // namespace xlatperf::technology
