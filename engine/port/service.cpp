#include "port/service.h"

#include <rte_ethdev.h>

#include <array>
#include <cstring>

#include "port/frame_ring.h"

namespace xlatperf::port {

rte_mbuf* make_buffer(const Port& port, const FrameBytes& bytes) {
    rte_mbuf* buffer = nullptr;
    if (!allocate_burst(port.service_pool(), &buffer, 1)) return nullptr;
    char* to = rte_pktmbuf_append(buffer, static_cast<std::uint16_t>(bytes.size()));
    if (to == nullptr) {
        free_burst(&buffer, 1);
        return nullptr;
    }
    std::memcpy(to, bytes.data(), bytes.size());
    if (port.tag().sent) put_tag(buffer, *port.tag().sent);
    return buffer;
}

std::size_t send_now(const Port& port, const std::vector<FrameBytes>& frames) {
    std::size_t taken = 0;
    for (const auto& frame : frames) {
        rte_mbuf* buffer = make_buffer(port, frame);
        if (buffer != nullptr) taken += port.send_beside(buffer);
    }
    return taken;
}

void send_soon(const Port& port, const FrameBytes& frame) {
    rte_mbuf* buffer = make_buffer(port, frame);
    if (buffer == nullptr) return;
    if (put_frames(port.outbox(), &buffer, 1) == 0) free_burst(&buffer, 1);
}

void flush_outbox(const Port& port) {
    rte_mbuf* buffer = nullptr;
    while (take_frames(port.outbox(), &buffer, 1) == 1) port.send_beside(buffer);
}

bool serve_neighbors(const Port& port, Neighbors& neighbors, const Seen& seen) {
    bool more = false;
    std::optional<wire::VlanRequired> in_vlan;  // what a device says to its neighbours has the priority that it likes
    if (const auto& tag = port.tag().received) in_vlan = tag->of_any_priority();
    for (unsigned queue = 0; queue < port.queues(); ++queue) {
        std::array<rte_mbuf*, 32> frames{};
        const std::uint16_t n = port.receive(queue, frames.data(), frames.size());
        const std::uint64_t own = in_vlan ? take_tags(*in_vlan, frames.data(), n) : ~std::uint64_t{0};
        for (std::uint16_t i = 0; i < n; ++i) {
            const auto* at = rte_pktmbuf_mtod(frames[i], const std::uint8_t*);
            const std::uint16_t size = rte_pktmbuf_data_len(frames[i]);
            const bool tagged_right = (own >> i & 1) != 0 && !wire::has_tag(at, size);
            const auto answer = tagged_right ? neighbors.receive(at, size) : std::nullopt;
            seen(at, size, tagged_right);
            free_burst(&frames[i], 1);
            if (answer) send_now(port, {*answer});
        }
        more |= n == frames.size();
    }
    return more;
}

}  // namespace xlatperf::port
