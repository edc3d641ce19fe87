// The flows of a burst of frames between subscribers and others.
#pragma once

#include "flow/burst.h"
#include "flow/digits.h"
#include "flow/subscriber_flows.h"

namespace xlatperf::flow {

class SubscriberBurst {
  public:
    /// Whether flows are drawn by one rule, or from rows that have an IPv4 address each; and ports aren't in order.
    static bool suits(const SubscriberFlows& flows);

    /// Of flows that it suits.
    explicit SubscriberBurst(const SubscriberFlows& flows);

    /// The same as the flows say of each. `sequences` can be read up to `whole_vectors(n)`. Returns false, and draws nothing,
    /// where not as many flows have begun for all of them.
    bool draw(const std::uint64_t* sequences, unsigned n, FlowBurst& found) const;

    /// All that is fixed.
    struct Fixed {
        std::array<std::uint64_t, 2> keys{};
        std::uint64_t far_hosts = 1, host_mask = 0;
        // Of numbers: who has them.
        std::uint64_t from = 0, first_psid = 0;
        unsigned psid_bits = 0;
        Digit psids{1};
        std::uint64_t first_other_port = 0, other_ports = 1;
        std::uint64_t psid_mask = 0, psid = 0;
        bool sends = true;
    };
    /// Of sets of ports: where their parts are.
    struct Shape {
        std::uint64_t first_own_port = 0, own_ports = 1;
        unsigned contiguous_bits = 0, block_shift = 0;
        std::uint64_t first_block = 0, instead_of_0 = 0;
        std::uint64_t psid = 0;  ///< if it's the same in all frames
        bool all_ports = true;

        bool operator==(const Shape&) const = default;
    };

  private:
    void draw_among(std::uint64_t subscribers, const std::uint64_t* sequences, unsigned n, FlowBurst& found) const;
    static Shape shape_of(const Subscribers& subscribers, const PortRange& own_ports, std::size_t domain);

    Fixed fixed_;
    std::vector<Shape> shapes_;            // one, or those that there are
    std::vector<std::uint8_t> of_domain_;  // which of them
    std::optional<Shape> of_peer_;         // whose ports aren't any
    std::shared_ptr<const Subscribers> subscribers_;
    std::optional<Beginnings> beginnings_;
};

}  // namespace xlatperf::flow
