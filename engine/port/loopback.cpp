// DPDK ports that are connected by rings: what leaves on one's queue arrives on the other's of the same number, or on its own.
#include <rte_errno.h>
#include <rte_eth_ring.h>
#include <rte_ring.h>

#include <vector>

#include "port/port.h"

namespace xlatperf::port {

namespace {

std::vector<rte_ring*> make_rings(const std::string& name, unsigned queues) {
    constexpr unsigned frames = 1024;
    std::vector<rte_ring*> rings;
    for (unsigned i = 0; i < queues; ++i) {
        const std::string own = name + std::to_string(i);
        rings.push_back(rte_ring_create(own.c_str(), frames, SOCKET_ID_ANY, RING_F_SP_ENQ | RING_F_SC_DEQ));
        if (rings.back() == nullptr) throw PortError("open.memory_mb: not enough for the loopback's rings");
    }
    return rings;
}

}  // namespace

std::pair<std::uint16_t, std::uint16_t> create_loopback(unsigned queues) {
    constexpr auto any_socket = static_cast<unsigned>(SOCKET_ID_ANY);
    auto forward = make_rings("loopback_forward", queues), reverse = make_rings("loopback_reverse", queues);
    const int left = rte_eth_from_rings("loopback_left", reverse.data(), queues, forward.data(), queues, any_socket);
    const int right = rte_eth_from_rings("loopback_right", forward.data(), queues, reverse.data(), queues, any_socket);
    if (left < 0 || right < 0) throw PortError(std::string("net_ring: ") + rte_strerror(rte_errno));
    return {static_cast<std::uint16_t>(left), static_cast<std::uint16_t>(right)};
}

std::uint16_t create_own_loopback(unsigned queues) {
    auto rings = make_rings("loopback", queues);
    const int own =
        rte_eth_from_rings("loopback", rings.data(), queues, rings.data(), queues, static_cast<unsigned>(SOCKET_ID_ANY));
    if (own < 0) throw PortError(std::string("net_ring: ") + rte_strerror(rte_errno));
    return static_cast<std::uint16_t>(own);
}

}  // namespace xlatperf::port
