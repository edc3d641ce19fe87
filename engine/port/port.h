// A DPDK port: a NIC or a virtual device, with a queue for each sender and each receiver, and their buffer pools.
#pragma once

#include <rte_ethdev.h>
#include <rte_mbuf.h>
#include <rte_mempool.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "counter/counters.h"
#include "port/eal.h"
#include "port/handover.h"
#include "port/interface_counters.h"
#include "port/interface_state.h"
#include "port/nic_time.h"
#include "port/packet_socket.h"
#include "port/stick.h"
#include "port/tags.h"
#include "port/waiting.h"
#include "wire/ethernet.h"

namespace xlatperf::port {

/// What a port can do, as its driver says.
struct PortFacts {
    std::string name, driver;
    wire::Mac mac{};
    unsigned mtu = 0;
    bool rx_timestamp = false, send_on_timestamp = false, rate_limit = false;
    bool promiscuous = false;          ///< takes frames to any MAC address, as long as it is open
    bool receive_drops_known = false;  ///< whether frames that the Tester itself dropped are counted
    bool holds_back = false;           ///< the other end can hold the sender back: it takes frames, or doesn't
    bool software_link = false;        ///< on an interface whose other end is on this host, and which no other Port shares
    unsigned receive_ring = 0;         ///< frames that wait for a receiver in a queue, at most; 0: unknown
};

struct LinkState {
    bool up = false;
    unsigned speed_mbps = 0;    ///< 0: unknown, as with all virtual devices
    std::uint32_t changes = 0;  ///< of the carrier so far, where the kernel counts them
    std::string why_down;       ///< in words; empty: it's up
};

/// Counters since the last call of `Port::take_counters`; `left` and `not_left` are of the kernel's interface under the port:
/// frames that left it, and how often one couldn't. `beside`: so many of them at most weren't test frames but questions and
/// answers to neighbours.
struct PortCounters {
    counter::Counts<counter::Port> counts;
    std::uint64_t left = 0, not_left = 0, beside = 0;
};

/// What the NIC shall do about time.
struct NicTime {
    NicPacing pacing = NicPacing::none;
    bool arrival_stamps = false;
};

class Port {
  public:
    /// Takes over DPDK port `id`, configures so many receive and as many transmit queues and starts it. Throws PortError, also
    /// where the port can't do what `time` asks of it, or has fewer queues. The other end of a memif may be `patience_s` late.
    Port(std::string name, std::uint16_t id, unsigned queues, unsigned largest_frame, NicTime time = {}, double patience_s = 0);
    /// The right side on the port that is `left` so far, told apart by their VLANs (Stick). `left` outlives it, and has the
    /// counters of both.
    Port(Port& left, unsigned largest_frame);
    ~Port();
    Port(const Port&) = delete;
    Port& operator=(const Port&) = delete;

    std::uint16_t id() const { return id_; }
    /// Whether another Port is on the same DPDK port.
    bool shared() const { return stick_ != nullptr; }
    /// Receive queues, and as many transmit queues. What arrives is spread by the NIC (RSS), or by whoever is at the other end.
    unsigned queues() const { return static_cast<unsigned>(queues_.size()); }
    const PortFacts& facts() const { return facts_; }
    LinkState link() const;
    /// Whether it's the end of a memif that connects, and nobody is at the other one: a device that was restarted makes its own
    /// anew.
    bool other_end_gone() const;
    /// Tries once; nobody polls the port meanwhile. The link may be up a little later. Throws PortError if the driver hangs.
    void connect_again();
    /// The counters since the last call; asks the kernel where DPDK's driver doesn't know.
    PortCounters take_counters();

    /// What has become so far of frames on a software link: behind the driver they wait until the other end takes them. Nothing
    /// on other ports.
    std::optional<Gone> gone() const;
    /// Lets what waits there go on, as far as there is room.
    void push() const { port::push(sockets_); }
    /// Frames of earlier trials, and what was sent beside them, that still waited there when this had gone.
    std::uint64_t waiting(const Gone& now) const { return waiting_.after(since(now)).all(); }
    void add_waiting(std::uint64_t frames) { waiting_.trials += frames; }

