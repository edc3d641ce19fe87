// The connections of a stateful test (RFC 9693 §4.4): four tuples out of clients x client ports x servers x server ports, each
// one once. Connection c is a pure function of c, so neither side needs a list of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "flow/divider.h"
#include "flow/permutation.h"
#include "flow/random.h"
#include "flow/traffic_mix.h"
#include "wire/words.h"

namespace xlatperf::flow {

/// In which order the four tuples are opened: RFC 9693 §4.4 requires pseudorandom; the others may be measured as well.
enum class Opening : std::uint8_t { pseudorandom, increasing, decreasing };
inline constexpr wire::Word<Opening> opening_words[] = {
    {"pseudorandom", Opening::pseudorandom}, {"increasing", Opening::increasing}, {"decreasing", Opening::decreasing}};

/// Which connections the frames of a trial belong to.
enum class Phase : std::uint8_t {
    establish,  ///< phase 1: frame i opens connection i
    each_once,  ///< validation (§4.6): every connection has one frame
    steady,     ///< phase 2: any connection at any time
};
inline constexpr wire::Word<Phase> phase_words[] = {
    {"establish", Phase::establish}, {"each_once", Phase::each_once}, {"steady", Phase::steady}};

/// In which order connections are used again (§4.10).
enum class ReadOrder : std::uint8_t { pseudorandom, round_robin };
inline constexpr wire::Word<ReadOrder> read_order_words[] = {{"pseudorandom", ReadOrder::pseudorandom},
                                                             {"round_robin", ReadOrder::round_robin}};

struct PortSpan {
    std::uint16_t first = 0, last = 0;
    std::uint32_t ports() const { return static_cast<std::uint32_t>(last - first) + 1; }
};

struct FourTuple {
    std::uint32_t client = 0, server = 0;  ///< indices
    std::uint16_t client_port = 0, server_port = 0;
};

/// What connections are made of.
struct ConnectionSpace {
    std::uint32_t clients = 1, servers = 1;
    PortSpan client_ports{1024, 65535}, server_ports{1, 49151};
    Opening opening = Opening::pseudorandom;

    static constexpr std::uint64_t most_connections = 0xffffffff;
    static constexpr std::uint32_t most_clients = 1U << 24;

    /// Four tuples with one server port.
    std::uint64_t of_one_server_port() const { return std::uint64_t{clients} * servers * client_ports.ports(); }
    /// How many connections there can be.
    std::uint64_t most() const {
        const std::uint64_t each = of_one_server_port();
        return each > most_connections ? most_connections : std::min(most_connections, each * server_ports.ports());
    }
};

/// `count` connections of a space. As many server ports are used as are needed for them (RFC 9693 §5.1: a large source port
/// range, and a destination port range that grows with the number of connections).
class Connections {
  public:
    /// `count`: 1 to space.most().
    Connections(const ConnectionSpace& space, std::uint64_t count, std::uint64_t seed)
        : count_(count),
          opening_(space.opening),
          client_ports_(space.client_ports.ports()),
          server_ports_(needed_server_ports(space, count)),
          clients_(space.clients),
          first_client_port_(space.client_ports.first),
          first_server_port_(space.server_ports.first),
          tuples_(std::uint64_t{client_ports_.divisor()} * server_ports_.divisor() * space.clients * space.servers, mix(seed)) {}

    std::uint64_t count() const { return count_; }
    std::uint32_t clients() const { return clients_.divisor(); }
    PortSpan client_ports() const {
        return {first_client_port_, static_cast<std::uint16_t>(first_client_port_ + client_ports_.divisor() - 1)};
    }
    PortSpan server_ports() const {
        return {first_server_port_, static_cast<std::uint16_t>(first_server_port_ + server_ports_.divisor() - 1)};
    }

    FourTuple operator()(std::uint64_t connection) const { return tuple(number(connection)); }

    /// Which of all four tuples a connection is.
    std::uint64_t number(std::uint64_t connection) const {
        if (opening_ == Opening::pseudorandom) return tuples_(connection);
        return opening_ == Opening::decreasing ? tuples_.size() - 1 - connection : connection;
    }

    /// Set if four tuples are opened in this order.
    const Permutation* order() const { return opening_ == Opening::pseudorandom ? &tuples_ : nullptr; }

    /// Number `number` of all that there can be.
    FourTuple tuple(std::uint64_t number) const {
        FourTuple tuple;
        tuple.client_port = static_cast<std::uint16_t>(first_client_port_ + client_ports_.take(number));
        tuple.server_port = static_cast<std::uint16_t>(first_server_port_ + server_ports_.take(number));
        tuple.client = clients_.take(number);
        tuple.server = static_cast<std::uint32_t>(number);
        return tuple;
    }

  private:
    static std::uint32_t needed_server_ports(const ConnectionSpace& space, std::uint64_t count) {
        const std::uint64_t each = space.of_one_server_port();
        return static_cast<std::uint32_t>((count + each - 1) / each);
    }

    std::uint64_t count_;
    Opening opening_;
    Divider client_ports_, server_ports_, clients_;
    std::uint16_t first_client_port_, first_server_port_;
    Permutation tuples_;
};

/// The connection of each frame of a trial.
class ConnectionOrder {
  public:
    /// Foreground frames of `mix` belong to connections.
    ConnectionOrder(Phase phase, ReadOrder order, std::uint64_t count, std::uint64_t key, const TrafficMix& mix = {1, 1})
        : phase_(phase), order_(order), count_(count), key_(flow::mix(key)), each_once_(count, key_), mix_(mix) {}

    std::uint64_t operator()(std::uint64_t sequence) const {
        if (phase_ == Phase::establish) return sequence < count_ ? sequence : sequence - count_;  // the first ones again
        if (order_ == ReadOrder::round_robin) {  // in turn: background frames don't skip any
            const std::uint64_t turn = mix_.only_foreground() ? sequence : mix_.foreground_below(sequence);
            return turn < count_ ? turn : turn % count_;
        }
        if (phase_ == Phase::each_once) return each_once_(sequence);
        return spread64(mix(key_ + sequence), count_);
    }

    /// Set if connections are drawn, with this key.
    std::optional<std::uint64_t> drawn_with() const {
        if (phase_ != Phase::steady || order_ != ReadOrder::pseudorandom) return {};
        return key_;
    }
    std::uint64_t count() const { return count_; }

  private:
    Phase phase_;
    ReadOrder order_;
    std::uint64_t count_, key_;
    Permutation each_once_;
    TrafficMix mix_;
};

}  // namespace xlatperf::flow
