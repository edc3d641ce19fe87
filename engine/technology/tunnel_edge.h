// A customer's edge with NAPT44 (RFC 3022) and a tunnel (RFC 2473) to the operator's device: a MAP-E CE (RFC 7597 §8), an lwB4
// (RFC 7596 §5). Private IPv4 on the left, which is translated to the edge's address and ports, and tunnels on the right.
#pragma once

#include "technology/forwarded.h"
#include "technology/stateful.h"
#include "technology/tunnelled.h"

namespace xlatperf::technology {

/// The other ends of its tunnels.
struct FarEnds {
    Names names;
    std::vector<std::string> routes;  ///< prefixes that hold them

    /// The operator's device.
    static FarEnds one(wire::Ipv6Address address) {
        return {Addresses{address}, {wire::to_text(wire::Ipv6Prefix{address, 128})}};
    }
};

class TunnelEdge : public Stateful {
  public:
    /// `own` is the tunnels' end that the edge is.
    TunnelEdge(Range clients, Range servers, Pool pool, wire::Ipv6Address own, FarEnds far)
        : Stateful(clients, servers, pool), own_(own), far_(std::move(far)) {}

    wire::Family family(Side) const override { return wire::Family::ipv4; }
    /// Clients are translated within IPv4 (RFC 3022), which touches nothing else of the header.
    Arriving arrives(Side side) const override { return side == Side::right ? tunnelled(forwarded_ipv4) : forwarded_ipv4; }

    std::optional<Tunnel> tunnel(Side side) const override {
        if (side != Side::right) return {};
        return Tunnel{{Addresses{own_}, far_.names}};
    }

    std::vector<std::string> routes(Side side) const override {
        if (side == Side::left) return Stateful::routes(side);
        return far_.routes;
    }

    flow::Space flows() const override {
        flow::ConnectionFlows::Space space;
        if (const auto* mapped = std::get_if<flow::MappedServers>(&far_.names)) space.mapped = *mapped;
        return space;
    }

  protected:
    wire::Address server(const wire::Address& address, Side) const override { return address; }

  private:
    wire::Ipv6Address own_;
    FarEnds far_;
};

}  // namespace xlatperf::technology
