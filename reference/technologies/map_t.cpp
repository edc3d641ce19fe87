// MAP-T (RFC 7599): as MAP-E, but IPv4 is translated (RFC 7915) between a CE and the border relay.
#include <algorithm>

#include "technologies/kind.h"
#include "technologies/map_domains.h"
#include "technologies/translation_fields.h"
#include "translate/siit.h"
#include "wire/rfc6052.h"

namespace xlatperf::reference {

using namespace wire;

namespace {

class MapT final : public MapTechnology {
  public:
    /// `dmrs`: of each domain.
    MapT(MapSettings settings, std::vector<Ipv6Prefix> dmrs, Siit siit)
        : MapTechnology(std::move(settings)), dmrs_(std::move(dmrs)), siit_(std::move(siit)) {
        for (const Ipv6Prefix& dmr : dmrs_) known_.add(dmr, dmr);
    }

  protected:
    void connected() override {
        siit_.ipv6_mtu = around().link(ipv6_side()).mtu;
        siit_.ipv4_mtu = around().link(ipv4_side()).mtu;
    }

    bool takes_ipv6(const Arrival& arrival) const override {
        if (arrival.own) return false;
        const Ipv6Address destination{arrival.destination};
        if (!is_border_relay()) return domain_of(destination).has_value();
        return known_.find(destination) != nullptr;
    }

    Result to_ipv4(const Arrival& arrival, MutableBytes out) override {
        const auto p = parse_ipv6_packet(arrival.packet);
        if (!p) return drop(Fate::malformed);
        const Result possible = check_v6_to_v4(*p);
        if (possible.fate != Fate::forwarded) return possible;
        const bool up = is_border_relay();
        const Ipv6Address map_address = up ? p->source : p->destination;
        const auto number = domain_of(map_address);
        if (!number) return drop(Fate::not_translatable_address);
        const Ipv6Address far6 = up ? p->destination : p->source;
        const auto other = other_of(far6);
        const auto far = other ? std::optional(address_in(domain(*other).rule, far6)) : rfc6052::extract(dmrs_[*number], far6);
        if (!far) return drop(Fate::not_translatable_address);
        if (other) {
            const PortFound there = find_port(p->payload, p->protocol, p->is_fragment(), PortOf::source);
            if (domain(*other).lacks(there)) return drop(there.fate);
            const Fate sent = check_sender(domain(*other), far6, {*far, there.port});
            if (sent != Fate::forwarded) return drop(sent);
        }
        const MapDomain& of = domain(*number);
        const PortFound port = find_port(p->payload, p->protocol, p->is_fragment(), up ? PortOf::source : PortOf::destination);
        if (of.lacks(port)) return drop(port.fate);
        const Ce ce = up ? of.rule.ce_of_ea(of.rule.ea_of(map_address)) : of.ce;
        const Ipv4Address seen = ipv4_in(of.rule, map_address).value_or(ce.ipv4.address);
        const Result checked = check(of, map_address, {up ? seen : own_address(ce, seen), port.port});
        if (checked.fate != Fate::forwarded) return checked;
        if (out.size() < arrival.packet.size() + translation_room) return drop(Fate::no_buffers);
        const Ipv4Address end = own_address(ce, seen);
        const AddressPair<Ipv4Address> to = up ? AddressPair<Ipv4Address>{end, *far} : AddressPair<Ipv4Address>{*far, end};
        std::optional<Siit> with_quoted;
        if (p->protocol == protocol::icmpv6) with_quoted = around_quoted({{end, map_address}, {*far, far6}});
        const Siit& siit = with_quoted ? *with_quoted : siit_;
        if (goes_back(*far)) return hairpin(siit, *p, to, out);
        return translate_v6_to_v4(siit, *p, to, out, identification_++);
    }

    Ipv6Address far_end(std::size_t domain, Ipv4Address address) const override {  // RFC 7599 §5.1
        return rfc6052::embed(dmrs_[domain], address);
    }

    Result to_ipv6(const Ipv4Packet& packet, Bytes whole, const Ipv6Ends& ends, MutableBytes out) override {
        const Fate possible = check_v4_to_v6(packet);
        if (possible != Fate::forwarded) return drop(possible);
        if (out.size() < whole.size() + translation_room) return drop(Fate::no_buffers);
        const AddressPair<Ipv6Address> to{ends.source, ends.destination};
        if (packet.protocol != protocol::icmpv4) return translate_v4_to_v6(siit_, packet, to, out);
        const Siit siit = around_quoted({{packet.source, ends.source}, {packet.destination, ends.destination}});
        return translate_v4_to_v6(siit, packet, to, out);
    }

