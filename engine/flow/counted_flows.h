// A given number of flows between the hosts of two sides: different four tuples, of which each frame belongs to one (RFC 8219
// §10.2.1: n network flows).
#pragma once

#include <algorithm>
#include <cstdint>

#include "flow/burst.h"
#include "flow/host_flows.h"
#include "flow/permuted.h"
#include "flow/tuple_burst.h"

namespace xlatperf::flow {

/// Draws one of them, uniformly and with replacement. Which they are is pseudorandom too, out of all that hosts and ports
/// make, none twice.
class CountedFlows {
  public:
    struct Space : HostFlows::Space {
        using Flows = CountedFlows;
        std::uint32_t count = 1;  ///< where there are fewer, all
    };

    /// How many there are, or what fits into 64 bits. Ports are drawn (`PortRange::drawn`).
    static std::uint64_t possible(const HostFlows::Space& space, const PortRange& sources, const PortRange& destinations) {
        const std::uint64_t pairs = std::uint64_t{space.hosts[0]} * space.hosts[1],
                            of_each = std::uint64_t{sources.drawn_from()} * destinations.drawn_from();
        return of_each > UINT64_MAX / pairs ? UINT64_MAX : of_each * pairs;
    }

    CountedFlows(const Space& space, const Drawn& drawn)
        : key_(drawn.key()),
          all_(possible(space, drawn.source_ports, drawn.destination_ports), ~key_),
          count_(std::min<std::uint64_t>(space.count, all_.size())),
          beginnings_(drawn.beginnings),
          tuples_{Digit(drawn.source_ports.drawn_from()), Digit(drawn.destination_ports.drawn_from()),
                  Digit(space.hosts[index(sender(drawn.direction))]), drawn.source_ports.first(),
                  drawn.destination_ports.first()} {}

    std::uint64_t count() const { return count_; }

    Flow operator()(std::uint64_t sequence) const {
        const std::uint64_t begun = beginnings_ ? std::min<std::uint64_t>(count_, beginnings_->begun(sequence)) : count_;
        double rest = to_double(all_(spread64(mix(key_ + sequence), begun)));
        Flow flow;
        flow.source_port = static_cast<std::uint16_t>(tuples_.first_port + to_number(tuples_.ports.take(rest)));
        flow.destination_port = static_cast<std::uint16_t>(tuples_.other_first_port + to_number(tuples_.other_ports.take(rest)));
        flow.source_host = static_cast<std::uint32_t>(to_number(tuples_.hosts.take(rest)));
        flow.destination_host = static_cast<std::uint32_t>(to_number(rest));
        return flow;
    }

    /// The same of a burst. `sequences` can be read up to `whole_vectors(n)`. Returns false, and draws nothing, where not as many
    /// flows have begun for all of them.
    bool draw(const std::uint64_t* sequences, unsigned n, FlowBurst& found) const {
        std::uint64_t begun = count_;
        if (beginnings_) [[unlikely]] {
            const auto of_each = beginnings_->begun(sequences, n);
            if (!of_each) return false;
            begun = std::min<std::uint64_t>(begun, *of_each);
        }
        alignas(64) OfBurst<std::uint64_t> numbers;
        draw_numbers(key_, begun, sequences, n, numbers.data());
        permute(all_, numbers.data(), n);
        take_apart(tuples_, numbers.data(), n, found.ports.data(), found.source_host.data(), found.destination_host.data());
        return true;
    }

  private:
    std::uint64_t key_;
    Permutation all_;
    std::uint64_t count_;
    std::optional<Beginnings> beginnings_;
    TupleDigits tuples_;
};

}  // namespace xlatperf::flow
