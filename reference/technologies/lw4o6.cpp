// Lightweight 4over6 (RFC 7596): IPv4 in IPv6 (RFC 2473) between an lwB4 and the lwAFTR, which has a binding table.
#include "technologies/lw4o6.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "technologies/checks.h"
#include "technologies/port_of.h"
#include "technologies/tunnel.h"

namespace xlatperf::reference {

using namespace wire;

namespace {

const std::vector<std::string_view> lwaftr_checks = {"softwire", "lwaftr", "source_address", "source_port", "destination_port"};
const std::vector<std::string_view> lwb4_checks = {"lwaftr", "source_address", "source_port", "destination_address",
                                                   "destination_port"};

struct Settings {
    BindingTable table;
    TunnelSettings tunnel;
    CheckNames off;
    bool answers = false, hairpinning = true;

    bool on(std::string_view check) const { return !off.contains(check); }
};

/// RFC 7596 §6.2.
class LwAftr final : public Technology {
  public:
    explicit LwAftr(Settings settings) : settings_(std::move(settings)) {}

    bool takes(const Arrival& arrival) const override {
        if (arrival.family == Family::ipv4)
            return !arrival.own && arrival.side == Side::right &&
                   table().has(Ipv4Address{static_cast<std::uint32_t>(arrival.destination)});
        if (arrival.side != Side::left) return false;
        const auto outer = parse_tunnel(arrival.packet);
        return outer && (table().is_lwaftr(outer->destination) || !settings_.on("lwaftr"));
    }

    Result translate(const Arrival& arrival, MutableBytes out) override {
        return arrival.family == Family::ipv4 ? downstream(arrival.packet, out) : upstream(arrival, out);
    }

  private:
    const BindingTable& table() const { return settings_.table; }

    Result downstream(Bytes packet, MutableBytes out) {
        const auto p = parse_ipv4_packet(packet);
        if (!p) return drop(Fate::malformed);
        const PortFound port = find_port(p->payload, p->protocol, p->is_fragment(), PortOf::destination);
        const Softwire* softwire = table().find(p->destination, port.port);
        if (port.fate != Fate::forwarded && table().any(p->destination)->is_shared()) return drop(port.fate);
        if (softwire == nullptr && !settings_.on("destination_port")) softwire = table().any(p->destination);
        if (softwire == nullptr) return drop(Fate::wrong_destination_port);
        return enter_tunnel(settings_.tunnel, packet, {softwire->lwaftr, softwire->lwb4}, around().link(Side::left).mtu, out);
    }

    Result upstream(const Arrival& arrival, MutableBytes out) {
        const auto outer = parse_tunnel(arrival.packet);
        if (outer->is_fragment()) return drop(Fate::fragment);
        const auto inner = parse_ipv4_packet(outer->payload);
        if (!inner) return drop(Fate::malformed);
        const PortFound port = find_port(inner->payload, inner->protocol, inner->is_fragment(), PortOf::source);
        const Result checked = drop(check_sender(*outer, *inner, port), settings_.answers ? 1 : 0);
        if (checked.fate != Fate::forwarded) return checked;
        const Bytes whole = outer->payload.first(inner->total_length);
        if (settings_.hairpinning && table().has(inner->destination)) return hairpin(outer->traffic_class, whole, out);
        return leave_tunnel(settings_.tunnel, outer->traffic_class, whole, around().link(Side::right).mtu, out);
    }

    /// Whether the outer source, the inner source and its port are one softwire's.
    Fate check_sender(const Ipv6Packet& outer, const Ipv4Packet& inner, const PortFound& port) const {
        const Softwire* first = table().find(outer.source);
        if (first == nullptr) return settings_.on("softwire") ? Fate::unknown_softwire : Fate::forwarded;
        const Softwire& softwire = table().nearest(*first, inner.source, port.port);
        if (!(softwire.lwaftr == outer.destination) && settings_.on("lwaftr")) return Fate::wrong_tunnel_end;
        if (softwire.is_shared() && port.fate != Fate::forwarded) return port.fate;
        if (!(softwire.ipv4 == inner.source) && settings_.on("source_address")) return Fate::wrong_source_address;
        if (!softwire.has(port.port) && settings_.on("source_port")) return Fate::wrong_source_port;
        return Fate::forwarded;
    }

    /// RFC 7596 §6.2: from one lwB4 to another one. The packet is forwarded once, from tunnel to tunnel.
    Result hairpin(std::uint8_t outer_traffic_class, Bytes whole, MutableBytes out) {
        if (whole.size() > inner_.size()) return drop(Fate::no_buffers);
        const MutableBytes inner = MutableBytes(inner_).first(whole.size());
        std::copy(whole.begin(), whole.end(), inner.begin());
        if (!carry_congestion(outer_traffic_class, inner)) return drop(Fate::not_ecn_capable);
        Result result = downstream(inner, out);
        result.silent = true;
        return result;
    }

