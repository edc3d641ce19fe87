// A customer's edge with NAPT44, as most are (RFC 7597 §8, RFC 7599 §8.1, RFC 7596 §5): hosts on the left are translated to its
// address and ports, and that goes on as from an edge without.
#pragma once

#include <vector>

#include "nat/nat.h"
#include "technologies/technology.h"

namespace xlatperf::reference {

class NaptEdge final : public Technology {
  public:
    /// `edge` is one without NAPT44.
    NaptEdge(std::shared_ptr<Technology> edge, const NatSettings& settings) : edge_(std::move(edge)), nat_(settings) {}

    bool takes(const Arrival& arrival) const override { return edge_->takes(arrival); }
    Result translate(const Arrival& arrival, MutableBytes out) override {
        return arrival.side == Side::left ? outbound(arrival, out) : inbound(arrival, out);
    }
    Nat* nat() override { return &nat_; }

  protected:
    void connected() override { edge_->connect(around()); }

  private:
    Result outbound(const Arrival& arrival, MutableBytes out);
    Result inbound(const Arrival& arrival, MutableBytes out);

    std::shared_ptr<Technology> edge_;
    Nat nat_;
    std::vector<std::uint8_t> translated_;  // the packet behind NAPT44
};

}  // namespace xlatperf::reference
