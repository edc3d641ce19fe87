// Stateful translation from IPv6 to IPv4 (RFC 6146), with the headers of RFC 7915.
#include "nat/rewrite.h"
#include "technologies/kind.h"
#include "technologies/nat_fields.h"
#include "technologies/stateful.h"
#include "technologies/translation_fields.h"
#include "translate/siit.h"
#include "wire/headers.h"

namespace xlatperf::reference {

using namespace wire;

namespace {

class Nat64 final : public Stateful {
  public:
    Nat64(const NatSettings& settings, Siit siit) : Stateful(settings), siit_(std::move(siit)) {}

  protected:
    void connected() override {
        siit_.ipv6_mtu = around().link(Side::left).mtu;
        siit_.ipv4_mtu = around().link(Side::right).mtu;
    }

    std::optional<Bits128> outside(const Arrival& arrival) const override {
        const auto mapped = siit_.map.to_ipv4(Ipv6Address{arrival.destination});
        return mapped ? std::optional<Bits128>(mapped->value) : std::nullopt;
    }

    /// RFC 6146 §3.5.1: the source becomes the binding's; headers as in RFC 7915 §5.
    Result outbound(const Arrival& arrival, const Connection& connection, MutableBytes out) override {
        const auto p = parse_ipv6_packet(arrival.packet);
        const Result checked = check_v6_to_v4(*p);
        if (checked.fate != Fate::forwarded) return checked;
        if (out.size() < arrival.packet.size() + translation_room) return drop(Fate::no_buffers);
        const Bits128 destination = *outside(arrival);
        const Mapped mapped = nat_.outbound(connection.source, {destination, connection.destination.port}, arrival.now_ns);
        if (mapped.fate != Fate::forwarded) return drop(mapped.fate);
        const AddressPair<Ipv4Address> to{{static_cast<std::uint32_t>(mapped.endpoint.address)},
                                          {static_cast<std::uint32_t>(destination)}};
        const Result result = translate_v6_to_v4(siit_, *p, to, out, identification_++);
        if (result.fate == Fate::forwarded) rewrite_port(out.data() + ipv4::size, End::source, mapped.endpoint.port);
        return result;
    }

    /// RFC 6146 §3.5.1 and RFC 7915 §4, the other way.
    Result inbound(const Arrival& arrival, const Connection& connection, MutableBytes out) override {
        const auto p = parse_ipv4_packet(arrival.packet);
        const Fate checked = check_v4_to_v6(*p);
        if (checked != Fate::forwarded) return drop(checked);
        if (out.size() < arrival.packet.size() + translation_room) return drop(Fate::no_buffers);
        const auto source = siit_.map.to_ipv6(p->source);
        if (!source) return drop(Fate::not_translatable_address);
        const Mapped mapped = nat_.inbound(connection.destination, connection.source, arrival.now_ns);
        if (mapped.fate != Fate::forwarded) return drop(mapped.fate);
        const Result result = translate_v4_to_v6(siit_, *p, {*source, {mapped.endpoint.address}}, out);
        if (result.fate == Fate::forwarded) rewrite_port(out.data() + ipv6::size, End::destination, mapped.endpoint.port);
        return result;
    }

  private:
    Siit siit_;
    std::uint16_t identification_ = 0;  // RFC 7915 §5.1: the generator
};

Chosen read_nat64(Fields& technology) {
    Siit siit = read_translation(technology);
    siit.map = AddressMap(read_translation_prefix(technology, "prefix"), {});
    return {std::make_shared<Nat64>(read_nat(technology, Family::ipv6, Family::ipv4), std::move(siit))};
}

}  // namespace

const Kind kind::nat64 = {"nat64", R"(
  {"name": "nat64", "prefix": "2001:2:0:6464::/96", "pool": {IPv4}, "state": {...}}
)",
                          read_nat64};

}  // namespace xlatperf::reference
