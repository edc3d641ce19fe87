// What NAT44, NAT64 and NAT66 have in common (RFC 9693 §3): clients on the left, the Initiator's side; servers on the right, the
// Responder's; and a pool of addresses that stand for the clients on the right.
#pragma once

#include <variant>

#include "flow/address_range.h"
#include "technology/technology.h"

namespace xlatperf::technology {

using Range = std::variant<flow::Ipv4Range, flow::Ipv6Range>;

class Stateful : public Technology {
  public:
    Stateful(Range clients, Range servers, Pool pool) : clients_(clients), servers_(servers), pool_(pool) {}

    const Pool* pool() const override { return &pool_; }
    /// Clients as seen from the right are the pool: which of its addresses isn't known before.
    Names names(Side side, Side seen_from) const override;
    flow::Space flows() const override { return flow::ConnectionFlows::Space{}; }
    std::vector<std::string> routes(Side side) const override;

  protected:
    /// How a server is addressed on the link of `seen_from`.
    virtual wire::Address server(const wire::Address& address, Side seen_from) const = 0;

  private:
    Range clients_, servers_;
    Pool pool_;
};

/// All ports that one who shares an address with others may use, of that address as it's called on the right. Port 0 is none
/// (RFC 768).
inline Pool pool_of(const flow::PortSet& ports, const wire::Address& address) { return {address, 1, 1, 65535, ports}; }

/// All addresses of a range.
std::vector<wire::Address> addresses(const Range& range);

/// Prefixes that cover a range: exactly it where its addresses are consecutive, else the longest one that holds them all.
std::vector<std::string> covering_prefixes(const Range& range);

}  // namespace xlatperf::technology