    const NicTime& time() const { return time_; }
    /// Set where the NIC sends on time stamps, or stamps arrivals. In a net_ring port the CPU does that in its place.
    const std::optional<BufferTime>& send_time() const { return send_time_; }
    const std::optional<BufferTime>& arrival_time() const { return arrival_time_; }
    /// The clock of these stamps beside the CPU's: of some readings the one that took least. Nothing if the driver can't tell.
    std::optional<ClockPair> read_clocks() const;
    /// The same when the port was opened: the longer ago, the better is known how fast one is by the other.
    const std::optional<ClockPair>& first_clocks() const { return first_clocks_; }

    /// Buffers of a transmit queue's foreground and background frames, and of everything else that is sent.
    rte_mempool* pool(unsigned queue, std::size_t of) const { return queues_[queue].send_pools[of]; }
    rte_mempool* service_pool() const { return service_pool_; }
    static constexpr std::size_t send_buffers = 4095;

    /// Frames on this link have this VLAN tag from now on. While nobody sends or receives.
    void use_tag(const LinkTag& tag);
    const LinkTag& tag() const { return tag_; }
    /// Of a shared port: the left side's frames and the right one's among those in neither VLAN.
    void use_side_of(SideOf side_of) const { stick_->use_side_of(std::move(side_of)); }

    /// As rte_eth_rx_burst and rte_eth_tx_burst; of a shared port frames of this side.
    std::uint16_t receive(unsigned queue, rte_mbuf** frames, std::uint16_t most) const {
        if (stick_ != nullptr) [[unlikely]]
            return stick_->receive(side_, queue, frames, most);
        return receive_burst(id_, static_cast<std::uint16_t>(queue), frames, most);
    }
    std::uint16_t transmit(unsigned queue, rte_mbuf** frames, std::uint16_t n) const {
        if (stick_ != nullptr) [[unlikely]]
            return stick_->transmit(queue, frames, n);
        return transmit_burst(id_, static_cast<std::uint16_t>(queue), frames, n);
    }

    /// Frames that receivers want sent (answers to ARP and Neighbor Discovery); whoever sends on this port takes them out.
    rte_ring* outbox() const { return outbox_; }
    /// Sends a frame that isn't a test frame, from the thread that sends on this port, or drops it: both count frames that leave.
    /// Whether the port took it.
    bool send_beside(rte_mbuf* frame) const;

  private:
    struct Queue {
        rte_mempool* receive_pool = nullptr;
        rte_mempool* send_pools[2] = {};
    };

    void make_buffers(unsigned largest_frame);
    void start(unsigned largest_frame, double patience_s);
    void stop();
    std::string suffix() const;
    int start_device(double patience_s) const;
    bool connects() const;
    void know_other_end();
    std::string no_link() const;
    void set_up(std::uint16_t queue, std::uint16_t receive_descriptors, std::uint16_t send_descriptors, unsigned largest_frame);
    void spread(rte_eth_conf& configuration, std::uint64_t by) const;
    std::uint64_t receive_offloads(const PortFacts& able);
    std::uint64_t send_offloads(const PortFacts& able);
    PortCounters read_counters() const;
    Gone since(const Gone& now) const;
    void add(PortCounters& counters, const InterfaceCounters& kernel) const;

    std::uint16_t id_;
    PortFacts facts_;
    NicTime time_;
    std::optional<BufferTime> send_time_, arrival_time_;
    std::optional<ClockPair> first_clocks_;
    std::vector<Queue> queues_;
    rte_mempool* service_pool_ = nullptr;
    rte_ring* outbox_ = nullptr;
    mutable std::atomic<std::uint64_t> beside_ = 0;
    PortCounters seen_;
    std::string interface_;  // of the kernel, under this port; empty: none
    InterfaceState opened_;  // that when the port was started
    bool was_promiscuous_ = false;
    std::vector<int> sockets_;  // of the driver, on a software link
    Waiting waiting_;           // as of those counters
    std::uint64_t waiting_before_ = 0;
    LinkTag tag_;
    std::shared_ptr<Stick> stick_;  // of both Ports on the same DPDK port
    unsigned side_ = 0;             // there
};

/// Creates the DPDK ports named `left` and `right`, which will have so many queues; one if they are the same. Two net_ring ports
/// are connected to each other, queue by queue, one to itself. Throws PortError.
std::pair<std::uint16_t, std::uint16_t> create_ports(const std::string& left, const std::string& right, unsigned queues);

/// Two net_ring ports, connected to each other. Throws PortError.
std::pair<std::uint16_t, std::uint16_t> create_loopback(unsigned queues);
/// One, connected to itself. Throws PortError.
std::uint16_t create_own_loopback(unsigned queues);

}  // namespace xlatperf::port
