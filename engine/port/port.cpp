#include "port/port.h"

#include <rte_alarm.h>
#include <rte_bus_vdev.h>
#include <rte_cycles.h>
#include <rte_ethdev.h>
#include <rte_ring.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <future>
#include <limits>
#include <string_view>
#include <thread>

#include "port/interface_counters.h"
#include "port/pools.h"
#include "port/port_name.h"
#include "port/receive_ring.h"
#include "port/words.h"

namespace xlatperf::port {

using Count = counter::Port;

namespace {

constexpr std::uint16_t wanted_receive_descriptors = 2048, wanted_send_descriptors = 1024;
constexpr auto any_socket = static_cast<unsigned>(SOCKET_ID_ANY);
constexpr unsigned receive_buffers = 8191, service_buffers = 255, cache = 256;

PortError no_driver(const std::string& name) { return PortError("port " + name + ": DPDK has no driver for it"); }

std::uint16_t port_by_name(const std::string& name, const std::string& device) {
    std::uint16_t id = 0;
    if (rte_eth_dev_get_port_by_name(device.c_str(), &id) != 0) throw no_driver(name);
    return id;
}

std::uint16_t create_port(const std::string& name) {
    if (is_pci_address(name)) return port_by_name(name, name);
    const auto comma = name.find(',');
    const std::string device = name.substr(0, comma), arguments = comma == std::string::npos ? "" : name.substr(comma + 1);
    take_words();
    // Not by rte_eal_hotplug_add: newer DPDK takes no more than 128 bytes there, which a memif's paths can exceed.
    const int error = rte_vdev_init(device.c_str(), arguments.c_str());
    if (error == 0) return port_by_name(name, device);
    const std::string words = take_words();
    if (words.empty() && error == -1) throw no_driver(name);  // what it returns then is no number of an error
    throw PortError("port " + name + ": " + (words.empty() ? rte_strerror(-error) : words));
}

}  // namespace

Port::Port(std::string name, std::uint16_t id, unsigned queues, unsigned largest_frame, NicTime time, double patience_s)
    : id_(id), time_(time), queues_(queues) {
    facts_.name = std::move(name);
    start(largest_frame, patience_s);
}

Port::Port(Port& left, unsigned largest_frame)
    : id_(left.id_),
      facts_(left.facts_),
      time_(left.time_),
      send_time_(left.send_time_),
      arrival_time_(left.arrival_time_),
      first_clocks_(left.first_clocks_),
      queues_(left.queues()),
      interface_(left.interface_),
      opened_(left.opened_),
      was_promiscuous_(left.was_promiscuous_),
      stick_(std::make_shared<Stick>(id_, left.queues())),
      side_(1) {
    facts_.software_link = false;
    left.facts_ = facts_;
    left.stick_ = stick_;
    make_buffers(largest_frame);
}

Port::~Port() {
    if (stick_ == nullptr || stick_->close()) stop();
    rte_ring_free(outbox_);
    rte_mempool_free(service_pool_);
    for (const Queue& queue : queues_) {
        for (rte_mempool* pool : {queue.receive_pool, queue.send_pools[0], queue.send_pools[1]}) rte_mempool_free(pool);
    }
}

void Port::stop() {
    if (facts_.promiscuous && !was_promiscuous_) rte_eth_promiscuous_disable(id_);  // drivers on interfaces leave it to them
    rte_eth_dev_stop(id_);
    rte_eth_dev_close(id_);
}

// Of this Port's pools and rings.
std::string Port::suffix() const { return std::to_string(id_) + (side_ == 0 ? "" : "right"); }

void Port::use_tag(const LinkTag& tag) {
    tag_ = tag;
    if (stick_ != nullptr) stick_->use_vlan(side_, tag.received ? std::optional(tag.received->id) : std::nullopt);
}

// What a Port sends from.
void Port::make_buffers(unsigned largest_frame) {
    service_pool_ = create_pool("service" + suffix(), service_buffers, largest_frame, 0);
    outbox_ = rte_ring_create(("outbox" + suffix()).c_str(), 64, SOCKET_ID_ANY, RING_F_SC_DEQ);
    if (outbox_ == nullptr) throw PortError("open.memory_mb: not enough");
    for (std::size_t queue = 0; queue < queues_.size(); ++queue) {
        for (std::size_t i = 0; i < 2; ++i) {
            const std::string name = "send" + suffix() + "q" + std::to_string(queue) + std::to_string(i);
            queues_[queue].send_pools[i] = create_pool(name, send_buffers, largest_frame, cache);
        }
    }
}

std::uint64_t Port::receive_offloads(const PortFacts& able) {
    if (!time_.arrival_stamps) return 0;
    if (is_ring(facts_.name)) {
        arrival_time_ = BufferTime::for_receiving();
        return 0;
    }
    arrival_time_ = able.rx_timestamp ? BufferTime::for_receiving() : std::nullopt;
    if (!arrival_time_) throw PortError("open.nic_arrival_stamps: true is not allowed: " + able.name + " can't stamp arrivals");
    return RTE_ETH_RX_OFFLOAD_TIMESTAMP;
}

std::uint64_t Port::send_offloads(const PortFacts& able) {
    if (time_.pacing != NicPacing::send_on_timestamp) return 0;
    send_time_ = able.send_on_timestamp ? BufferTime::for_sending() : std::nullopt;
    if (!send_time_)
        throw PortError("open.nic_pacing: \"send_on_timestamp\" is not allowed: " + able.name + " can't send at a given time");
    return RTE_ETH_TX_OFFLOAD_SEND_ON_TIMESTAMP;
}

// By addresses and ports, as far as the NIC can: frames of a tunnel by their outer addresses, mostly.
void Port::spread(rte_eth_conf& configuration, std::uint64_t by) const {
    configuration.rx_adv_conf.rss_conf.rss_hf = by & (RTE_ETH_RSS_IP | RTE_ETH_RSS_UDP);
    if (queues() > 1 && configuration.rx_adv_conf.rss_conf.rss_hf != 0) configuration.rxmode.mq_mode = RTE_ETH_MQ_RX_RSS;
}

void Port::set_up(std::uint16_t queue, std::uint16_t receive_descriptors, std::uint16_t send_descriptors,
                  unsigned largest_frame) {
    Queue& own = queues_[queue];
    own.receive_pool = create_pool("receive" + suffix() + "q" + std::to_string(queue), receive_buffers, largest_frame, cache);
    const auto check = [&](int result, const char* what) {
        if (result < 0) throw PortError("port " + facts_.name + ": " + what + " can't be set up: " + refusal(-result));
    };
    check(rte_eth_rx_queue_setup(id_, queue, receive_descriptors, any_socket, nullptr, own.receive_pool), "its receive queue");
    check(rte_eth_tx_queue_setup(id_, queue, send_descriptors, any_socket, nullptr), "its transmit queue");
}

// A memif that connects can't be started as long as there is no socket.
int Port::start_device(double patience_s) const {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(patience_s);
    int result = rte_eth_dev_start(id_);
    while (result < 0 && connects() && std::chrono::steady_clock::now() < end) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        take_words();
        result = rte_eth_dev_start(id_);
    }
    return result;
}

