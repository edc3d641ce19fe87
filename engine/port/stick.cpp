#include "port/stick.h"

#include <rte_pause.h>
#include <rte_prefetch.h>
#include <sched.h>

#include <algorithm>
#include <string>

#include "port/eal.h"
#include "port/frame_ring.h"
#include "wire/vlan.h"

namespace xlatperf::port {

void Stick::Lock::lock() {
    constexpr unsigned tries_at_once = 1000;
    for (unsigned tried = 0; !try_lock(); ++tried) {
        if (tried < tries_at_once) {
            rte_pause();
        } else {
            sched_yield();
        }
    }
}

Stick::Stick(std::uint16_t id, unsigned queues) : id_(id), queues_(queues) {
    for (unsigned queue = 0; queue < queues; ++queue) {
        for (unsigned side = 0; side < 2; ++side) {
            const std::string name = "stick" + std::to_string(id) + "q" + std::to_string(queue) + "s" + std::to_string(side);
            rte_ring*& ring = queues_[queue].waiting[side];
            ring = rte_ring_create(name.c_str(), waiting_frames, SOCKET_ID_ANY, RING_F_SP_ENQ | RING_F_SC_DEQ);
            if (ring != nullptr) continue;
            free_rings();
            throw PortError("open.memory_mb: not enough");
        }
    }
}

Stick::~Stick() { free_rings(); }

void Stick::free_rings() {
    for (const Queue& queue : queues_) {
        for (rte_ring* ring : queue.waiting) rte_ring_free(ring);
    }
}

bool Stick::close() {
    if (closed_) return false;
    closed_ = true;
    for (const Queue& queue : queues_) {
        for (rte_ring* ring : queue.waiting) {
            std::array<rte_mbuf*, burst> frames;
            while (const unsigned n = take_frames(ring, frames.data(), burst)) free_burst(frames.data(), n);
        }
    }
    return true;
}

unsigned Stick::side_of(const rte_mbuf* frame) const {
    const auto* at = rte_pktmbuf_mtod(frame, const std::uint8_t*);
    const std::size_t size = rte_pktmbuf_data_len(frame);
    const std::uint16_t vlan = wire::has_tag(at, size) ? wire::tag_control(at) & wire::vlan::id_bits : none;
    if (vlan == vlans_[0]) return 0;
    if (vlan == vlans_[1]) return 1;
    return side_of_ ? side_of_(at, size) : 0;
}

// From the port, with its queue's lock held.
std::uint16_t Stick::divide(unsigned queue, unsigned side, rte_mbuf** frames, std::uint16_t most) {
    rte_ring* others = queues_[queue].waiting[1 - side];
    std::uint16_t own = 0;
    // Until the port has no more; but not for as long as the other side's frames keep coming.
    for (unsigned round = 0; own < most && round < waiting_frames / burst; ++round) {
        std::array<rte_mbuf*, burst> come, for_other;
        const auto asked = std::min<std::uint16_t>(burst, most - own);
        const std::uint16_t n = receive_burst(id_, static_cast<std::uint16_t>(queue), come.data(), asked);
        for (unsigned i = 0; i < n; ++i) rte_prefetch0(rte_pktmbuf_mtod(come[i], const void*));
        unsigned other = 0;
        for (unsigned i = 0; i < n; ++i) {
            if (side_of(come[i]) == side) {
                frames[own++] = come[i];
            } else {
                for_other[other++] = come[i];
            }
        }
        const unsigned kept = put_frames(others, for_other.data(), other);
        free_burst(&for_other[kept], other - kept);
        dropped_[1 - side].fetch_add(other - kept, std::memory_order_relaxed);
        if (n < asked) break;
    }
    return own;
}

std::uint16_t Stick::receive(unsigned side, unsigned queue, rte_mbuf** frames, std::uint16_t most) {
    Queue& own = queues_[queue];
    auto n = static_cast<std::uint16_t>(take_frames(own.waiting[side], frames, most));
    if (n == most || !own.receiving.try_lock()) return n;
    // Those that another has put there meanwhile came before what the port has now.
    n = static_cast<std::uint16_t>(n + take_frames(own.waiting[side], frames + n, most - n));
    n = static_cast<std::uint16_t>(n + divide(queue, side, frames + n, static_cast<std::uint16_t>(most - n)));
    own.receiving.unlock();
    return n;
}

std::uint16_t Stick::transmit(unsigned queue, rte_mbuf** frames, std::uint16_t n) {
    Queue& own = queues_[queue];
    own.sending.lock();
    const std::uint16_t taken = transmit_burst(id_, static_cast<std::uint16_t>(queue), frames, n);
    own.sending.unlock();
    return taken;
}

}  // namespace xlatperf::port
