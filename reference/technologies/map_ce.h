// A MAP CE with NAPT44, as most are (RFC 7597 §8, RFC 7599 §8.1): hosts on the left are translated to the CE's address and ports,
// and that goes through MAP-E or MAP-T in the role of a CE without it.
#pragma once

#include <vector>

#include "nat/nat.h"
#include "technologies/kind.h"
#include "technologies/map_domains.h"

namespace xlatperf::reference {

class MapCe final : public Technology {
  public:
    /// `map` has the role of a CE, and one domain.
    MapCe(std::shared_ptr<MapTechnology> map, const NatSettings& settings) : map_(std::move(map)), nat_(settings) {}

    bool takes(const Arrival& arrival) const override { return map_->takes(arrival); }
    Result translate(const Arrival& arrival, MutableBytes out) override {
        return arrival.side == Side::left ? outbound(arrival, out) : inbound(arrival, out);
    }
    Nat* nat() override { return &nat_; }

  protected:
    void connected() override { map_->connect(around()); }

  private:
    Result outbound(const Arrival& arrival, MutableBytes out);
    Result inbound(const Arrival& arrival, MutableBytes out);

    std::shared_ptr<MapTechnology> map_;
    Nat nat_;
    std::vector<std::uint8_t> translated_;  // the packet between NAPT44 and MAP
};

/// The keys of `map`, but the role, and "state". Throws ConfigError.
Chosen read_map_ce(const Json& json, const std::string& path, const Kind& map);

}  // namespace xlatperf::reference
