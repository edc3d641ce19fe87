// What NICs can do about time, through DPDK: send a frame at the moment written into it, hold a rate on a queue, and stamp
// arrivals.
//
// None of it has been run on hardware by us: it is built against DPDK's interface, and its arithmetic is tested
// (trial/nic_clock.h). Frames that are looped back in memory can be stamped by the CPU, so that everything behind a stamp runs.
#pragma once

#include <rte_mbuf.h>
#include <rte_mbuf_dyn.h>

#include <cstdint>
#include <optional>

#include "wire/words.h"

namespace xlatperf::port {

enum class NicPacing : std::uint8_t {
    none,               ///< the Tester's own schedule
    send_on_timestamp,  ///< RTE_ETH_TX_OFFLOAD_SEND_ON_TIMESTAMP: the NIC sends each frame at its due time
    queue_rate_limit,   ///< rte_eth_set_queue_rate_limit: the NIC holds the rate of the queue
};
inline constexpr wire::Word<NicPacing> nic_pacing_words[] = {{"none", NicPacing::none},
                                                             {"send_on_timestamp", NicPacing::send_on_timestamp},
                                                             {"queue_rate_limit", NicPacing::queue_rate_limit}};

/// The field of a buffer that holds a time of the NIC's clock, and the flag that says so (rte_mbuf_dyn.h).
class BufferTime {
  public:
    /// The fields that DPDK registers for sending and for receiving; nothing if it has no room for them.
    static std::optional<BufferTime> for_sending();
    static std::optional<BufferTime> for_receiving();

    void set(rte_mbuf* buffer, std::uint64_t nic_time) const {
        *RTE_MBUF_DYNFIELD(buffer, offset_, std::uint64_t*) = nic_time;
        buffer->ol_flags |= flag_;
    }
    std::optional<std::uint64_t> get(rte_mbuf* buffer) const {
        if ((buffer->ol_flags & flag_) == 0) return {};
        return *RTE_MBUF_DYNFIELD(buffer, offset_, std::uint64_t*);
    }

  private:
    BufferTime(int offset, std::uint64_t flag) : offset_(static_cast<std::size_t>(offset)), flag_(flag) {}
    std::size_t offset_;
    std::uint64_t flag_;
};

struct ClockPair {
    std::uint64_t ticks, nic;  ///< the time stamp counter and the NIC's clock at the same moment
};

/// The NIC's clock now (rte_eth_read_clock); nothing if the driver can't tell.
std::optional<std::uint64_t> read_nic_clock(std::uint16_t port_id);

/// Has what arrives on a queue stamped with the CPU's clock when it's taken out, as a NIC would have done. Before the port
/// starts.
void stamp_arrivals(std::uint16_t port_id, std::uint16_t queue, const BufferTime& field);

/// The rate for rte_eth_set_queue_rate_limit, which counts whole Mbit/s of frames with FCS, preamble and gap (RFC 8219 App. A:
/// 20 bytes): the nearest one that isn't below `rate_fps`, so that the schedule and not the queue decides; nothing for rates that
/// no Ethernet has.
std::optional<std::uint32_t> queue_rate_mbps(double rate_fps, double frame_size);

/// Sets the limit on a queue; 0 takes it away. False if the driver refuses.
bool limit_queue_rate(std::uint16_t port_id, unsigned queue, std::uint32_t mbps);

}  // namespace xlatperf::port
