// What a technology decides: which family each link carries, and how a host is addressed on either link.
// Only asked while a trial is prepared: the hot path works on tables made from the answers.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "flow/direction.h"
#include "flow/host_range.h"
#include "wire/address.h"

namespace xlatperf::technology {

using flow::Side;
using Address = std::variant<wire::Ipv4Address, wire::Ipv6Address>;
using Hosts = std::variant<flow::Ipv4Hosts, flow::Ipv6Hosts>;

inline wire::Family family(const Address& address) {
    return std::holds_alternative<wire::Ipv4Address>(address) ? wire::Family::ipv4 : wire::Family::ipv6;
}
std::string to_text(const Address& address);

/// A technology can't express what it was asked for; `what()` is one line, `path` names the field.
struct Unmappable {
    std::string path, text;
};

/// The addresses and ports that a stateful gateway gives to clients, all of one family.
struct Pool {
    Address first;
    std::uint32_t addresses = 1;
    std::uint16_t first_port = 1024, last_port = 65535;

    wire::Family family() const { return technology::family(first); }
    /// Whether an address of the pool's family, as it is on the wire, and a port are in it.
    bool contains(const std::uint8_t* address, std::uint16_t port) const;
};
std::string to_text(const Pool& pool);

class Technology {
  public:
    virtual ~Technology() = default;

    /// The family of foreground frames on the link of `side`.
    virtual wire::Family family(Side side) const = 0;

    /// How the hosts of `side` are addressed on the link of `seen_from`, one for each network.
    /// Throws Unmappable.
    virtual std::vector<Address> addresses(Side side, Side seen_from) const = 0;

    /// The networks that the DUT must route to the Tester on `side`, as prefixes.
    virtual std::vector<std::string> routes(Side side) const = 0;

    /// Of stateful gateways: what they translate the clients' addresses to. Null for others.
    virtual const Pool* pool() const { return nullptr; }
    bool stateful() const { return pool() != nullptr; }

    /// Whether headers are translated between families.
    bool translates() const { return family(Side::left) != family(Side::right); }
    /// IPv4 on both sides and IPv6 between: 464XLAT (RFC 6877), MAP-T (RFC 7599), two stateless translators in a row.
    virtual bool translates_twice() const { return false; }
    /// Whether IPv4 headers are made anew: then identification and DF are the DUT's choice (RFC 7915 §5.1).
    bool makes_ipv4_headers() const { return translates() || translates_twice(); }
};

}  // namespace xlatperf::technology
