// MAP-E (RFC 7597): IPv4 in IPv6 (RFC 2473) between a CE and the border relay.
#include <algorithm>
#include <array>

#include "technologies/kind.h"
#include "technologies/map_domains.h"
#include "translate/forward.h"
#include "wire/byte_order.h"
#include "wire/headers.h"

namespace xlatperf::reference {

using namespace wire;

namespace {

struct TunnelSettings {
    std::vector<Ipv6Address> border_relays;           // of each domain
    std::uint8_t hop_limit = 64;                      // RFC 2473 §6.3
    std::optional<std::uint8_t> traffic_class;        // absent: the packet's own is carried over (§6.4)
    std::optional<std::uint8_t> encapsulation_limit;  // absent: no such option (§5.1)
    std::uint8_t entry_hops = 1, exit_hops = 1;       // how often the TTL is decremented in front of the tunnel, and behind it

    /// Of the option's header.
    std::size_t extension() const { return encapsulation_limit ? 8 : 0; }
};

/// A packet of the tunnel is answered to the tunnel's other end, which isn't who sent what is in it.
Result silent(Result result) {
    result.silent = true;
    return result;
}

class MapE final : public MapTechnology {
  public:
    MapE(MapSettings settings, TunnelSettings tunnel) : MapTechnology(std::move(settings)), tunnel_(std::move(tunnel)) {}

  protected:
    /// Extension headers, such as the tunnel encapsulation limit (RFC 2473 §5.1), are passed over.
    bool takes_ipv6(const Arrival& arrival) const override {
        const auto p = parse_ipv6_packet(arrival.packet);
        if (!p || p->protocol != protocol::ipv4_in_ip) return false;
        if (!is_border_relay()) return domain_of(p->destination).has_value();
        const auto& all = tunnel_.border_relays;
        return !on(Check::border_relay) || std::find(all.begin(), all.end(), p->destination) != all.end();
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
        if (!(far == tunnel_.border_relays[*number]) && on(Check::border_relay)) return drop(Fate::wrong_border_relay);
        const PortFound port =
            find_port(inner->payload, inner->protocol, inner->is_fragment(), up ? PortOf::source : PortOf::destination);
        if (domain(*number).lacks(port)) return drop(port.fate);
        const Result checked = check(domain(*number), map_address, {up ? inner->source : inner->destination, port.port});
        if (checked.fate != Fate::forwarded) return checked;
        if (out.size() < inner->total_length) return drop(Fate::no_buffers);
        std::copy_n(outer->payload.begin(), inner->total_length, out.begin());
        return silent(forward_ipv4(out.first(inner->total_length), around().link(ipv4_side()).mtu, tunnel_.exit_hops));
    }

    Ipv6Address far_end(std::size_t domain, Ipv4Address) const override { return tunnel_.border_relays[domain]; }

    Result to_ipv6(const Ipv4Packet& packet, Bytes whole, const Ipv6Ends& ends, MutableBytes out) override {
        const std::size_t headers = ipv6::size + tunnel_.extension();
        if (out.size() < headers + packet.total_length) return drop(Fate::no_buffers);
        const std::size_t mtu = around().link(ipv6_side()).mtu;
        std::copy_n(whole.begin(), packet.total_length, out.begin() + static_cast<std::ptrdiff_t>(headers));
        Result result = forward_ipv4(out.subspan(headers, packet.total_length), mtu - headers, tunnel_.entry_hops);
        if (result.fate != Fate::forwarded) return result;
        const std::uint32_t traffic_class = tunnel_.traffic_class.value_or(packet.tos);
        store32(out.data(), 0x60000000 | traffic_class << 20);
        store16(out.data() + ipv6::payload_length, static_cast<std::uint16_t>(result.size + tunnel_.extension()));
        out[ipv6::next_header] = protocol::ipv4_in_ip;
        if (tunnel_.encapsulation_limit) {  // RFC 2473 §4.1.1, padded by PadN
            out[ipv6::next_header] = protocol::destination_options;
            const std::array<std::uint8_t, 8> option = {protocol::ipv4_in_ip, 0, 4, 1, *tunnel_.encapsulation_limit, 1, 1, 0};
            std::copy(option.begin(), option.end(), out.begin() + ipv6::size);
        }
        out[ipv6::hop_limit] = tunnel_.hop_limit;
        ends.source.store(out.data() + ipv6::source);
        ends.destination.store(out.data() + ipv6::destination);
        result.size += headers;
        if (result.fragment_at != 0) result.fragment_at = mtu;  // RFC 2473 §7.2: the tunnel's packet is fragmented
        return result;
    }

