// The flow of a frame: a pure function of the seed, the direction and the frame's number.
#pragma once

#include <cstdint>

#include "flow/direction.h"
#include "flow/port_range.h"

namespace xlatperf::flow {

/// Indices of the networks of both ends, and the ports, as the sender writes them.
struct Flow {
    std::uint32_t source_network = 0, destination_network = 0;
    std::uint16_t source_port = 0, destination_port = 0;
};

/// Draws networks (RFC 2544 §12: uniformly, at random) and ports (RFC 4814 §4.5) with replacement.
class Enumeration {
  public:
    Enumeration(std::uint64_t seed, Direction direction, std::uint32_t source_networks, std::uint32_t destination_networks,
                PortRange source_ports, PortRange destination_ports)
        : key_(mix(mix(seed) + index(direction))),
          source_networks_(source_networks),
          destination_networks_(destination_networks),
          source_ports_(source_ports),
          destination_ports_(destination_ports) {}

    std::uint32_t source_networks() const { return source_networks_; }
    std::uint32_t destination_networks() const { return destination_networks_; }
    bool one_address_pair() const { return source_networks_ == 1 && destination_networks_ == 1; }

    Flow operator()(std::uint64_t sequence) const {
        const std::uint64_t random = mix(key_ + sequence);
        Flow flow;
        flow.source_port = source_ports_.port(sequence, static_cast<std::uint32_t>(random));
        flow.destination_port = destination_ports_.port(sequence, static_cast<std::uint32_t>(random >> 32));
        if (!one_address_pair()) {
            const std::uint64_t more = mix(random);
            flow.source_network = spread(static_cast<std::uint32_t>(more), source_networks_);
            flow.destination_network = spread(static_cast<std::uint32_t>(more >> 32), destination_networks_);
        }
        return flow;
    }

  private:
    std::uint64_t key_;
    std::uint32_t source_networks_, destination_networks_;
    PortRange source_ports_, destination_ports_;
};

}  // namespace xlatperf::flow
