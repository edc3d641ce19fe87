// Both sides of the Tester on one DPDK port, told apart by the VLANs of their frames: the DUT is a router "on a stick". One of
// them may be without tag.
#pragma once

#include <rte_mbuf.h>
#include <rte_ring.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace xlatperf::port {

/// Which side a frame is for that is in neither VLAN.
using SideOf = std::function<unsigned(const std::uint8_t*, std::size_t)>;

/// Shared by two Ports, side 0 and side 1. A receive queue is polled by the receivers of both: what one finds for the other waits
/// for it here, in its order. Where the other has been away for too long there is no more room, and it's dropped: one side's
/// receiver doesn't wait for the other's.
class Stick {
  public:
    /// Throws PortError.
    Stick(std::uint16_t id, unsigned queues);
    ~Stick();
    Stick(const Stick&) = delete;
    Stick& operator=(const Stick&) = delete;

    /// While nobody receives: frames of this VLAN are for that side, or those without tag.
    void use_vlan(unsigned side, std::optional<std::uint16_t> vlan) { vlans_[side] = vlan.value_or(none); }
    void use_side_of(SideOf side_of) { side_of_ = std::move(side_of); }

    /// As rte_eth_rx_burst, of a side's frames. Less than `most`: no more are there, or another is just taking them.
    std::uint16_t receive(unsigned side, unsigned queue, rte_mbuf** frames, std::uint16_t most);
    /// As rte_eth_tx_burst, of both sides' senders.
    std::uint16_t transmit(unsigned queue, rte_mbuf** frames, std::uint16_t n);

    /// Frames of a side that found no room so far.
    std::uint64_t dropped(unsigned side) const { return dropped_[side].load(std::memory_order_relaxed); }

    /// Before the port is stopped: frames that wait here go back to its buffers. True when it's called first.
    bool close();

  private:
    static constexpr std::uint16_t none = 0xffff, burst = 32;
    static constexpr unsigned waiting_frames = 2048;  // as many as a port's queue has

    class Lock {
      public:
        bool try_lock() { return !taken_.test_and_set(std::memory_order_acquire); }
        /// Whoever has it may have lost its core.
        void lock();
        void unlock() { taken_.clear(std::memory_order_release); }

      private:
        std::atomic_flag taken_;
    };
    struct alignas(64) Queue {
        Lock receiving, sending;
        std::array<rte_ring*, 2> waiting{};  // for each side
    };

    unsigned side_of(const rte_mbuf* frame) const;
    std::uint16_t divide(unsigned queue, unsigned side, rte_mbuf** frames, std::uint16_t most);
    void free_rings();

    std::uint16_t id_;
    std::array<std::uint16_t, 2> vlans_ = {none, none};
    SideOf side_of_;
    std::vector<Queue> queues_;
    std::array<std::atomic<std::uint64_t>, 2> dropped_{};
    bool closed_ = false;
};

}  // namespace xlatperf::port
