// Who is on the links: link-layer addresses, and the few packets that wait for one.
#pragma once

#include <deque>
#include <functional>
#include <unordered_map>
#include <vector>

#include "link/frame.h"
#include "wire/address.h"
#include "wire/ethernet.h"

namespace xlatperf::reference {

/// A packet on its way out, with all that's needed to send it once its next hop is known.
struct Departure {
    Direction direction = Direction::forward;
    Side side = Side::left;
    Frame frame;
    Frame original;  // the packet as it came in; may be no frame
};

/// A neighbor's IP address; IPv4 as ::ffff:a.b.c.d (RFC 4291 §2.5.5.2).
struct NeighborAddress {
    Side side = Side::left;
    wire::Bits128 value = 0;
    bool operator==(const NeighborAddress&) const = default;
    static NeighborAddress of(Side side, wire::Ipv4Address a) { return {side, (wire::Bits128{0xffff} << 32) | a.value}; }
    static NeighborAddress of(Side side, wire::Ipv6Address a) { return {side, a.value}; }
    bool is_ipv4() const { return value >> 32 == 0xffff; }
    wire::Ipv4Address ipv4() const { return {static_cast<std::uint32_t>(value)}; }
    wire::Ipv6Address ipv6() const { return {value}; }
};

class Neighbors {
  public:
    static constexpr std::size_t waiting_limit = 16;      // packets per neighbor, as RFC 4861 §7.2.2 asks
    static constexpr std::size_t unresolved_limit = 256;  // neighbors asked for at a time
    static constexpr std::uint64_t retransmit_ns = 200'000'000;
    static constexpr unsigned attempts = 5;
    using Ask = std::function<void(const NeighborAddress&)>;
    using GiveUp = std::function<void(const Departure&)>;

    Neighbors(Ask ask, GiveUp give_up) : ask_(std::move(ask)), give_up_(std::move(give_up)) {}

    const wire::Mac* find(const NeighborAddress& address) const {
        const auto at = known_.find(address);
        return at == known_.end() ? nullptr : &at->second;
    }
    /// The packets that waited for it, to be sent now.
    std::deque<Departure> learn(const NeighborAddress& address, const wire::Mac& mac);
    void wait(const NeighborAddress& address, const Departure& departure, std::uint64_t now_ns);
    /// Asks again, and gives up what has waited too long.
    void poll(std::uint64_t now_ns);
    bool resolving() const { return !unresolved_.empty(); }
    const auto& known() const { return known_; }
    /// All packets that wait are given up.
    void clear_waiting();

  private:
    struct Hash {
        std::size_t operator()(const NeighborAddress& a) const {
            std::uint64_t x =
                static_cast<std::uint64_t>(a.value) ^ static_cast<std::uint64_t>(a.value >> 64) * 0x9e3779b97f4a7c15;
            x = (x ^ static_cast<std::uint64_t>(a.side)) * 0xbf58476d1ce4e5b9;
            return static_cast<std::size_t>(x ^ (x >> 31));
        }
    };
    struct Unresolved {
        std::deque<Departure> waiting;
        std::uint64_t asked_ns = 0;
        unsigned asked = 0;
    };
    std::unordered_map<NeighborAddress, wire::Mac, Hash> known_;
    std::unordered_map<NeighborAddress, Unresolved, Hash> unresolved_;
    Ask ask_;
    GiveUp give_up_;
};

}  // namespace xlatperf::reference
