// Flows from one subscriber to another through the same gateway, which sends them back to the left (hairpinning: RFC 7596 §6.2,
// RFC 7597 §5, RFC 4787 §6).
#pragma once

#include "flow/subscriber_flows.h"

namespace xlatperf::flow {

class HairpinFlows {
  public:
    struct Space {
        using Flows = HairpinFlows;
        std::shared_ptr<const Subscribers> subscribers;  ///< two at least
    };

    HairpinFlows(const Space& space, const Drawn& drawn)
        : subscribers_(space.subscribers),
          keys_(subscriber_keys(drawn)),
          source_ports_(drawn.source_ports),
          destination_ports_(drawn.destination_ports) {}

    Flow operator()(std::uint64_t sequence) const {
        const std::uint64_t a = mix(keys_[0] + sequence), b = mix(keys_[1] + sequence);
        if (subscribers_->rows() != nullptr) {
            const std::uint64_t later = mix(keys_[0] + sequence + rows_ahead);
            subscribers_->prefetch(first(later));
            subscribers_->prefetch(second(later, mix(keys_[1] + sequence + rows_ahead)));
        }
        const Subscriber from = (*subscribers_)(first(a));
        Flow flow;
        flow.to_subscriber = second(a, b);
        const Subscriber to = (*subscribers_)(flow.to_subscriber);
        flow.source_port = subscribers_->port(from, source_ports_, sequence, static_cast<std::uint32_t>(a >> 32));
        flow.destination_port = subscribers_->port(to, destination_ports_, sequence, static_cast<std::uint32_t>(b));
        flow.subscriber = from.packed();
        if (subscribers_->has_prefixes()) {
            const std::uint64_t hosts = mix(b);
            flow.source_host = subscribers_->host(from, static_cast<std::uint32_t>(hosts));
            flow.destination_host = subscribers_->host(to, static_cast<std::uint32_t>(hosts >> 32));
        }
        return flow;
    }

  private:
    std::uint32_t first(std::uint64_t random) const { return spread(static_cast<std::uint32_t>(random), subscribers_->count()); }
    /// Anybody but the one whom `of_first` draws.
    std::uint32_t second(std::uint64_t of_first, std::uint64_t random) const {
        const std::uint32_t distance = 1 + spread(static_cast<std::uint32_t>(random >> 32), subscribers_->count() - 1);
        return static_cast<std::uint32_t>((std::uint64_t{first(of_first)} + distance) % subscribers_->count());
    }

    std::shared_ptr<const Subscribers> subscribers_;
    std::array<std::uint64_t, 2> keys_;
    PortRange source_ports_, destination_ports_;
};

}  // namespace xlatperf::flow