void Port::start(unsigned largest_frame, double patience_s) {
    const auto check = [&](int result, const char* what) {
        if (result < 0) throw PortError("port " + facts_.name + ": " + what + ": " + refusal(-result));
    };
    take_words();
    rte_eth_dev_info info{};
    check(rte_eth_dev_info_get(id_, &info), "it can't be asked for its abilities");
    facts_.driver = info.driver_name;
    facts_.rx_timestamp = (info.rx_offload_capa & RTE_ETH_RX_OFFLOAD_TIMESTAMP) != 0;
    facts_.send_on_timestamp = (info.tx_offload_capa & RTE_ETH_TX_OFFLOAD_SEND_ON_TIMESTAMP) != 0;

    make_buffers(largest_frame);
    rte_eth_conf configuration{};
    configuration.rxmode.offloads = receive_offloads(facts_);
    configuration.txmode.offloads = send_offloads(facts_);
    spread(configuration, info.flow_type_rss_offloads);
    const unsigned most = std::min(info.max_rx_queues, info.max_tx_queues);
    if (queues() > most) {
        throw PortError("open.queues: " + std::to_string(queues()) + " is not allowed: " + (most > 1 ? "1 to " : "") +
                        std::to_string(most) + ", as many as port " + facts_.name + " has");
    }
    const auto queues = static_cast<std::uint16_t>(queues_.size());
    check(rte_eth_dev_configure(id_, queues, queues, &configuration), "its queues can't be configured");
    std::uint16_t receive = wanted_receive_descriptors, send = wanted_send_descriptors;
    check(rte_eth_dev_adjust_nb_rx_tx_desc(id_, &receive, &send), "descriptors");
    for (std::uint16_t queue = 0; queue < queues; ++queue) set_up(queue, receive, send, largest_frame);
    if (largest_frame > 1522)
        rte_eth_dev_set_mtu(id_, static_cast<std::uint16_t>(largest_frame - 18));  // what the DUT's side has to match
    if (is_ring(facts_.name) && arrival_time_) {
        for (std::uint16_t queue = 0; queue < queues; ++queue) stamp_arrivals(id_, queue, *arrival_time_);
    }
    interface_ = interface_of(facts_.name, facts_.driver);
    was_promiscuous_ = is_promiscuous(interface_);  // starting it ends that
    check(start_device(patience_s), "it can't be started");
    if (!interface_.empty()) opened_ = read_interface_state(interface_);
    rte_eth_promiscuous_enable(id_);  // a Tester looks at everything that arrives
    facts_.promiscuous = rte_eth_promiscuous_get(id_) == 1;
    rte_eth_allmulticast_enable(id_);  // Neighbor Solicitations come by multicast

    rte_ether_addr mac{};
    rte_eth_macaddr_get(id_, &mac);
    std::copy(std::begin(mac.addr_bytes), std::end(mac.addr_bytes), facts_.mac.begin());
    std::uint16_t mtu = 0;
    rte_eth_dev_get_mtu(id_, &mtu);
    facts_.mtu = mtu;
    facts_.rate_limit = limit_queue_rate(id_, 0, 0);
    if (time_.pacing == NicPacing::queue_rate_limit && !facts_.rate_limit) {
        throw PortError("open.nic_pacing: \"queue_rate_limit\" is not allowed: " + facts_.name + " can't limit a queue's rate");
    }
    if (send_time_ || arrival_time_) first_clocks_ = read_clocks();
    know_other_end();
    facts_.receive_ring = receive_ring(facts_.name, facts_.driver, receive);
    take_counters();
}

