// IPv4 or IPv6, forwarded and not translated (RFC 2544, RFC 5180), or IPv4 that was translated to IPv6 and back.
#pragma once

#include "technology/address_translation.h"
#include "technology/forwarded.h"
#include "technology/technology.h"
#include "technology/translated.h"

namespace xlatperf::technology {

class Native final : public Technology {
  public:
    using Translators = std::array<AddressTranslation, 2>;

    /// Hosts of both sides, of the same family. `translates_twice`: the DUT is two stateless translators. `translators`: theirs
    /// of IPv4 on either side; without, each host has the same address on both.
    Native(Hosts left, Hosts right, bool translates_twice = false, std::optional<Translators> translators = {})
        : hosts_{std::move(left), std::move(right)}, translates_twice_(translates_twice), translators_(std::move(translators)) {}

    wire::Family family(Side) const override;
    /// Two translators in a row make an IPv4 header from an IPv6 one.
    Arriving arrives(Side side) const override { return translates_twice_ ? ipv4_from_ipv6 : forwarded(family(side)); }
    Names names(Side side, Side seen_from) const override;
    flow::Space flows() const override;
    std::vector<std::string> routes(Side side) const override;

  private:
    wire::Ipv4Address seen(wire::Ipv4Address address, Side side) const;

    std::array<Hosts, 2> hosts_;
    bool translates_twice_;
    std::optional<Translators> translators_;
};

}  // namespace xlatperf::technology
