#include "port/receive_ring.h"

#include <algorithm>
#include <charconv>

#include "port/port_name.h"

namespace xlatperf::port {

namespace {

// DPDK 22.11's, where the name says nothing.
constexpr unsigned memif_log2 = 10, most_memif_log2 = 14, packet_frames = 512, xdp_descriptors = 2048;
// Linux: TUN_READQ_SIZE. QEMU and DPDK: the least that virtio rings have.
constexpr unsigned tun_queue = 500, virtio_ring = 256;

unsigned number(const std::string& port_name, const std::string& key, unsigned otherwise) {
    const std::string text = argument(port_name, key).value_or("");
    unsigned value = otherwise;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

}  // namespace

unsigned receive_ring(const std::string& port_name, const std::string& driver, unsigned descriptors) {
    // The client's size counts. What a client at the other end has chosen isn't known: probably what most do.
    if (driver == "net_memif")
        return 1U << std::min(is_memif_server(port_name) ? memif_log2 : number(port_name, "rsize", memif_log2), most_memif_log2);
    if (driver == "net_af_packet") return number(port_name, "framecnt", packet_frames);
    if (driver == "net_af_xdp") return xdp_descriptors;
    if (driver == "net_tap") return tun_queue;
    if (driver == "net_vhost" || driver == "net_virtio_user") return virtio_ring;
    if (driver == "net_ring" || driver == "net_null" || driver == "net_pcap") return 0;
    return descriptors;
}

}  // namespace xlatperf::port
