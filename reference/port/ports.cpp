#include "port/ports.h"

#include <rte_errno.h>
#include <rte_ethdev.h>

#include <algorithm>
#include <utility>

namespace xlatperf::reference {

MbufPool::MbufPool(unsigned buffers, unsigned data_size) {
    constexpr unsigned cache = 512;
    pool_ = rte_pktmbuf_pool_create("frames", buffers, cache, 0, static_cast<std::uint16_t>(data_size), SOCKET_ID_ANY);
    if (!pool_)
        throw message::MessageError("buffers: " + std::to_string(buffers) + " is not allowed: memory for them (" +
                                    rte_strerror(rte_errno) + ")");
}
MbufPool::~MbufPool() { rte_mempool_free(pool_); }

Frame frame_of(rte_mbuf* packet) {
    if (packet->nb_segs > 1 && rte_pktmbuf_linearize(packet) != 0) {
        rte_pktmbuf_free(packet);
        return {};
    }
    return {packet, rte_pktmbuf_mtod(packet, std::uint8_t*), packet->data_len,
            std::uint32_t{packet->data_len} + rte_pktmbuf_tailroom(packet)};
}

Frame MbufPool::allocate() {
    rte_mbuf* packet = rte_pktmbuf_alloc(pool_);
    return packet ? frame_of(packet) : Frame{};
}

Ports::Ports(const Config& config, MbufPool& pool) : pool_(pool), one_(config.one_port()) {
    for (const Side side : {Side::left, Side::right}) read_tags(side_[index(side)], config.ports[index(side)]);
    open(side_[0], config.ports[0], "left.port");
    if (one_) {
        side_[1].id = side_[0].id;
        side_[1].mtu = side_[0].mtu;
        side_[1].name = side_[0].name;
    } else {
        open(side_[1], config.ports[1], "right.port");
    }
}

Ports::~Ports() {
    for (const Side side : {Side::left, Side::right}) {
        OnePort& port = side_[index(side)];
        rte_pktmbuf_free_bulk(port.packets.data(), port.waiting);
        rte_pktmbuf_free_bulk(kept_[index(side)].data(), keeps_[index(side)]);
        if (one_ && side == Side::right) continue;
        rte_eth_dev_stop(port.id);
        rte_eth_dev_close(port.id);
    }
}

void Ports::read_tags(OnePort& port, const PortSettings& settings) {
    port.takes_vlan = settings.takes_vlan;
    port.sends_vlan = settings.sends_vlan;
}

void Ports::open(OnePort& port, const PortSettings& settings, const std::string& path) {
    const auto check = [&](int result, const char* what) {
        if (result < 0)
            throw message::MessageError(path + ": \"" + settings.port + "\" is not allowed: a port that can " + what + " (" +
                                        rte_strerror(-result) + ")");
    };
    port.name = settings.port.substr(0, settings.port.find(','));
    check(rte_eth_dev_get_port_by_name(port.name.c_str(), &port.id), "be found");
    rte_eth_dev_info info{};
    check(rte_eth_dev_info_get(port.id, &info), "tell about itself");
    rte_eth_conf conf{};
    if (settings.mtu) {  // memif takes no larger one here, and carries what its buffers hold
        const std::size_t most = std::min<std::size_t>(info.max_mtu, info.max_rx_pktlen - RTE_ETHER_HDR_LEN - RTE_ETHER_CRC_LEN);
        conf.rxmode.mtu = static_cast<std::uint32_t>(std::min(*settings.mtu, most));
    }
    check(rte_eth_dev_configure(port.id, 1, 1, &conf), "be configured with one queue");
    std::uint16_t receive_ring = 1024, transmit_ring = 1024;
    check(rte_eth_dev_adjust_nb_rx_tx_desc(port.id, &receive_ring, &transmit_ring), "have rings");
    const int socket = rte_eth_dev_socket_id(port.id);
    check(rte_eth_rx_queue_setup(port.id, 0, receive_ring, static_cast<unsigned>(socket), nullptr, pool_.get()), "receive");
    check(rte_eth_tx_queue_setup(port.id, 0, transmit_ring, static_cast<unsigned>(socket), nullptr), "transmit");
    if (settings.mtu) rte_eth_dev_set_mtu(port.id, static_cast<std::uint16_t>(*settings.mtu));  // not every driver has it
    check(rte_eth_dev_start(port.id), "be started");
    rte_eth_promiscuous_enable(port.id);  // best effort: the gateway looks at the addresses itself
    rte_eth_allmulticast_enable(port.id);
    std::uint16_t mtu = 1500;
    rte_eth_dev_get_mtu(port.id, &mtu);
    const std::size_t largest = rte_pktmbuf_data_room_size(pool_.get()) - RTE_PKTMBUF_HEADROOM - 128u;
    port.mtu = std::min(settings.mtu.value_or(mtu), largest);
}

std::uint16_t Ports::receive(Side side, std::array<rte_mbuf*, burst>& packets) {
    OnePort& port = side_[index(side)];
    const std::uint16_t count =
        one_ ? receive_one_port(side, packets.data()) : rte_eth_rx_burst(port.id, 0, packets.data(), burst);
    return take_tags(port, packets.data(), count);
}

// What is in neither VLAN comes with the side that asks, and is dropped there.
std::uint16_t Ports::receive_one_port(Side side, rte_mbuf** packets) {
    const std::size_t own = index(side), other = 1 - own;
    if (keeps_[own] > 0) {
        std::copy_n(kept_[own].begin(), keeps_[own], packets);
        return std::exchange(keeps_[own], std::uint16_t{0});
    }
    if (keeps_[other] > 0) return 0;
    std::array<rte_mbuf*, burst> come;
    const std::uint16_t count = rte_eth_rx_burst(side_[own].id, 0, come.data(), burst);
    std::uint16_t found = 0;
    for (std::uint16_t i = 0; i < count; ++i) {
        if (is_for(side_[other], come[i])) {
            kept_[other][keeps_[other]++] = come[i];
        } else {
            packets[found++] = come[i];
        }
    }
    return found;
}

bool Ports::is_for(const OnePort& port, const rte_mbuf* packet) {
    const auto* at = rte_pktmbuf_mtod(packet, const std::uint8_t*);
    const bool tagged = wire::has_tag(at, rte_pktmbuf_data_len(packet));
    return port.takes_vlan ? tagged && wire::VlanRequired{*port.takes_vlan, {}}.fits(wire::tag_control(at)) : !tagged;
}

// What is in another VLAN isn't for this device. Returns how many remain.
std::uint16_t Ports::take_tags(OnePort& port, rte_mbuf** packets, std::uint16_t count) {
    std::uint16_t remain = 0;
    for (std::uint16_t i = 0; i < count; ++i) {
        auto* at = rte_pktmbuf_mtod(packets[i], std::uint8_t*);
        if (!is_for(port, packets[i])) {
            ++port.counters.other_vlan;
            rte_pktmbuf_free(packets[i]);
            continue;
        }
        if (port.takes_vlan) {
            wire::take_tag(at);
            rte_pktmbuf_adj(packets[i], wire::vlan::size);
        }
        packets[remain++] = packets[i];
    }
    return remain;
}

void Ports::transmit(Side side, Frame frame) {
    OnePort& port = side_[index(side)];
    if (port.waiting == queue) flush(port);
    if (port.waiting == queue) {
        ++port.counters.transmit_full;
        return pool_.free(frame);
    }
    auto* packet = static_cast<rte_mbuf*>(frame.buffer);
    packet->data_len = static_cast<std::uint16_t>(frame.size);
    packet->pkt_len = frame.size;
    packet->ol_flags = 0;
    if (port.sends_vlan) {
        wire::put_tag(frame.data, *port.sends_vlan);
        rte_pktmbuf_prepend(packet, wire::vlan::size);
    }
    port.packets[port.waiting++] = packet;
    if (port.waiting == burst) flush(port);
}

void Ports::flush(OnePort& port) {
    if (port.waiting == 0) return;
    unsigned sent = 0;
    while (sent < port.waiting) {
        const auto ask = static_cast<std::uint16_t>(std::min(port.waiting - sent, 2 * burst));
        const std::uint16_t now = rte_eth_tx_burst(port.id, 0, port.packets.data() + sent, ask);
        sent += now;
        if (now < ask) break;
    }
    port.counters.transmitted += sent;
    port.waiting -= sent;
    std::copy_n(port.packets.begin() + sent, port.waiting, port.packets.begin());
    if (port.waiting > burst && !link_up(port)) {  // nobody is there to take them
        port.counters.transmit_full += port.waiting;
        rte_pktmbuf_free_bulk(port.packets.data(), port.waiting);
        port.waiting = 0;
    }
}

void Ports::flush() {
    for (OnePort& port : side_) flush(port);
}

bool Ports::link_up(const OnePort& port) const {
    rte_eth_link link{};
    return rte_eth_link_get_nowait(port.id, &link) == 0 && link.link_status == RTE_ETH_LINK_UP;
}

wire::Mac Ports::mac(Side side) const {
    rte_ether_addr address{};
    rte_eth_macaddr_get(side_[index(side)].id, &address);
    wire::Mac mac{};
    std::copy_n(address.addr_bytes, mac.size(), mac.begin());
    return mac;
}

Json Ports::to_json(Side side) const {
    const OnePort& port = side_[index(side)];
    rte_eth_dev_info info{};
    const bool told = rte_eth_dev_info_get(port.id, &info) == 0 && info.driver_name != nullptr;
    return {{"port", port.name},
            {"driver", told ? info.driver_name : ""},
            {"mac", wire::to_text(mac(side))},
            {"mtu", port.mtu},
            {"link_up", link_up(port)}};
}

Json Ports::counters_json(Side side) const {
    const OnePort& port = side_[index(side)];
    rte_eth_stats stats{};
    if (!one_ || side == Side::left) rte_eth_stats_get(port.id, &stats);  // of both
    return {{"transmitted", port.counters.transmitted},
            {"transmit_full", port.counters.transmit_full},
            {"other_vlan", port.counters.other_vlan},
            {"receive_missed", stats.imissed},
            {"no_buffers", stats.rx_nombuf},
            {"link_up", link_up(port)}};
}

void Ports::reset_counters() {
    for (OnePort& port : side_) {
        port.counters = {};
        rte_eth_stats_reset(port.id);
    }
}

}  // namespace xlatperf::reference
