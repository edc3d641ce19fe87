// Flows that belong to connections of clients, on the left, with servers, on the right (RFC 9693). Reverse frames go from server
// to client.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "flow/b4s.h"
#include "flow/drawn.h"
#include "flow/flow.h"
#include "flow/mapped_servers.h"

namespace xlatperf::flow {

struct ConnectionFlows {
    struct Space {
        using Flows = ConnectionFlows;
        std::optional<B4s> b4s = {};               ///< that clients are behind: the same addresses behind each
        std::optional<MappedServers> mapped = {};  ///< servers, if they are behind CEs
    };

    /// `drawn` has connections.
    ConnectionFlows(const Space& space, const Drawn& drawn)
        : connections(drawn.connections.value().connections),
          order(drawn.connections->phase, drawn.connections->read_order, connections.count(),
                mix(drawn.seed + 2 + index(drawn.direction)), drawn.connections->mix),
          reverse(drawn.direction == Direction::reverse),
          one_client(drawn.connections->one_client) {
        if (space.b4s) behind_each_b4.emplace(connections.clients() / space.b4s->count);
    }

    Connections connections;
    ConnectionOrder order;
    bool reverse, one_client;
    std::optional<Divider> behind_each_b4;  ///< clients

    Flow operator()(std::uint64_t sequence) const {
        const std::uint64_t connection = order(sequence);
        return flow(connection, connections(connection));
    }

    /// Of a frame of this connection, which is this four tuple.
    Flow flow(std::uint64_t connection, const FourTuple& tuple) const {
        std::uint64_t rest = one_client ? 0 : tuple.client;
        const auto client = static_cast<std::uint32_t>(behind_each_b4 ? behind_each_b4->take(rest) : std::exchange(rest, 0));
        const auto b4 = static_cast<std::uint32_t>(rest);
        if (reverse) return {tuple.server, client, tuple.server_port, tuple.client_port, connection, b4};
        return {client, tuple.server, tuple.client_port, tuple.server_port, connection, b4};
    }
};

}  // namespace xlatperf::flow
