// Two DPDK ports that are connected by rings: what leaves on one arrives on the other.
#include <rte_errno.h>
#include <rte_eth_ring.h>
#include <rte_ring.h>

#include "port/port.h"

namespace xlatperf::port {

std::pair<std::uint16_t, std::uint16_t> create_loopback() {
    constexpr unsigned frames = 1024;
    constexpr auto any_socket = static_cast<unsigned>(SOCKET_ID_ANY);
    rte_ring* forward = rte_ring_create("loopback_forward", frames, SOCKET_ID_ANY, RING_F_SP_ENQ | RING_F_SC_DEQ);
    rte_ring* reverse = rte_ring_create("loopback_reverse", frames, SOCKET_ID_ANY, RING_F_SP_ENQ | RING_F_SC_DEQ);
    if (forward == nullptr || reverse == nullptr) throw PortError("open.memory_mb: not enough for the loopback's rings");
    const int left = rte_eth_from_rings("loopback_left", &reverse, 1, &forward, 1, any_socket);
    const int right = rte_eth_from_rings("loopback_right", &forward, 1, &reverse, 1, any_socket);
    if (left < 0 || right < 0) throw PortError(std::string("net_ring: ") + rte_strerror(rte_errno));
    return {static_cast<std::uint16_t>(left), static_cast<std::uint16_t>(right)};
}

}  // namespace xlatperf::port
