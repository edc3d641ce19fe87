// A customer's edge with NAPT44 (RFC 3022) and a tunnel (RFC 2473) to the operator's device: a MAP-E CE (RFC 7597 §8), an lwB4
// (RFC 7596 §5). Private IPv4 on the left, which is translated to the edge's address and ports, and tunnels on the right.
#pragma once

#include "technology/forwarded.h"
#include "technology/stateful.h"
#include "technology/tunnelled.h"

namespace xlatperf::technology {

class TunnelEdge : public Stateful {
  public:
    /// `own` and `far` are the tunnel's ends.
    TunnelEdge(Range clients, Range servers, Pool pool, wire::Ipv6Address own, wire::Ipv6Address far)
        : Stateful(clients, servers, pool), own_(own), far_(far) {}

    wire::Family family(Side) const override { return wire::Family::ipv4; }
    /// Clients are translated within IPv4 (RFC 3022), which touches nothing else of the header.
    Arriving arrives(Side side) const override { return side == Side::right ? tunnelled(forwarded_ipv4) : forwarded_ipv4; }

    std::optional<Tunnel> tunnel(Side side) const override {
        if (side != Side::right) return {};
        return Tunnel{{Addresses{own_}, Addresses{far_}}};
    }

    std::vector<std::string> routes(Side side) const override {
        if (side == Side::left) return Stateful::routes(side);
        return {wire::to_text(wire::Ipv6Prefix{far_, 128})};
    }

  protected:
    wire::Address server(const wire::Address& address, Side) const override { return address; }

  private:
    wire::Ipv6Address own_, far_;
};

}  // namespace xlatperf::technology