// A full ring of af_xdp says that the kernel is slow, which works for the Tester; af_packet's, that a frame was refused.
void Port::know_other_end() {
    constexpr std::array<std::string_view, 3> in_shared_memory = {"net_memif", "net_vhost", "net_virtio_user"};
    const bool shared_memory = std::ranges::find(in_shared_memory, facts_.driver) != in_shared_memory.end();
    facts_.software_link = is_software_link(interface_);
    if (facts_.software_link) sockets_ = sending_sockets(interface_);
    facts_.holds_back = shared_memory || (facts_.software_link && facts_.driver == "net_af_packet");
    facts_.receive_drops_known = facts_.driver != "net_pcap" && !shared_memory;
}

LinkState Port::link() const {
    rte_eth_link link{};
    if (rte_eth_link_get_nowait(id_, &link) != 0) return {false, 0, 0, no_link()};
    // A virtual device's is a constant of its driver, 10 Gbit/s for most.
    const bool known =
        is_pci_address(facts_.name) && link.link_speed != RTE_ETH_SPEED_NUM_UNKNOWN && link.link_speed != RTE_ETH_SPEED_NUM_NONE;
    LinkState state{true, known ? link.link_speed : 0, 0, link.link_status == RTE_ETH_LINK_UP ? "" : no_link()};
    if (!interface_.empty()) {  // to DPDK's driver for it the link is always up
        const InterfaceState kernel = read_interface_state(interface_);
        state.changes = kernel.changes;
        if (std::string why = port::why_down(kernel, interface_, opened_); !why.empty()) state.why_down = std::move(why);
    }
    state.up = state.why_down.empty();
    return state;
}

std::string Port::no_link() const {
    if (rte_eth_dev_is_removed(id_) != 0) return "port " + facts_.name + " was taken out of the host";
    if (facts_.driver == "net_memif")
        return "nobody is connected to the other end of " + facts_.name.substr(0, facts_.name.find(','));
    return "port " + facts_.name + " has no link: its other end is down, or the cable is out";
}

bool Port::connects() const { return facts_.driver == "net_memif" && !is_memif_server(facts_.name); }

bool Port::other_end_gone() const { return side_ == 0 && connects() && !link().up; }

// In DPDK's interrupt thread, where memif looks after its connections: elsewhere it would be in its way.
void Port::connect_again() {
    constexpr std::chrono::seconds longest_connecting{15};  // a busy host holds that thread up, and the other end's
    struct Attempt {
        std::uint16_t port;
        std::promise<void> done;
    };
    auto attempt = std::make_unique<Attempt>(Attempt{id_, {}});
    auto done = attempt->done.get_future();
    const auto stop_and_start = [](void* argument) {
        const std::unique_ptr<Attempt> one(static_cast<Attempt*>(argument));
        rte_eth_dev_stop(one->port);
        rte_eth_dev_start(one->port);
        one->done.set_value();
    };
    if (rte_eal_alarm_set(1, stop_and_start, attempt.get()) != 0) return;
    attempt.release();
    if (done.wait_for(longest_connecting) != std::future_status::ready)
        throw PortError("port " + facts_.name + ": its driver does not come back from connecting again");
    take_words();  // that nobody is there yet is no news
}