    /// Of a CE with a prefix, the whole address: nothing else could tell its addresses from each other.
    Ipv4Address identified(const Ce&, Ipv4Address address) const override { return address; }

  private:
    /// From IPv6 to IPv4 and back, forwarded once.
    Result hairpin(const Siit& siit, const Ipv6Packet& packet, const AddressPair<Ipv4Address>& to, MutableBytes out) {
        if (packet.payload.size() + translation_room > between().size()) return drop(Fate::no_buffers);
        const Result first = translate_v6_to_v4(siit, packet, to, between(), identification_++);
        if (first.fate != Fate::forwarded) return first;
        const MutableBytes whole = between().first(first.size);
        auto between_them = parse_ipv4_packet(whole);
        if (!between_them) return drop(Fate::malformed);
        ++between_them->ttl;
        return back(*between_them, whole, out);
    }

    /// What translates the packet in an ICMP error too: it is between the same two (RFC 7599 §9). One outside is in a DMR, so
    /// that the error may be from another one who is.
    Siit around_quoted(std::initializer_list<std::pair<Ipv4Address, Ipv6Address>> ends) const {
        Siit siit = siit_;
        Ipv6Prefix outside = dmrs_.front();
        std::vector<Eam> inside;
        for (const auto& [ipv4, ipv6] : ends) {
            if (const auto* dmr = known_.find(ipv6)) {
                outside = *dmr;
            } else {
                inside.push_back({{ipv4, 32}, {ipv6, 128}});
            }
        }
        siit.map = AddressMap(outside, std::move(inside));
        return siit;
    }

    /// The IPv4 address that a MAP address stands for.
    static Ipv4Address address_in(const MapRule& rule, Ipv6Address map_address) {
        const Ce ce = rule.ce_of_ea(rule.ea_of(map_address));
        return own_address(ce, ipv4_in(rule, map_address).value_or(ce.ipv4.address));
    }

    /// The CE's address; of several the one that is in the MAP address.
    static Ipv4Address own_address(const Ce& ce, Ipv4Address seen) {
        const Ipv4Address network = Ipv4Prefix{seen, ce.ipv4.length}.network();
        return {ce.ipv4.address.value | (seen.value ^ network.value)};
    }

    std::vector<Ipv6Prefix> dmrs_;
    PrefixTable<Ipv6Address, Ipv6Prefix, Ipv6Prefix> known_;  // the same
    Siit siit_;
    std::uint16_t identification_ = 0;  // RFC 7915 §5.1: the generator
};

}  // namespace

std::shared_ptr<MapTechnology> read_map_t(message::Fields& technology, bool is_border_relay) {
    static const std::vector<Check> of_br = {Check::source_port, Check::source_address, Check::ea_bits,
                                             Check::interface_identifier, Check::destination_port};
    static const std::vector<Check> of_ce = {Check::source_address, Check::source_port, Check::ea_bits,
                                             Check::interface_identifier, Check::destination_port};
    std::vector<Ipv6Prefix> dmrs;
    MapSettings settings = read_map(technology, is_border_relay, is_border_relay ? of_br : of_ce, [&](Fields& domain) {
        const Ipv6Prefix dmr = read_translation_prefix(domain, "dmr");
        dmrs.push_back({dmr.network(), dmr.length});
    });
    settings.answers = true;
    technology.read("answers", settings.answers, "ICMPv6 type 1 code 5 to a sender whose source is wrong (RFC 7599 section 8.3)");
    return std::make_shared<MapT>(std::move(settings), std::move(dmrs), read_translation(technology));
}

const Kind kind::map_t = {
    "map-t", R"(
  {"name": "map-t", "role": "br", "domains": [{rule as of map-e, "dmr": "2001:db8:ffff::/64"}], "checks": {...}}
      the same with translation (RFC 7599); IPv6 to others than those in "dmr", the default mapping rule (RFC 6052), is
      routed natively
)",
    [](Fields& technology) -> Chosen { return {read_map_t(technology, read_is_border_relay(technology))}; }};

}  // namespace xlatperf::reference