    Settings settings_;
    std::array<std::uint8_t, 65535> inner_{};  // of a hairpin, between its tunnels
};

/// RFC 7596 §5.2, without NAPT44.
class LwB4 final : public Technology {
  public:
    LwB4(Settings settings, const Softwire& own) : settings_(std::move(settings)), own_(own) {}

    bool takes(const Arrival& arrival) const override { return is_for_edge(arrival, around(), own_.lwb4); }

    Result translate(const Arrival& arrival, MutableBytes out) override {
        return arrival.family == Family::ipv4 ? upstream(arrival.packet, out) : downstream(arrival.packet, out);
    }

  private:
    Result upstream(Bytes packet, MutableBytes out) {
        const auto p = parse_ipv4_packet(packet);
        if (!p) return drop(Fate::malformed);
        const PortFound port = find_port(p->payload, p->protocol, p->is_fragment(), PortOf::source);
        if (own_.is_shared() && port.fate != Fate::forwarded) return drop(port.fate);
        if (!(p->source == own_.ipv4) && settings_.on("source_address")) return drop(Fate::wrong_source_address);
        if (!own_.has(port.port) && settings_.on("source_port")) return drop(Fate::wrong_source_port);
        return enter_tunnel(settings_.tunnel, packet, {own_.lwb4, own_.lwaftr}, around().link(Side::right).mtu, out);
    }

    Result downstream(Bytes packet, MutableBytes out) {
        const auto outer = parse_tunnel(packet);
        if (outer->is_fragment()) return drop(Fate::fragment);
        const auto inner = parse_ipv4_packet(outer->payload);
        if (!inner) return drop(Fate::malformed);
        if (!(outer->source == own_.lwaftr) && settings_.on("lwaftr")) return drop(Fate::wrong_tunnel_end);
        const PortFound port = find_port(inner->payload, inner->protocol, inner->is_fragment(), PortOf::destination);
        if (own_.is_shared() && port.fate != Fate::forwarded) return drop(port.fate);
        if (!(inner->destination == own_.ipv4) && settings_.on("destination_address"))
            return drop(Fate::wrong_destination_address);
        if (!own_.has(port.port) && settings_.on("destination_port")) return drop(Fate::wrong_destination_port);
        return leave_tunnel(settings_.tunnel, outer->traffic_class, outer->payload.first(inner->total_length),
                            around().link(Side::left).mtu, out);
    }

    Settings settings_;
    Softwire own_;
};

/// All keys but the role.
Settings read_settings(Fields& technology, const std::vector<std::string_view>& checks) {
    Settings settings;
    std::string table;
    technology.require("table", table, "the file of the binding table");
    try {
        if (!technology.only_help()) settings.table = BindingTable::read(table);
    } catch (const std::runtime_error& error) {
        throw MessageError(technology.path_of("table") + ": " + table + ": " + error.what());
    }
    settings.tunnel = read_tunnel(technology);
    settings.off = read_switched_off(technology, checks);
    technology.read("answers", settings.answers, "ICMPv6 type 1 code 5 to a sender whose source isn't bound");
    technology.read("hairpinning", settings.hairpinning, "packets of one lwB4 to another go back (RFC 7596 section 6.2)");
    return settings;
}

Chosen read_lw4o6(Fields& technology) {
    static constexpr wire::Word<bool> role_words[] = {{"lwaftr", true}, {"lwb4", false}};
    bool is_lwaftr = true;
    technology.read("role", is_lwaftr, role_words, "what the device is");
    if (is_lwaftr) return {std::make_shared<LwAftr>(read_settings(technology, lwaftr_checks))};
    return {read_lwb4(technology).first};
}

}  // namespace

std::pair<std::shared_ptr<Technology>, Softwire> read_lwb4(Fields& technology) {
    Settings settings = read_settings(technology, lwb4_checks);
    const auto& softwires = settings.table.softwires();
    technology.check(softwires.size() == 1, "table", softwires.size(), "one softwire, the lwB4's own");
    const Softwire own = softwires.empty() ? Softwire{} : softwires.front();
    return {std::make_shared<LwB4>(std::move(settings), own), own};
}

const Kind kind::lw4o6 = {"lw4o6", R"(
  {"name": "lw4o6", "role": "lwaftr", "table": "softwires.csv", "answers": false, "hairpinning": true,
   "checks": {"source_port": false}}
      an lwAFTR (RFC 7596), lwB4s on the left; or with "role": "lwb4" the lwB4 of the table's only softwire, without NAPT44, its
      hosts on the left. "table" is a file with the names of the columns in its first line: ipv6, ipv4, psid_offset,
      psid_length, psid, lwaftr. Without "hairpinning" packets of one lwB4 to another are routed as all others.
      checks: softwire (the outer source is in the table), lwaftr (the tunnel's other end). An lwB4 has destination_address
      instead of softwire
)",
                          read_lw4o6};

}  // namespace xlatperf::reference