std::optional<ClockPair> Port::read_clocks() const {
    std::optional<ClockPair> found;
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
    for (int i = 0; i < 16; ++i) {
        const std::uint64_t before = rte_rdtsc();
        const auto nic = is_ring(facts_.name) ? rte_rdtsc() : read_nic_clock(id_);
        const std::uint64_t took = rte_rdtsc() - before;
        if (!nic) return {};
        if (took >= least) continue;
        least = took;
        found = {before + took / 2, *nic};
    }
    return found;
}

PortCounters Port::read_counters() const {
    PortCounters counters;
    counters.beside = beside_.load(std::memory_order_relaxed);
    if (rte_eth_stats stats{}; side_ == 0 && rte_eth_stats_get(id_, &stats) == 0) {
        counters.counts[Count::receive_drops] = stats.imissed + stats.ierrors;
        counters.counts[Count::transmit_errors] = stats.oerrors;
        counters.counts[Count::no_buffers] = stats.rx_nombuf;
        if (const auto kernel = read_interface_counters(interface_)) add(counters, *kernel);
    }
    if (stick_ != nullptr) counters.counts[Count::receive_drops] += stick_->dropped(side_);
    return counters;
}

// What the kernel sends on a tap is what the port receives.
void Port::add(PortCounters& counters, const InterfaceCounters& kernel) const {
    std::uint64_t& receive_drops = counters.counts[Count::receive_drops];
    if (facts_.driver == "net_tap") {
        receive_drops += kernel.sent_dropped;
        counters.left = kernel.received;
        counters.not_left = kernel.received_dropped;
        return;
    }
    // af_xdp counts those that found no room in its own ring as well.
    const bool own = facts_.driver == "net_af_xdp";
    receive_drops = own ? std::max(receive_drops, kernel.received_dropped) : receive_drops + kernel.received_dropped;
    counters.left = kernel.sent;
    counters.not_left = kernel.sent_dropped;
}

std::optional<Gone> Port::gone() const {
    if (!facts_.software_link) return {};
    const auto kernel = read_interface_counters(interface_);
    if (!kernel) return {};
    PortCounters counters;
    add(counters, *kernel);
    return Gone{counters.left, counters.not_left, beside_.load(std::memory_order_relaxed)};
}

// Counted first: that it has left must not be known before.
bool Port::send_beside(rte_mbuf* frame) const {
    beside_.fetch_add(1, std::memory_order_relaxed);
    if (transmit(0, &frame, 1) == 1) return true;
    beside_.fetch_sub(1, std::memory_order_relaxed);
    free_burst(&frame, 1);
    return false;
}

namespace {
// Those of an interface that was made anew begin at 0 again.
std::uint64_t grown(std::uint64_t after, std::uint64_t before) { return after - (after < before ? 0 : before); }
}  // namespace

Gone Port::since(const Gone& now) const {
    return {grown(now.left, seen_.left), grown(now.dropped, seen_.not_left), now.beside - seen_.beside};
}

PortCounters Port::take_counters() {
    const PortCounters now = read_counters();
    const Gone gone = since({now.left, now.not_left, now.beside});
    PortCounters taken{{}, gone.left, gone.dropped, waiting_.beside + gone.beside};
    now.counts.each([&](Count count, const counter::Row&, std::uint64_t number) {
        taken.counts[count] = grown(number, seen_.counts[count]);
    });
    seen_ = now;
    taken.counts[Count::waiting_before] = waiting_before_;
    waiting_ = waiting_.after(gone);
    waiting_before_ = waiting_.trials;
    if (facts_.driver == "net_af_packet" && side_ == 0)
        taken.counts[Count::receive_drops] += take_packet_socket_drops(interface_);
    return taken;
}

std::pair<std::uint16_t, std::uint16_t> create_ports(const std::string& left, const std::string& right, unsigned queues) {
    if (is_ring(left) != is_ring(right))
        throw PortError("port " + (is_ring(left) ? left : right) + ": net_ring is a loopback: both ports have to be net_ring");
    const bool one = left == right;
    if (is_ring(left) && !one) return create_loopback(queues);
    use_several_packet_sockets(queues > 1);
    const std::uint16_t left_id = is_ring(left) ? create_own_loopback(queues) : create_port(left);
    return {left_id, one ? left_id : create_port(right)};
}

}  // namespace xlatperf::port
