// The flow of a frame: a pure function of the seed, the direction and the frame's number.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "flow/connections.h"
#include "flow/direction.h"
#include "flow/drawing.h"
#include "flow/flow.h"
#include "flow/port_range.h"
#include "flow/subscribers.h"

namespace xlatperf::flow {

/// The frames of a trial belong to connections (RFC 9693). Reverse frames go from server to client.
struct ConnectionFlows {
    Connections connections;
    ConnectionOrder order;
    bool reverse;
    bool one_client = false;                     ///< all clients look like the first: nobody translated them
    std::optional<Divider> behind_each_b4 = {};  ///< clients, where they are behind B4s: the same addresses behind each

    Flow operator()(std::uint64_t sequence) const {
        const std::uint64_t connection = order(sequence);
        return flow(connection, connections(connection));
    }

    /// Of a frame of this connection, which is this four tuple.
    Flow flow(std::uint64_t connection, const FourTuple& tuple) const {
        std::uint64_t rest = one_client ? 0 : tuple.client;
        const auto client = static_cast<std::uint32_t>(behind_each_b4 ? behind_each_b4->take(rest) : std::exchange(rest, 0));
        const auto gateway = static_cast<std::uint32_t>(rest);
        if (reverse) return {tuple.server, client, tuple.server_port, tuple.client_port, gateway, connection};
        return {client, tuple.server, tuple.client_port, tuple.server_port, gateway, connection};
    }
};

/// One end of each frame is a subscriber, the other a network as in `Enumeration`, or another subscriber.
struct SubscriberFlows {
    std::shared_ptr<const Subscribers> subscribers;
    bool send;  ///< or they receive
    std::array<std::uint64_t, 2> keys;
    std::uint32_t networks;
    PortRange own_ports, other_ports;
    bool pairs = false;  ///< of subscribers, of which there are two at least

    /// Frames come in the order of their numbers, mostly.
    static constexpr std::uint64_t ahead = 16;

    std::uint32_t drawn(std::uint64_t random) const { return spread(static_cast<std::uint32_t>(random), subscribers->count()); }
    /// Anybody but the one whom `first` draws.
    std::uint32_t second(std::uint64_t first, std::uint64_t random) const {
        const std::uint32_t distance = 1 + spread(static_cast<std::uint32_t>(random >> 32), subscribers->count() - 1);
        return static_cast<std::uint32_t>((std::uint64_t{drawn(first)} + distance) % subscribers->count());
    }

    Flow operator()(std::uint64_t sequence) const {
        if (pairs) [[unlikely]]
            return between_two(sequence);
        // Side by side, rather than one after the other.
        const std::uint64_t a = mix(keys[0] + sequence), b = mix(keys[1] + sequence);
        if (subscribers->has_tables()) subscribers->prefetch(drawn(mix(keys[0] + sequence + ahead)));
        const Subscriber who = (*subscribers)(drawn(a));
        const std::uint16_t own = subscribers->port(who, own_ports, sequence, static_cast<std::uint32_t>(a >> 32));
        const std::uint16_t other = other_ports.port(sequence, static_cast<std::uint32_t>(b));
        std::uint32_t host = 0, network = 0;
        if (networks > 1 || subscribers->has_prefixes()) {
            const std::uint64_t more = mix(b);
            host = subscribers->host(who, static_cast<std::uint32_t>(more));
            network = spread(static_cast<std::uint32_t>(more >> 32), networks);
        }
        if (send) return {host, network, own, other, 0, who.packed()};
        return {network, host, other, own, 0, who.packed()};
    }

  private:
    [[gnu::noinline]] Flow between_two(std::uint64_t sequence) const {
        const std::uint64_t a = mix(keys[0] + sequence), b = mix(keys[1] + sequence);
        if (subscribers->has_tables()) {
            const std::uint64_t later = mix(keys[0] + sequence + ahead);
            subscribers->prefetch(drawn(later));
            subscribers->prefetch(second(later, mix(keys[1] + sequence + ahead)));
        }
        const Subscriber from = (*subscribers)(drawn(a));
        const std::uint32_t to = second(a, b);
        const auto source = subscribers->port(from, own_ports, sequence, static_cast<std::uint32_t>(a >> 32));
        const auto destination = subscribers->port((*subscribers)(to), other_ports, sequence, static_cast<std::uint32_t>(b));
        return {0, 0, source, destination, to, from.packed()};
    }
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

    /// Of connections.
    explicit Enumeration(const ConnectionFlows& connections)
        : key_(0), of_networks_(false), source_networks_(1), destination_networks_(1), connections_(connections) {}

    /// Of subscribers, who draw from the same numbers in both directions.
    explicit Enumeration(SubscriberFlows subscribers)
        : key_(0), of_networks_(false), source_networks_(1), destination_networks_(1), subscribers_(std::move(subscribers)) {}

    const std::optional<ConnectionFlows>& connections() const { return connections_; }
    const std::optional<SubscriberFlows>& subscribers() const { return subscribers_; }
    std::uint32_t source_networks() const { return source_networks_; }
    std::uint32_t destination_networks() const { return destination_networks_; }
    bool one_address_pair() const { return source_networks_ == 1 && destination_networks_ == 1; }

    /// Set if networks and ports are drawn, and nothing else.
    std::optional<Drawing> drawing() const {
        if (!of_networks_ || !source_ports_.drawn() || !destination_ports_.drawn()) return {};
        return Drawing{key_,
                       source_ports_.first(),
                       source_ports_.drawn_from(),
                       destination_ports_.first(),
                       destination_ports_.drawn_from(),
                       source_networks_,
                       destination_networks_};
    }

    Flow operator()(std::uint64_t sequence) const {
        if (!of_networks_) [[unlikely]]
            return connections_ ? (*connections_)(sequence) : (*subscribers_)(sequence);
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
    bool of_networks_ = true;
    std::uint32_t source_networks_, destination_networks_;
    PortRange source_ports_, destination_ports_;
    std::optional<ConnectionFlows> connections_;
    std::optional<SubscriberFlows> subscribers_;
};

}  // namespace xlatperf::flow
