// The flows of a burst of frames between subscribers of one domain and others.
#pragma once

#include "flow/burst.h"
#include "flow/digits.h"
#include "flow/subscriber_flows.h"

namespace xlatperf::flow {

class SubscriberBurst {
  public:
    /// Whether flows are drawn from one domain, and ports aren't in order.
    static bool suits(const SubscriberFlows& flows);

    /// Of flows that it suits.
    explicit SubscriberBurst(const SubscriberFlows& flows);

    /// The same as the flows say of each. `sequences` can be read up to `whole_vectors(n)`. Returns false, and draws nothing,
    /// where not as many flows have begun for all of them.
    bool draw(const std::uint64_t* sequences, unsigned n, FlowBurst& found) const;

    /// All that is fixed.
    struct Fixed {
        std::array<std::uint64_t, 2> keys{};
        std::uint64_t networks = 1, host_mask = 0;
        // Of numbers: who has them.
        std::uint64_t from = 0, first_psid = 0;
        unsigned psid_bits = 0;
        Digit psids{1};
        std::uint64_t first_own_port = 0, own_ports = 1, first_other_port = 0, other_ports = 1;
        // Of a set of ports: where its parts are.
        unsigned contiguous_bits = 0, block_shift = 0;
        std::uint64_t first_block = 0, psid_mask = 0, psid = 0, instead_of_0 = 0;
        bool all_ports = true, sends = true;
    };

  private:
    void draw_among(std::uint64_t subscribers, const std::uint64_t* sequences, unsigned n, FlowBurst& found) const;

    Fixed fixed_;
    std::shared_ptr<const Subscribers> subscribers_;
    std::optional<Beginnings> beginnings_;
};

}  // namespace xlatperf::flow
