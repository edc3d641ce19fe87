// Stateful translation of addresses and ports within a family: NAT44 (RFC 3022, RFC 4787), and NAT66 in the sense of RFC 9693 §1,
// the same for IPv6. Everything but the client's address and port stays as it is; the hop limit is decremented.
#pragma once

#include "technology/stateful.h"

namespace xlatperf::technology {

class Nat44 final : public Stateful {
  public:
    /// All of one family.
    using Stateful::Stateful;
    wire::Family family(Side) const override { return pool()->family(); }

  protected:
    Address server(const Address& address, Side) const override { return address; }
};

}  // namespace xlatperf::technology
