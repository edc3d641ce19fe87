// What a technology decides: which headers foreground frames have on each link and who is named in them, who their ends are, and
// what the DUT must route. Only asked while a trial is prepared: the hot path works on what is made from the answers.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "flow/b4s.h"
#include "flow/direction.h"
#include "flow/enumeration.h"
#include "flow/host_range.h"
#include "flow/mapped_servers.h"
#include "flow/port_set.h"
#include "flow/subscribers.h"
#include "technology/arriving.h"
#include "wire/address.h"
#include "wire/headers.h"

namespace xlatperf::technology {

using flow::Side;
using Addresses = std::vector<wire::Address>;
using Hosts = std::variant<flow::Ipv4Hosts, flow::Ipv6Hosts>;

/// All addresses of a range.
template <typename P> Addresses addresses_of(const flow::HostRange<P>& hosts) {
    Addresses found;
    for (std::uint32_t i = 0; i < hosts.count(); ++i) found.emplace_back(hosts.address(i));
    return found;
}
/// Its networks, as prefixes.
template <typename P> std::vector<std::string> networks_of(const flow::HostRange<P>& hosts) {
    std::vector<std::string> found;
    for (std::uint32_t i = 0; i < hosts.networks; ++i) found.push_back(wire::to_text(hosts.network(i)));
    return found;
}

/// Its PSID, and the first and last of its ranges of ports.
std::string to_text(const flow::PortSet& set);

/// A technology can't express what it was asked for; `what()` is one line, `path` names the field.
struct Unmappable {
    std::string path, text;
};

/// The addresses and ports that a stateful gateway gives to clients, all of one family.
struct Pool {
    wire::Address first;
    std::uint32_t addresses = 1;
    std::uint16_t first_port = 1024, last_port = 65535;
    flow::PortSet ports{0, 0, 0};  ///< of the ports between these, only those in it

    wire::Family family() const { return wire::family(first); }
    /// Whether an address of the pool's family, as it is on the wire, and a port are in it.
    bool contains(const std::uint8_t* address, std::uint16_t port) const;
    bool contains(std::uint16_t port) const { return port >= first_port && port <= last_port && ports.contains(port); }
    /// A port that a client may get: its own if that is in the pool, else the lowest. There is one.
    std::uint16_t port_for(std::uint16_t client) const;
};
std::string to_text(const Pool& pool);

/// The address, of the header's family, of the subscriber that the frame belongs to.
struct OfSubscriber {
    std::shared_ptr<const flow::Subscribers> all;
};

/// For each domain of subscribers so many, those of a domain in a row.
struct OfDomain {
    Addresses addresses;
    std::uint32_t each = 1;
};

/// Of a frame between two subscribers: the IPv4 address of the one, as the domain of the other calls who is outside (RFC 7599
/// §5.1), in IPv6.
struct OutsideSubscriber {
    std::shared_ptr<const flow::Subscribers> all;
    std::vector<wire::Ipv6Prefix> prefixes;  ///< of each domain, or the one of all (RFC 6052)
};

/// How the hosts of a side are named in a header: by a list, of which the frame's host says which; or so for the subscriber's
/// domain; or by who the subscriber is, or the client's B4, or the CE that the server is behind.
using Names = std::variant<Addresses, OfDomain, OfSubscriber, OutsideSubscriber, flow::B4s, flow::MappedServers>;
/// The list; null if there is none.
const Addresses* list_in(const Names& names);

/// The outer header of a tunnel (RFC 2473), which is IPv6: the ends of its left and right side. A list has one for all frames,
/// or one for each domain of subscribers. B4s stand nowhere else.
struct Tunnel {
    std::array<Names, 2> ends;
};

/// A binding table (RFC 7596 §6.1): who is in it, and the lwAFTR of each domain.
struct BindingList {
    std::shared_ptr<const flow::Subscribers> subscribers;
    std::vector<wire::Ipv6Address> lwaftrs;
};

class Technology {
  public:
    virtual ~Technology() = default;

    /// The family of foreground packets on the link of `side`; in a tunnel, of those inside.
    virtual wire::Family family(Side side) const = 0;

    /// What the headers of foreground packets must have when they come out of the DUT on `side`.
    virtual Arriving arrives(Side side) const = 0;

    /// How the hosts of `side` are named on the link of `seen_from`, in the header of `family(seen_from)`. Throws Unmappable.
    virtual Names names(Side side, Side seen_from) const = 0;

    /// The same of frames that arrive there from the other side: not who a packet is from and to, but what the DUT makes of it.
    /// Throws Unmappable.
    virtual Names arriving_names(Side side, Side seen_from) const { return names(side, seen_from); }

    /// Who foreground frames are between.
    virtual flow::Space flows() const = 0;

    /// Whether frames on the link of `side` are in a tunnel, and whose.
    virtual std::optional<Tunnel> tunnel(Side) const { return {}; }

    /// What must be in the DUT's binding table; nothing of technologies without.
    virtual std::optional<BindingList> softwires() const { return {}; }

    /// The networks that the DUT must route to the Tester on `side`, as prefixes.
    virtual std::vector<std::string> routes(Side side) const = 0;

    /// Of stateful gateways: what they translate the clients' addresses to. Null for others.
    virtual const Pool* pool() const { return nullptr; }
    bool stateful() const { return pool() != nullptr; }

    /// The family of the outermost header on the link of `side`: the frame's own.
    wire::Family link_family(Side side) const { return tunnel(side) ? wire::Family::ipv6 : family(side); }
    /// Bytes of all IP headers of foreground frames there (RFC 8219 §5.1: the overhead).
    std::size_t ip_headers(Side side) const {
        const std::size_t outer = tunnel(side) ? wire::ipv6::size : 0;
        return outer + (family(side) == wire::Family::ipv4 ? wire::ipv4::size : wire::ipv6::size);
    }
    /// The list in `names`; empty for subscribers.
    Addresses addresses(Side side, Side seen_from) const {
        const Names found = names(side, seen_from);
        const auto* list = list_in(found);
        return list == nullptr ? Addresses{} : *list;
    }
    /// Of stateful gateways, the servers: as they are on their own link, or if that doesn't list them, as seen from the left.
    Addresses servers() const {
        const Addresses own = addresses(Side::right, Side::right);
        return own.empty() ? addresses(Side::right, Side::left) : own;
    }
    /// Whether foreground frames belong to subscribers, who aren't behind B4s.
    bool has_subscribers() const {
        const flow::Space space = flows();
        return std::holds_alternative<flow::SubscriberFlows::Space>(space) ||
               std::holds_alternative<flow::HairpinFlows::Space>(space);
    }
    /// Whether both ends are subscribers on the left: forward frames come back there, and no others are sent.
    bool hairpins() const { return std::holds_alternative<flow::HairpinFlows::Space>(flows()); }

    /// The hosts of `side` as they are on its own link, those of the lowest and the highest number; or as `servers` has them.
    std::array<wire::Address, 2> first_and_last(Side side) const;
};

}  // namespace xlatperf::technology
