// Stateful NAT64 (RFC 6146): IPv6 clients reach IPv4 servers, which the translation prefix represents (RFC 6052). Headers are
// translated as in SIIT (RFC 7915).
#pragma once

#include "technology/stateful.h"
#include "technology/translated.h"
#include "wire/rfc6052.h"

namespace xlatperf::technology {

class Nat64 final : public Stateful {
  public:
    Nat64(flow::Ipv6Range clients, flow::Ipv4Range servers, Pool pool, wire::Ipv6Prefix prefix)
        : Stateful(clients, servers, pool), prefix_(prefix) {}
    wire::Family family(Side side) const override { return side == Side::left ? wire::Family::ipv6 : wire::Family::ipv4; }
    Arriving arrives(Side side) const override { return translated(family(side)); }

  protected:
    wire::Address server(const wire::Address& address, Side seen_from) const override {
        if (seen_from == Side::right) return address;
        return wire::rfc6052::embed(prefix_, std::get<wire::Ipv4Address>(address));
    }

  private:
    wire::Ipv6Prefix prefix_;
};

}  // namespace xlatperf::technology
