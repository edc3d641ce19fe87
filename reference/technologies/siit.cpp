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

Chosen read_siit(Fields& technology) {
    static constexpr wire::Word<Side> side_words[] = {{"left", Side::left}, {"right", Side::right}};
    Side ipv6_side = Side::left;
    technology.require("ipv6_side", ipv6_side, side_words, "the other side is IPv4");
    Siit siit = read_translation(technology);
    siit.map = read_address_map(technology);
    return {std::make_shared<SiitTranslator>(std::move(siit), ipv6_side)};
}

}  // namespace

const Kind kind::siit = {"siit", R"(
  {"name": "siit", "ipv6_side": "left", "prefix": "2001:2:0:6464::/96",
   "eam": [{"ipv4": "198.18.0.0/24", "ipv6": "2001:2::/120"}]}
      a stateless translator (RFC 7915) between the IPv6 side and the other. IPv6 to addresses that aren't mapped is routed
      natively, and so is IPv4 with a route out of the IPv6 side
)",
                         read_siit};

}  // namespace xlatperf::reference
