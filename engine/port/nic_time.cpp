#include "port/nic_time.h"

#include <rte_cycles.h>
#include <rte_ethdev.h>

#include <cmath>

namespace xlatperf::port {

std::optional<BufferTime> BufferTime::for_sending() {
    int offset = -1;
    std::uint64_t flag = 0;
    if (rte_mbuf_dyn_tx_timestamp_register(&offset, &flag) != 0) return {};
    return BufferTime(offset, flag);
}

std::optional<BufferTime> BufferTime::for_receiving() {
    int offset = -1;
    std::uint64_t flag = 0;
    if (rte_mbuf_dyn_rx_timestamp_register(&offset, &flag) != 0) return {};
    return BufferTime(offset, flag);
}

std::optional<std::uint64_t> read_nic_clock(std::uint16_t port_id) {
    std::uint64_t now = 0;
    if (rte_eth_read_clock(port_id, &now) != 0) return {};
    return now;
}

namespace {
std::uint16_t stamp(std::uint16_t, std::uint16_t, rte_mbuf** frames, std::uint16_t n, std::uint16_t, void* field) {
    const std::uint64_t now = rte_rdtsc();
    for (std::uint16_t i = 0; i < n; ++i) static_cast<const BufferTime*>(field)->set(frames[i], now);
    return n;
}
}  // namespace

void stamp_arrivals(std::uint16_t port_id, std::uint16_t queue, const BufferTime& field) {
    static BufferTime registered = field;  // DPDK has one for all ports
    rte_eth_add_rx_callback(port_id, queue, stamp, &registered);
}

std::optional<std::uint32_t> queue_rate_mbps(double rate_fps, double frame_size) {
    constexpr double preamble_and_gap = 20;
    const double mbps = std::ceil(rate_fps * 8 * (frame_size + preamble_and_gap) / 1e6);
    if (mbps > 1.6e6) return {};
    return static_cast<std::uint32_t>(mbps);
}

bool limit_queue_rate(std::uint16_t port_id, unsigned queue, std::uint32_t mbps) {
    return rte_eth_set_queue_rate_limit(port_id, static_cast<std::uint16_t>(queue), mbps) == 0;
}

}  // namespace xlatperf::port
