#include "trial/send/buffers.h"

#include <rte_mempool.h>

#include <cstring>

namespace xlatperf::trial {

namespace {

bool fills(const frame::Images& images) { return images && images.longest().size() > frame::Image::head; }

void fill_one(rte_mempool*, void* argument, void* object, unsigned) {
    const auto& image = *static_cast<const frame::Image*>(argument);
    auto* at = static_cast<std::uint8_t*>(static_cast<rte_mbuf*>(object)->buf_addr) + RTE_PKTMBUF_HEADROOM;
    std::memcpy(at, image.bytes(), image.size());
}

}  // namespace

// Buffers of one pool go back to it together.
SendBuffers::SendBuffers(const port::Port& port, unsigned queue, const frame::Stream& stream) {
    const bool one = !fills(stream.sent[0]) && !fills(stream.sent[1]);
    for (std::size_t of = 0; of < flow::classes; ++of) pools_[of] = port.pool(queue, one ? 0 : of);
}

bool SendBuffers::take(const std::array<flow::Part, flow::classes>& parts, rte_mbuf** buffers) const {
    const flow::Part &foreground = parts[0], &background = parts[1];
    const unsigned n = foreground.n + background.n;
    if (pools_[0] == pools_[1]) return port::allocate_burst(pools_[0], buffers, n);
    std::array<rte_mbuf*, flow::most_in_burst> taken;
    if (!port::allocate_burst(pools_[0], taken.data(), foreground.n)) return false;
    if (!port::allocate_burst(pools_[1], &taken[foreground.n], background.n)) {
        port::free_burst(taken.data(), foreground.n);
        return false;
    }
    const auto* next = taken.data();
    for (const auto& part : parts) {
        for (unsigned k = 0; k < part.n; ++k) buffers[part.place[k]] = *next++;
    }
    return true;
}

void fill_buffers(const port::Port& port, unsigned queue, const frame::Stream& stream) {
    for (std::size_t of = 0; of < flow::classes; ++of) {
        if (fills(stream.sent[of]))
            rte_mempool_obj_iter(port.pool(queue, of), fill_one, const_cast<frame::Image*>(&stream.sent[of].longest()));
    }
}

}  // namespace xlatperf::trial
