#include "port/pools.h"

#include <rte_errno.h>
#include <rte_mbuf.h>
#include <rte_mbuf_pool_ops.h>

#include <algorithm>

#include "port/eal.h"

namespace xlatperf::port {

namespace {

// Like rte_pktmbuf_pool_create, but buffers may lie across pages. Else, with pages of 4 KB, each would begin where its page does:
// all of them in the same few sets of the cache. Only NICs care, and they need hugepages.
rte_mempool* create_packed_pool(const std::string& name, unsigned buffers, std::uint16_t room, unsigned cache_size) {
    rte_mempool* pool = rte_mempool_create_empty(name.c_str(), buffers, sizeof(rte_mbuf) + room, cache_size,
                                                 sizeof(rte_pktmbuf_pool_private), SOCKET_ID_ANY, RTE_MEMPOOL_F_NO_IOVA_CONTIG);
    if (pool == nullptr) return nullptr;
    rte_pktmbuf_pool_private sizes{};
    sizes.mbuf_data_room_size = room;
    rte_pktmbuf_pool_init(pool, &sizes);
    if (rte_mempool_set_ops_byname(pool, rte_mbuf_best_mempool_ops(), nullptr) != 0 || rte_mempool_populate_default(pool) < 0) {
        rte_mempool_free(pool);
        return nullptr;
    }
    rte_mempool_obj_iter(pool, rte_pktmbuf_init, nullptr);
    return pool;
}

}  // namespace

rte_mempool* create_pool(const std::string& name, unsigned buffers, unsigned largest_frame, unsigned cache_size) {
    const auto room = static_cast<std::uint16_t>(RTE_PKTMBUF_HEADROOM + std::max(2048U, largest_frame + 64));
    rte_mempool* pool = rte_eal_has_hugepages() != 0
                            ? rte_pktmbuf_pool_create(name.c_str(), buffers, cache_size, 0, room, SOCKET_ID_ANY)
                            : create_packed_pool(name, buffers, room, cache_size);
    if (pool == nullptr) {
        throw PortError("open.memory_mb: not enough for the frame buffers (" + std::string(rte_strerror(rte_errno)) + ")");
    }
    return pool;
}

}  // namespace xlatperf::port
