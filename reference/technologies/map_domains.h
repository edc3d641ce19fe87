// What MAP-E (RFC 7597) and MAP-T (RFC 7599) have in common: domains with a rule each, and who may send what to whom. The device
// is a border relay (BR), IPv6 on the left, or a CE without NAPT44, IPv6 on the right. Each check can be switched off, so that a
// Tester's tests of it can be tested.
#pragma once

#include <array>
#include <functional>

#include "message/fields.h"
#include "technologies/map_rule.h"
#include "technologies/port_of.h"
#include "technologies/rule_index.h"
#include "technologies/technology.h"

namespace xlatperf::reference {

enum class Check : std::uint8_t {
    source_address,        // a source that isn't the CE's
    source_port,           // one outside the CE's port set
    ea_bits,               // a MAP address whose EA bits aren't those of the packet's IPv4 address and port
    interface_identifier,  // or whose interface identifier isn't
    border_relay,          // MAP-E: the other end of the tunnel isn't the border relay
    destination_address,   // MAP-E: of another than the CE
    destination_port,      // outside the CE's port set; to a border relay, in nobody's
    count
};
inline constexpr std::array<std::string_view, static_cast<std::size_t>(Check::count)> check_names = {
    "source_address", "source_port",         "ea_bits",         "interface_identifier",
    "border_relay",   "destination_address", "destination_port"};

struct MapDomain {
    MapRule rule;
    Ce ce;  // the device itself, in the role of a CE
    /// Its addresses are shared, so that a packet without a port is nobody's.
    bool lacks(const PortFound& port) const { return rule.psid_length() > 0 && port.fate != Fate::forwarded; }
};

struct MapSettings {
    bool is_border_relay = true;
    std::vector<MapDomain> domains;
    std::array<bool, static_cast<std::size_t>(Check::count)> off{};  // the checks
    bool answers = false;  // RFC 7599 §8.3: ICMPv6 to a sender whose source is wrong; MAP-E is silent
    bool mesh = false;  // of a CE: its first domain is its own, and with all of their rules it reaches other CEs (RFC 7597 §5)
    bool hairpinning = true;  // of a border relay: what goes from one CE to another goes back (RFC 7597 §5: hub and spoke)
};

/// The end of a packet that is at the CE.
struct CeEnd {
    wire::Ipv4Address address;
    std::uint16_t port = 0;
};

class MapTechnology : public Technology {
  public:
    explicit MapTechnology(MapSettings settings);

    bool takes(const Arrival& arrival) const final;
    Result translate(const Arrival& arrival, MutableBytes out) final;
    const MapSettings& settings() const { return settings_; }

  protected:
    Side ipv6_side() const { return settings_.is_border_relay ? Side::left : Side::right; }
    Side ipv4_side() const { return other(ipv6_side()); }
    bool is_border_relay() const { return settings_.is_border_relay; }
    const MapDomain& domain(std::size_t number) const { return settings_.domains[number]; }
    bool on(Check check) const { return !settings_.off[static_cast<std::size_t>(check)]; }

    /// Whether an IPv6 packet, which comes from the domain's other end, is for this technology.
    virtual bool takes_ipv6(const Arrival& arrival) const = 0;
    virtual Result to_ipv4(const Arrival& arrival, MutableBytes out) = 0;
    /// Who is outside the domain, as it's called inside.
    virtual wire::Ipv6Address far_end(std::size_t domain, wire::Ipv4Address address) const = 0;
    virtual Result to_ipv6(const Ipv4Packet& packet, Bytes whole, const Ipv6Ends& ends, MutableBytes out) = 0;
    /// The IPv4 address that stands in the MAP address of a CE for its packets of `address`.
    virtual wire::Ipv4Address identified(const Ce& ce, wire::Ipv4Address address) const = 0;

    /// The domain of a CE's IPv6 address: in the role of a CE, of the device's own.
    std::optional<std::size_t> domain_of(wire::Ipv6Address map_address) const { return own_.find(map_address); }
    /// The domain of another CE, in a mesh.
    std::optional<std::size_t> other_of(wire::Ipv6Address map_address) const { return others_.find(map_address); }
    wire::Ipv6Address map_address(const MapDomain& domain, const Ce& ce, wire::Ipv4Address address) const {
        return domain.rule.map_address(ce, identified(ce, address));
    }
    /// Whether a packet that came by IPv6 may go on. `end` is the one at the CE, `map_address` its IPv6 address.
    Result check(const MapDomain& domain, wire::Ipv6Address map_address, const CeEnd& end) const;
    /// The same of the sender alone.
    Fate check_sender(const MapDomain& domain, wire::Ipv6Address map_address, const CeEnd& from) const;

    /// Whether what a CE sends to this address is for another one.
    bool goes_back(wire::Ipv4Address destination) const {
        return is_border_relay() && settings_.hairpinning && own_.has(destination);
    }
    /// IPv4 of one CE to another one, in `between()`: in IPv6 again. It isn't answered.
    Result back(const Ipv4Packet& packet, Bytes whole, MutableBytes out);
    MutableBytes between() { return between_; }

  private:
    MapSettings settings_;
    RuleIndex own_;     // by the rules' prefixes; in the role of a CE, by its own
    RuleIndex others_;  // of a mesh: by the rules' prefixes
    std::array<std::uint8_t, 65535> between_{};

    Fate check_receiver(const MapDomain& domain, wire::Ipv6Address map_address, const CeEnd& to) const;
    Result from_ipv4(const Ipv4Packet& packet, Bytes whole, MutableBytes out);
    Fate refuse(Check check, Fate fate) const { return on(check) ? fate : Fate::forwarded; }
};

/// The key "role".
bool read_is_border_relay(message::Fields& technology);
/// The keys "domains" and "checks", of these. `read_own` reads what's the technology's own in a domain. Throws MessageError.
MapSettings read_map(message::Fields& technology, bool is_border_relay, const std::vector<Check>& checks,
                     const std::function<void(message::Fields&)>& read_own);

/// The whole technology but its role.
std::shared_ptr<MapTechnology> read_map_e(message::Fields& technology, bool is_border_relay);
std::shared_ptr<MapTechnology> read_map_t(message::Fields& technology, bool is_border_relay);

}  // namespace xlatperf::reference
