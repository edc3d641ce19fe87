// The two DPDK ports, the pool of their buffers, and what waits to be sent.
#pragma once

#include <rte_mbuf.h>

#include <array>
#include <string>

#include "control/config.h"
#include "link/frame.h"
#include "wire/vlan.h"

namespace xlatperf::reference {

class MbufPool : public FramePool {
  public:
    MbufPool(unsigned buffers, unsigned data_size);
    ~MbufPool() override;
    Frame allocate() override;
    void free(Frame frame) override { rte_pktmbuf_free(static_cast<rte_mbuf*>(frame.buffer)); }
    rte_mempool* get() const { return pool_; }

  private:
    rte_mempool* pool_;
};

/// No frame if the packet can't be put into one buffer; it's freed then.
Frame frame_of(rte_mbuf* packet);

struct PortCounters {
    std::uint64_t transmitted = 0, transmit_full = 0, other_vlan = 0;
};

class Ports : public Transmitter {
  public:
    static constexpr unsigned burst = 32;
    /// Throws message::MessageError.
    Ports(const Config& config, MbufPool& pool);
    ~Ports() override;

    std::uint16_t receive(Side side, std::array<rte_mbuf*, burst>& packets);
    /// Takes the frame. It leaves at the next `flush`.
    void transmit(Side side, Frame frame) override;
    void flush();
    bool sending() const { return side_[0].waiting != 0 || side_[1].waiting != 0; }

    wire::Mac mac(Side side) const;
    std::size_t mtu(Side side) const { return side_[index(side)].mtu; }
    Json to_json(Side side) const;  // what the port is
    Json counters_json(Side side) const;
    void reset_counters();

  private:
    // So many frames wait when the other end is slower than the gateway; more are dropped, as a device's queue does.
    static constexpr unsigned queue = 1024;
    struct OnePort {
        std::uint16_t id = 0;
        std::size_t mtu = 1500;
        std::string name;
        std::optional<std::uint16_t> takes_vlan;
        std::optional<wire::VlanTag> sends_vlan;
        unsigned waiting = 0;
        std::array<rte_mbuf*, queue> packets{};
        PortCounters counters;
    };
    std::array<OnePort, 2> side_;
    MbufPool& pool_;
    bool one_;  // both sides are on the same port
    // Its frames for a side, found when the other was asked for.
    std::array<std::array<rte_mbuf*, burst>, 2> kept_{};
    std::array<std::uint16_t, 2> keeps_{};

    std::uint16_t receive_one_port(Side side, rte_mbuf** packets);
    static void read_tags(OnePort& port, const PortSettings& settings);
    static bool is_for(const OnePort& port, const rte_mbuf* packet);
    void open(OnePort& port, const PortSettings& settings, const std::string& path);
    void flush(OnePort& port);
    static std::uint16_t take_tags(OnePort& port, rte_mbuf** packets, std::uint16_t count);
    bool link_up(const OnePort& port) const;
};

}  // namespace xlatperf::reference
