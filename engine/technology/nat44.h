// Stateful translation of addresses and ports within a family: NAT44 (RFC 3022, RFC 4787), and NAT66 in the sense of RFC 9693 §1,
// the same for IPv6. Everything but the client's address and port stays as it is; the hop limit is decremented. 464XLAT as a
// whole is a NAT44 that translates twice (RFC 6877).
#pragma once

#include "technology/forwarded.h"
#include "technology/stateful.h"
#include "technology/translated.h"

namespace xlatperf::technology {

class Nat44 final : public Stateful {
  public:
    /// All of one family.
    Nat44(Range clients, Range servers, Pool pool, bool translates_twice = false)
        : Stateful(clients, servers, pool), translates_twice_(translates_twice) {}
    wire::Family family(Side) const override { return pool()->family(); }
    /// Two translators in a row make an IPv4 header from an IPv6 one.
    Arriving arrives(Side side) const override { return translates_twice_ ? ipv4_from_ipv6 : forwarded(family(side)); }

  protected:
    wire::Address server(const wire::Address& address, Side) const override { return address; }

  private:
    bool translates_twice_;
};

}  // namespace xlatperf::technology
