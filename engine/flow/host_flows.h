// Flows between hosts of two sides.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "flow/drawing.h"
#include "flow/drawn.h"
#include "flow/flow.h"
#include "flow/random.h"

namespace xlatperf::flow {

/// Draws hosts (RFC 2544 §12: their networks uniformly, at random) and ports (RFC 4814 §4.5) with replacement.
class HostFlows {
  public:
    struct Space {
        using Flows = HostFlows;
        std::array<std::uint32_t, 2> hosts = {1, 1};  ///< on each side
    };

    HostFlows(const Space& space, const Drawn& drawn)
        : key_(drawn.key()),
          source_hosts_(space.hosts[index(sender(drawn.direction))]),
          destination_hosts_(space.hosts[index(receiver(drawn.direction))]),
          source_ports_(drawn.source_ports),
          destination_ports_(drawn.destination_ports) {}

    Flow operator()(std::uint64_t sequence) const {
        const std::uint64_t random = mix(key_ + sequence);
        Flow flow;
        flow.source_port = source_ports_.port(sequence, static_cast<std::uint32_t>(random));
        flow.destination_port = destination_ports_.port(sequence, static_cast<std::uint32_t>(random >> 32));
        if (source_hosts_ > 1 || destination_hosts_ > 1) {
            const std::uint64_t more = mix(random);
            flow.source_host = spread(static_cast<std::uint32_t>(more), source_hosts_);
            flow.destination_host = spread(static_cast<std::uint32_t>(more >> 32), destination_hosts_);
        }
        return flow;
    }

    /// Set if ports aren't in order.
    std::optional<Drawing> drawing() const {
        if (!source_ports_.drawn() || !destination_ports_.drawn()) return {};
        return Drawing{key_,
                       source_ports_.first(),
                       source_ports_.drawn_from(),
                       destination_ports_.first(),
                       destination_ports_.drawn_from(),
                       source_hosts_,
                       destination_hosts_};
    }

  private:
    std::uint64_t key_;
    std::uint32_t source_hosts_, destination_hosts_;
    PortRange source_ports_, destination_ports_;
};

}  // namespace xlatperf::flow
