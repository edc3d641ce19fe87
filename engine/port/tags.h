// A link's VLAN tag, in DPDK's buffers: whoever is behind the port knows nothing of it.
#pragma once

#include <rte_mbuf.h>

#include "wire/vlan.h"

namespace xlatperf::port {

/// Of one link (IEEE 802.1Q); none: frames have no tag.
struct LinkTag {
    std::optional<wire::VlanTag> sent;
    std::optional<wire::VlanRequired> received;
};

inline void put_tag(rte_mbuf* frame, const wire::VlanTag& tag) {
    wire::put_tag(rte_pktmbuf_mtod(frame, std::uint8_t*), tag);
    rte_pktmbuf_prepend(frame, wire::vlan::size);
}

/// Takes it off the frames that have the right one and no other; it is in front of them then. Bit i of what is returned: frame i
/// had it.
[[gnu::noinline]] inline std::uint64_t take_tags(const wire::VlanRequired& required, rte_mbuf* const* frames, unsigned n) {
    std::uint64_t right = 0;
    for (unsigned i = 0; i < n; ++i) rte_prefetch0(rte_pktmbuf_mtod(frames[i], const void*));
    for (unsigned i = 0; i < n; ++i) {
        auto* at = rte_pktmbuf_mtod(frames[i], std::uint8_t*);
        const std::uint16_t size = rte_pktmbuf_data_len(frames[i]);
        if (wire::tags(at, size) != 1 || !required.fits(wire::tag_control(at))) continue;
        wire::take_tag(at);
        rte_pktmbuf_adj(frames[i], wire::vlan::size);
        right |= std::uint64_t{1} << i;
    }
    return right;
}

}  // namespace xlatperf::port
