// IPv4 or IPv6, forwarded and not translated (RFC 2544, RFC 5180).
#pragma once

#include "technology/technology.h"

namespace xlatperf::technology {

class Native final : public Technology {
  public:
    /// Hosts of both sides, of the same family.
    Native(Hosts left, Hosts right) : hosts_{std::move(left), std::move(right)} {}

    wire::Family family(Side) const override;
    std::vector<Address> addresses(Side side, Side seen_from) const override;
    std::vector<std::string> routes(Side side) const override;

  private:
    std::array<Hosts, 2> hosts_;
};

}  // namespace xlatperf::technology
