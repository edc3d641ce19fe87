// Stateless translation (RFC 7915) between the IPv6 side and the other.
#include "translate/siit.h"

#include "technologies/kind.h"
#include "technologies/translation_fields.h"

namespace xlatperf::reference {

namespace {

class SiitTranslator final : public Technology {
  public:
    SiitTranslator(Siit siit, Side ipv6_side) : siit_(std::move(siit)), ipv6_side_(ipv6_side) {}

    bool takes(const Arrival& arrival) const override {
        if (arrival.own) return false;
        if (arrival.side == ipv6_side_)
            return arrival.family == wire::Family::ipv6 && siit_.map.to_ipv4(wire::Ipv6Address{arrival.destination});
        if (arrival.family != wire::Family::ipv4) return false;
        // An IPv4 route out of the IPv6 side says that these aren't to be translated.
        return around().side_of(arrival.destination, wire::Family::ipv4) != ipv6_side_;
    }

    Result translate(const Arrival& arrival, MutableBytes out) override {
        if (arrival.family == wire::Family::ipv4) return translate_v4_to_v6(siit_, arrival.packet, out);
        return translate_v6_to_v4(siit_, arrival.packet, out, identification_++);
    }

  protected:
    void connected() override {
        const Link &v6 = around().link(ipv6_side_), &v4 = around().link(other(ipv6_side_));
        siit_.ipv6_mtu = v6.mtu;
        siit_.ipv4_mtu = v4.mtu;
        if (v6.ipv6) siit_.own_ipv6 = v6.ipv6->address;
        if (v4.ipv4) siit_.own_ipv4 = v4.ipv4->address;
    }

  private:
    Siit siit_;
    Side ipv6_side_;
    std::uint16_t identification_ = 0;  // RFC 7915 §5.1: the generator
};

AddressMap read_address_map(const StrictObject& object) {
    std::optional<wire::Ipv6Prefix> prefix;
    if (object.has("prefix")) prefix = read_translation_prefix(object, "prefix");
    std::vector<Eam> table;
    const Json& rows = object.array("eam");
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const StrictObject row(rows[i], object.path("eam") + "[" + std::to_string(i) + "]", {"ipv4", "ipv6"});
        const Eam eam{row.parsed("ipv4", wire::parse_ipv4_prefix, ipv4_prefix_form),
                      row.parsed("ipv6", wire::parse_ipv6_prefix, ipv6_prefix_form)};
        if (!AddressMap::suffixes_fit(eam))
            fail(row.path("ipv6"), row.at("ipv6"), "a suffix at least as long as that of ipv4 (RFC 7757 section 3.2)");
        table.push_back(eam);
    }
    if (!prefix && table.empty()) throw ConfigError(object.path("prefix") + ": missing; give \"prefix\" or \"eam\"");
    return AddressMap(prefix, std::move(table));
}

Chosen read_siit(const Json& json, const std::string& path) {
    const StrictObject object(json, path, {"name", "ipv6_side", "prefix", "eam", "udp_checksum_zero", "lowest_ipv6_mtu"});
    const Side ipv6_side = object.one_of("ipv6_side", {"left", "right"}, "") == "left" ? Side::left : Side::right;
    Siit siit = read_translation(object);
    siit.map = read_address_map(object);
    return {std::make_shared<SiitTranslator>(std::move(siit), ipv6_side)};
}

}  // namespace

const Kind kind::siit = {"siit", R"(
  {"name": "siit", "ipv6_side": "left", "prefix": "2001:2:0:6464::/96",
   "eam": [{"ipv4": "198.18.0.0/24", "ipv6": "2001:2::/120"}], "udp_checksum_zero": "drop", "lowest_ipv6_mtu": 1280}
      a stateless translator (RFC 7915) between the IPv6 side and the other; "prefix" (RFC 6052) and "eam" (RFC 7757), at
      least one of them. IPv6 to addresses that aren't mapped is routed natively, and so is IPv4 with a route out of the
      IPv6 side
)",
                         read_siit};

}  // namespace xlatperf::reference
