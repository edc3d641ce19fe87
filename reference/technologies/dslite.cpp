// The AFTR of DS-Lite (RFC 6333): tunnels (RFC 2473) from B4s, and behind them NAT44 that tells B4s apart (§6.6).
#include <algorithm>
#include <array>
#include <unordered_map>

#include "nat/rewrite.h"
#include "technologies/checks.h"
#include "technologies/kind.h"
#include "technologies/nat_fields.h"
#include "technologies/stateful.h"
#include "technologies/tunnel.h"

namespace xlatperf::reference {

using namespace wire;

namespace {

const std::vector<std::string_view> aftr_checks = {"aftr", "b4", "source_address"};

struct AftrSettings {
    Ipv6Address address;
    NatSettings nat;
    TunnelSettings tunnel;
    CheckNames off;

    bool on(std::string_view check) const { return !off.contains(check); }
};

/// RFC 6333 §11: RFC 1918, and the addresses of the tunnels themselves (§5.7).
bool is_private(Ipv4Address address) {
    static const std::array<Ipv4Prefix, 4> allowed = {*parse_ipv4_prefix("10.0.0.0/8"), *parse_ipv4_prefix("172.16.0.0/12"),
                                                      *parse_ipv4_prefix("192.168.0.0/16"), *parse_ipv4_prefix("192.0.0.0/29")};
    return std::any_of(allowed.begin(), allowed.end(), [&](const Ipv4Prefix& one) { return one.contains(address); });
}

/// B4s in the order in which they came.
class B4Numbers {
  public:
    std::uint32_t number_of(Ipv6Address b4) {
        const auto [at, is_new] = numbers_.try_emplace(b4, static_cast<std::uint32_t>(b4s_.size()));
        if (is_new) b4s_.push_back(b4);
        return at->second;
    }
    Ipv6Address operator[](std::uint32_t number) const { return b4s_[number]; }
    void clear() {
        if (b4s_.empty()) return;
        numbers_.clear();
        b4s_.clear();
    }

  private:
    struct Hash {
        std::size_t operator()(Ipv6Address address) const { return hash_of({address.value, 0}); }
    };
    std::unordered_map<Ipv6Address, std::uint32_t, Hash> numbers_;
    std::vector<Ipv6Address> b4s_;
};

class Aftr final : public Technology {
  public:
    explicit Aftr(const AftrSettings& settings) : settings_(settings), nat_(settings.nat) {}

    Nat* nat() override { return &nat_; }

    bool takes(const Arrival& arrival) const override {
        if (arrival.family == Family::ipv4) return arrival.side == Side::right && is_for_pool(arrival, nat_.pool());
        if (arrival.side != Side::left) return false;
        const auto outer = parse_tunnel(arrival.packet);
        return outer && (outer->destination == settings_.address || (!arrival.own && !settings_.on("aftr")));
    }

    Result translate(const Arrival& arrival, MutableBytes out) override {
        return arrival.family == Family::ipv4 ? downstream(arrival, out) : upstream(arrival, out);
    }

  private:
    /// A client as the NAT knows it: the number of its B4, the group, in front of its address.
    Endpoint client_of(Ipv6Address b4, const Endpoint& inside) {
        const std::uint32_t number = b4s_.number_of(b4);
        return {Bits128{settings_.on("b4") ? number : 0} << Nat::group_shift | inside.address, inside.port};
    }

    Result upstream(const Arrival& arrival, MutableBytes out) {
        if (nat_.table().size() == 0) b4s_.clear();
        const auto outer = parse_tunnel(arrival.packet);
        if (outer->is_fragment()) return drop(Fate::fragment);
        const auto inner = parse_ipv4_packet(outer->payload);
        if (!inner) return drop(Fate::malformed);
        if (!is_private(inner->source) && settings_.on("source_address")) return drop(Fate::wrong_source_address);
        if (nat_.pool().contains(inner->destination.value)) return drop(Fate::no_mapping);  // no hairpinning
        const Bytes whole = outer->payload.first(inner->total_length);
        const Datagram read = read_datagram(whole, Family::ipv4);
        if (read.problem != Fate::forwarded) return drop(read.problem);
        const Result result = leave_tunnel(settings_.tunnel, outer->traffic_class, whole, around().link(Side::right).mtu, out);
        if (result.fate != Fate::forwarded) return result;
        const auto& [source, destination, udp_at] = read.connection;
        const Mapped mapped = nat_.outbound(client_of(outer->source, source), destination, arrival.now_ns);
        if (mapped.fate != Fate::forwarded) return drop(mapped.fate);
        rewrite(out.first(result.size), out.data() + udp_at, End::source, mapped.endpoint);
        return result;
    }

    Result downstream(const Arrival& arrival, MutableBytes out) {
        const Datagram read = read_datagram(arrival.packet, Family::ipv4);
        if (read.problem != Fate::forwarded) return drop(read.problem);
        const auto& [source, destination, udp_at] = read.connection;
        const Mapped mapped = nat_.inbound(destination, source, arrival.now_ns);
        if (mapped.fate != Fate::forwarded) return drop(mapped.fate);
        const Ipv6Address b4 = b4s_[static_cast<std::uint32_t>(mapped.endpoint.address >> Nat::group_shift)];
        translated_.assign(arrival.packet.begin(), arrival.packet.end());
        const Endpoint inside{static_cast<std::uint32_t>(mapped.endpoint.address), mapped.endpoint.port};
        rewrite(translated_, translated_.data() + udp_at, End::destination, inside);
        return enter_tunnel(settings_.tunnel, translated_, {settings_.address, b4}, around().link(Side::left).mtu, out);
    }

    AftrSettings settings_;
    Nat nat_;
    B4Numbers b4s_;
    std::vector<std::uint8_t> translated_;  // the packet between NAT and tunnel
};

Chosen read_dslite(Fields& technology) {
    AftrSettings settings;
    technology.require("aftr", settings.address, "the AFTR's end of all tunnels");
    technology.has("b4s");  // those that the Tester plays: an AFTR needn't know them
    settings.nat = read_nat(technology, Family::ipv4, Family::ipv4);
    std::optional<std::uint32_t> sessions;
    technology.read("sessions", sessions, 1, 4'000'000, "so many has each B4 at most");
    settings.nat.most_of_group = sessions.value_or(0);
    settings.tunnel = read_tunnel(technology);
    settings.off = read_switched_off(technology, aftr_checks);
    return {std::make_shared<Aftr>(settings)};
}

}  // namespace

const Kind kind::dslite = {"dslite", R"(
  {"name": "dslite", "aftr": "2001:2:0:af::1", "pool": {...}, "state": {...}, "sessions": 1000, "checks": {"b4": false}}
      the AFTR of DS-Lite (RFC 6333), B4s on the left.
      checks: aftr (the tunnel's other end), b4 (clients of different B4s are different), source_address (inner
      sources are private)
)",
                           read_dslite};

}  // namespace xlatperf::reference