    /// RFC 7597 §6: a prefix is padded with zeros.
    Ipv4Address identified(const Ce& ce, Ipv4Address) const override { return ce.ipv4.address; }

  private:
    TunnelSettings tunnel_;
};

Chosen read_map_e(const Json& json, const std::string& path) {
    const StrictObject object(
        json, path,
        {"name", "role", "domains", "checks", "hop_limit", "traffic_class", "encapsulation_limit", "entry_hops", "exit_hops"});
    TunnelSettings tunnel;
    MapSettings settings =
        read_map(object, "br",
                 {Check::source_address, Check::source_port, Check::ea_bits, Check::interface_identifier, Check::border_relay,
                  Check::destination_port},
                 {Check::source_address, Check::source_port, Check::interface_identifier, Check::border_relay,
                  Check::destination_address, Check::destination_port},
                 [&](const StrictObject& domain) {
                     tunnel.border_relays.push_back(domain.parsed("br", parse_ipv6, "the border relay's IPv6 address"));
                 });
    tunnel.hop_limit = static_cast<std::uint8_t>(object.integer("hop_limit", 1, 255, 64));
    if (object.has("traffic_class")) tunnel.traffic_class = static_cast<std::uint8_t>(object.integer("traffic_class", 0, 255));
    if (object.has("encapsulation_limit"))
        tunnel.encapsulation_limit = static_cast<std::uint8_t>(object.integer("encapsulation_limit", 0, 255));
    tunnel.entry_hops = static_cast<std::uint8_t>(object.integer("entry_hops", 0, 254, 1));
    tunnel.exit_hops = static_cast<std::uint8_t>(object.integer("exit_hops", 0, 254, 1));
    return {std::make_shared<MapE>(std::move(settings), std::move(tunnel))};
}

}  // namespace

const Kind kind::map_e = {"map-e", R"(
  {"name": "map-e", "role": "br",
   "domains": [{"ipv6": "2001:db8::/40", "ipv4": "192.0.2.0/24", "ea_bits": 16, "psid_offset": 6, "br": "2001:db8:ffff::1"}],
   "hop_limit": 64, "traffic_class": 0, "checks": {"source_port": false}}
      a border relay (RFC 7597), CEs on the left; or with "role": "ce" and an "ea" in each domain the CEs with these EA bits,
      without NAPT44, their hosts on the left. With "psid" and "psid_length" a rule's PSID is provisioned. "hop_limit" and
      "traffic_class" are the outer header's; without the latter the packet's own is carried over.
      "encapsulation_limit": 4 writes that option (RFC 2473 §5.1) behind it. "entry_hops": 1, "exit_hops": 1 is how often the
      TTL is decremented in front of the tunnel, and behind it.
      checks: all are on. source_address, source_port: a source that isn't the CE's. ea_bits, interface_identifier: a MAP
      address that isn't the packet's (border relay; the latter also what a CE is called). border_relay: the tunnel's other
      end. destination_address (CE), destination_port: not the CE's, or nobody's. What fails one is dropped.
      ICMP but echo, fragments (where addresses are shared), fragments of tunnels, and packets of one CE to another aren't
      forwarded, and counted
)",
                          read_map_e};

}  // namespace xlatperf::reference
