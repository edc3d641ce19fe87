// MAP-E (RFC 7597): IPv4 in IPv6 (RFC 2473) between a CE and the border relay.
#include <algorithm>

#include "technologies/kind.h"
#include "technologies/map_domains.h"
#include "technologies/tunnel.h"

namespace xlatperf::reference {

using namespace wire;

namespace {

class MapE final : public MapTechnology {
  public:
    MapE(MapSettings settings, TunnelSettings tunnel, std::vector<Ipv6Address> border_relays)
        : MapTechnology(std::move(settings)), tunnel_(tunnel), border_relays_(std::move(border_relays)), known_(border_relays_) {
        std::sort(known_.begin(), known_.end());
    }

  protected:
    bool takes_ipv6(const Arrival& arrival) const override {
        const auto p = parse_tunnel(arrival.packet);
        if (!p) return false;
        if (!is_border_relay()) return domain_of(p->destination).has_value();
        return !on(Check::border_relay) || std::binary_search(known_.begin(), known_.end(), p->destination);
    }

    Result to_ipv4(const Arrival& arrival, MutableBytes out) override {
        const auto outer = parse_ipv6_packet(arrival.packet);
        if (outer->is_fragment()) return drop(Fate::fragment);
        const auto inner = parse_ipv4_packet(outer->payload);
        if (!inner) return drop(Fate::malformed);
        const bool up = is_border_relay();
        const Ipv6Address map_address = up ? outer->source : outer->destination;
        const Ipv6Address far = up ? outer->destination : outer->source;
        const auto number = domain_of(map_address);
        if (!number) return drop(Fate::not_translatable_address);
        const auto port_of = [&](PortOf end) { return find_port(inner->payload, inner->protocol, inner->is_fragment(), end); };
        if (const auto other = other_of(far)) {  // RFC 7597 §8.1
            const PortFound there = port_of(PortOf::source);
            if (domain(*other).lacks(there)) return drop(there.fate);
            const Fate sent = check_sender(domain(*other), far, {inner->source, there.port});
            if (sent != Fate::forwarded) return drop(sent);
        } else if (!(far == border_relays_[*number]) && on(Check::border_relay)) {
            return drop(Fate::wrong_tunnel_end);
        }
        const PortFound port = port_of(up ? PortOf::source : PortOf::destination);
        if (domain(*number).lacks(port)) return drop(port.fate);
        const Result checked = check(domain(*number), map_address, {up ? inner->source : inner->destination, port.port});
        if (checked.fate != Fate::forwarded) return checked;
        const Bytes whole = outer->payload.first(inner->total_length);
        if (goes_back(inner->destination)) return hairpin(outer->traffic_class, whole, out);
        return leave_tunnel(tunnel_, outer->traffic_class, whole, around().link(ipv4_side()).mtu, out);
    }

    Ipv6Address far_end(std::size_t domain, Ipv4Address) const override { return border_relays_[domain]; }

    Result to_ipv6(const Ipv4Packet&, Bytes whole, const Ipv6Ends& ends, MutableBytes out) override {
        return enter_tunnel(tunnel_, whole, ends, around().link(ipv6_side()).mtu, out);
    }

    /// RFC 7597 §6: a prefix is padded with zeros.
    Ipv4Address identified(const Ce& ce, Ipv4Address) const override { return ce.ipv4.address; }

  private:
    /// From tunnel to tunnel, forwarded once.
    Result hairpin(std::uint8_t outer_traffic_class, Bytes whole, MutableBytes out) {
        if (whole.size() > between().size()) return drop(Fate::no_buffers);
        const MutableBytes inner = between().first(whole.size());
        std::copy(whole.begin(), whole.end(), inner.begin());
        if (!carry_congestion(outer_traffic_class, inner)) return drop(Fate::not_ecn_capable);
        return back(*parse_ipv4_packet(inner), inner, out);
    }

    TunnelSettings tunnel_;
    std::vector<Ipv6Address> border_relays_;  // of each domain
    std::vector<Ipv6Address> known_;          // the same, sorted
};

}  // namespace

std::shared_ptr<MapTechnology> read_map_e(message::Fields& technology, bool is_border_relay) {
    static const std::vector<Check> of_br = {Check::source_address,       Check::source_port,  Check::ea_bits,
                                             Check::interface_identifier, Check::border_relay, Check::destination_port};
    static const std::vector<Check> of_ce = {Check::source_address,       Check::source_port,  Check::ea_bits,
                                             Check::interface_identifier, Check::border_relay, Check::destination_address,
                                             Check::destination_port};
    std::vector<Ipv6Address> border_relays;
    MapSettings settings = read_map(technology, is_border_relay, is_border_relay ? of_br : of_ce, [&](Fields& domain) {
        domain.require("br", border_relays.emplace_back(), "the border relay's IPv6 address");
    });
    return std::make_shared<MapE>(std::move(settings), read_tunnel(technology), std::move(border_relays));
}

const Kind kind::map_e = {
    "map-e", R"(
  {"name": "map-e", "role": "br",
   "domains": [{"ipv6": "2001:db8::/40", "ipv4": "192.0.2.0/24", "ea_bits": 16, "psid_offset": 6, "br": "2001:db8:ffff::1"}],
   "hop_limit": 64, "traffic_class": 0, "hairpinning": true, "checks": {"source_port": false}}
      a border relay (RFC 7597), CEs on the left; or with "role": "ce" and an "ea" in each domain the CEs with these EA bits,
      without NAPT44, their hosts on the left; with "mesh": true it is the CE with the "ea" of the first domain, and knows all
      rules as Forwarding Mapping Rules: other CEs are on the right.
      checks: source_address, source_port: a source that isn't the CE's. ea_bits, interface_identifier: a MAP
      address that isn't the packet's (border relay, mesh; the latter also what a CE is called). border_relay: the tunnel's other
      end. destination_address (CE), destination_port: not the CE's, or nobody's. What fails one is dropped.
      hairpinning (border relay): packets of one CE to another go back; without it they are routed as all others.
      Fragments (where addresses are shared) and fragments of tunnels aren't forwarded, and counted
)",
    [](Fields& technology) -> Chosen { return {read_map_e(technology, read_is_border_relay(technology))}; }};

}  // namespace xlatperf::reference
