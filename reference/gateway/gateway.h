// The gateway between its two ports, without the ports: frames come in by `receive` and leave through a Transmitter.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "gateway/neighbors.h"
#include "impair/impairments.h"
#include "link/routes.h"
#include "nat/nat.h"
#include "technologies/technology.h"
#include "translate/fate.h"
#include "translate/forward.h"
#include "translate/icmp_error.h"

namespace xlatperf::reference {

struct StaticNeighbor {
    NeighborAddress address;
    wire::Mac mac{};
};

struct GatewaySide : Link {
    std::vector<std::pair<wire::Ipv4Prefix, wire::Ipv4Address>> ipv4_routes;  // prefix, via
    std::vector<std::pair<wire::Ipv6Prefix, wire::Ipv6Address>> ipv6_routes;
    std::vector<StaticNeighbor> neighbors;
};

struct GatewaySettings {
    std::array<GatewaySide, 2> sides;
    std::shared_ptr<Technology> technology;       // of this gateway alone; nullptr: a router
    std::optional<TranslatedTwice> twice;         // routed IPv4 as two translators in a row leave it
    std::uint64_t icmp_errors_per_second = 1000;  // RFC 4443 §2.4 (f), RFC 1812 §4.3.2.8
    std::size_t held_limit = 16384;               // frames that the impairments of one direction may hold
    std::array<Plan, 2> plans;
};

struct DirectionCounters {
    std::uint64_t received = 0, translated = 0, native = 0, fragmented = 0;
    std::array<std::uint64_t, static_cast<std::size_t>(Fate::count)> fates{};  // of arriving packets
};
struct SideCounters {
    std::uint64_t received = 0, arp_received = 0, nd_received = 0, arp_sent = 0, nd_sent = 0, echo_replies = 0, icmp_errors = 0,
                  local = 0;
};

class Gateway {
  public:
    Gateway(GatewaySettings settings, FramePool& pool, Transmitter& transmitter);
    ~Gateway();
    Gateway(const Gateway&) = delete;
    Gateway& operator=(const Gateway&) = delete;

    void set_mac(Side side, const wire::Mac& mac);
    /// Takes the frame. Times are nanoseconds of any clock that doesn't go back.
    void receive(Side side, Frame frame, std::uint64_t now_ns);
    /// To be called all the time: sends what impairments held, asks again for neighbors.
    void poll(std::uint64_t now_ns);
    /// When `poll` has something to send; DelayLine::never: nothing is held.
    std::uint64_t next_due() const;

    /// Replaces the impairments of a direction; positions begin at 1.
    void impair(Direction direction, const Plan& plan);
    /// Deletes all mappings; says how many they were.
    std::uint32_t clear_state(std::optional<std::uint32_t> entries = {});
    /// nullptr: the technology has no state.
    const Nat* nat() const { return nat_; }
    Impairments& impairments(Direction direction) { return impairments_[index(direction)]; }
    const Impairments& impairments(Direction direction) const { return impairments_[index(direction)]; }
    const DirectionCounters& counters(Direction direction) const { return counters_[index(direction)]; }
    const SideCounters& counters(Side side) const { return side_counters_[index(side)]; }
    const Neighbors& neighbors() const { return neighbors_; }
    /// All counters begin again, and positions of impairments.
    void reset();

  private:
    GatewaySettings settings_;
    FramePool& pool_;
    Transmitter& transmitter_;
    std::array<wire::Mac, 2> macs_{};
    std::array<wire::Ipv6Address, 2> link_local_{};
    Ipv4Routes ipv4_routes_;
    Ipv6Routes ipv6_routes_;
    Neighbors neighbors_;
    std::array<Impairments, 2> impairments_;
    Nat* nat_ = nullptr;  // the technology's
    std::array<DirectionCounters, 2> counters_{};
    std::array<SideCounters, 2> side_counters_{};
    std::uint64_t now_ns_ = 0, icmp_second_ = 0, icmp_in_second_ = 0;
    std::uint32_t ipv6_identification_ = 0;

    // gateway.cpp: the way through
    void receive_ipv4(Side side, Frame frame);
    void receive_ipv6(Side side, Frame frame);
    /// Takes the frame if the technology takes its packet.
    bool receive_translated(Side side, Frame frame, wire::Family family, wire::Bits128 destination, bool own);
    void forward(Side side, Frame frame, wire::Family family);
    void translate(Frame frame, const Arrival& arrival);
    std::optional<NeighborAddress> next_hop(Bytes packet, wire::Family family) const;
    // These take their frames, but for send_fragments.
    void send_out(Side arrival, Frame frame, Frame original, const Result& result, const NeighborAddress& hop);
    void send_fragments(Side arrival, const Frame& frame, const Result& result, const NeighborAddress& hop);
    void to_next_hop(Side arrival, Frame frame, Frame original, const NeighborAddress& hop);
    void depart(const Departure& departure, const wire::Mac& mac);
    void refuse(Side side, Frame frame, const Result& result);
    void count(Side side, Fate fate) { ++counters_[index(direction_from(side))].fates[static_cast<std::size_t>(fate)]; }

    // local.cpp: what's for the gateway itself
    void receive_arp(Side side, const Frame& frame);
    bool receive_neighbor_message(Side side, const Frame& frame);
    void learn(const NeighborAddress& address, const wire::Mac& mac);
    void ask(const NeighborAddress& address);
    bool is_own(wire::Ipv4Address address) const;
    bool is_own(Side side, wire::Ipv6Address address) const;
    void answer_echo(Side side, Frame frame);
    void send_error(Side side, const Frame& cause, const Result& result);
    std::optional<IcmpError> error_for(const Result& result, wire::Family family) const;
    bool may_send_error();
};

}  // namespace xlatperf::reference
