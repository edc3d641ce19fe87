// Flows between subscribers on one side, and hosts, or a subscriber apart, on the other.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "flow/drawn.h"
#include "flow/flow.h"
#include "flow/subscribers.h"

namespace xlatperf::flow {

/// Frames come in the order of their numbers, mostly: the row of a table that a frame so many further on needs can be asked for.
inline constexpr std::uint64_t rows_ahead = 16;

/// What both directions draw subscribers with: each two numbers.
inline std::array<std::uint64_t, 2> subscriber_keys(const Drawn& drawn) {
    const std::uint64_t key = mix(drawn.seed) + 2 * index(drawn.direction);
    return {mix(key), mix(key + 1)};
}

struct SubscriberFlows {
    struct Space {
        using Flows = SubscriberFlows;
        std::shared_ptr<const Subscribers> subscribers;
        std::uint32_t far_hosts = 1;  ///< on the other side
        Side side = Side::left;       ///< where the subscribers are
        /// Who is on the other side, alone, so that the ports there are its own; null: hosts with any ports.
        std::shared_ptr<const Subscribers> peer{};
    };

    std::shared_ptr<const Subscribers> subscribers, peer;
    bool send;  ///< or they receive
    std::array<std::uint64_t, 2> keys;
    std::uint32_t far_hosts;
    PortRange own_ports, other_ports;
    std::optional<Beginnings> beginnings;

    SubscriberFlows(const Space& space, const Drawn& drawn)
        : subscribers(space.subscribers),
          peer(space.peer),
          send(sender(drawn.direction) == space.side),
          keys(subscriber_keys(drawn)),
          far_hosts(space.far_hosts),
          own_ports(send ? drawn.source_ports : drawn.destination_ports),
          other_ports(send ? drawn.destination_ports : drawn.source_ports),
          beginnings(drawn.beginnings) {}

    std::uint64_t count() const { return subscribers->count(); }

    Flow operator()(std::uint64_t sequence) const {
        // Side by side, rather than one after the other.
        const std::uint64_t a = mix(keys[0] + sequence), b = mix(keys[1] + sequence);
        const std::uint32_t begun = beginnings ? beginnings->begun(sequence) : subscribers->count();
        if (subscribers->rows() != nullptr) subscribers->prefetch(index_of(mix(keys[0] + sequence + rows_ahead), begun));
        const Subscriber who = (*subscribers)(index_of(a, begun));
        const std::uint16_t own = subscribers->port(who, own_ports, sequence, static_cast<std::uint32_t>(a >> 32));
        const std::uint16_t other = peer == nullptr
                                        ? other_ports.port(sequence, static_cast<std::uint32_t>(b))
                                        : peer->port((*peer)(0), other_ports, sequence, static_cast<std::uint32_t>(b));
        std::uint32_t host = 0, far = 0;
        if (far_hosts > 1 || subscribers->has_prefixes()) {
            const std::uint64_t more = mix(b);
            host = subscribers->host(who, static_cast<std::uint32_t>(more));
            far = spread(static_cast<std::uint32_t>(more >> 32), far_hosts);
        }
        Flow flow = send ? Flow{host, far, own, other} : Flow{far, host, other, own};
        flow.subscriber = who.packed();
        return flow;
    }

    static std::uint32_t index_of(std::uint64_t random, std::uint32_t begun) {
        return spread(static_cast<std::uint32_t>(random), begun);
    }
};

}  // namespace xlatperf::flow
