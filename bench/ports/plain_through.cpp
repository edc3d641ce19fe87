// What two ports and a device between them carry, without a Tester: the yardstick of `python -m bench.ports`. One core sends
// 80-byte IPv4/UDP frames (without FCS) with a number, a time stamp and pseudorandom ports, and the right UDP checksum, as fast
// as the ports take them, and counts those that arrive on the other port and whose checksum is right. No schedule, no lost or
// repeated frames.
//
//   plain-through -l 1 --no-pci --no-huge -m 512 --vdev net_af_packet0,iface=t0 --vdev net_af_packet1,iface=t1 -- SECONDS FLOWS
//   HEADERS HEADERS
//
// FLOWS: so many pairs of UDP ports, in turn. HEADERS: 34 bytes in hexadecimal, Ethernet and IPv4, of what port 0 sends, and of
// what port 1 sends; "-": that one only receives.
#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace {
constexpr std::size_t headers_size = 34, frame_size = 80, udp = headers_size, addresses = 26, tag_at = 42, number_at = 48,
                      stamp_at = 56;
constexpr std::uint16_t udp_length = frame_size - udp, burst = 32, most_received = 64;
constexpr std::array<std::uint8_t, 6> tag = {'p', 'l', 'a', 'i', 'n', '0'};

std::uint16_t in_network_order(std::uint16_t value) { return __builtin_bswap16(value); }

std::uint16_t fold(std::uint64_t sum) {
    while (sum >> 16 != 0) sum = (sum & 0xffff) + (sum >> 16);
    return static_cast<std::uint16_t>(sum);
}

std::uint64_t sum_of(const std::uint8_t* at, std::size_t size) {
    std::uint64_t sum = 0;
    for (std::uint16_t word = 0; size >= 2; size -= 2, at += 2) {
        std::memcpy(&word, at, 2);
        sum += word;
    }
    return sum;
}

// RFC 768: the datagram and the addresses in front of it, in network order.
std::uint64_t datagram_sum(const std::uint8_t* frame) {
    return sum_of(frame + addresses, frame_size - addresses) + in_network_order(17) + in_network_order(udp_length);
}

struct Way {
    std::uint16_t from, to;
    std::array<std::uint8_t, frame_size> frame{};
    std::uint64_t sent = 0, received = 0, wrong = 0, refused = 0;
};

bool read_headers(std::string_view text, Way& way) {
    if (text.size() != 2 * headers_size) return false;
    for (std::size_t i = 0; i < headers_size; ++i) {
        const std::string digits(text.substr(2 * i, 2));
        char* end = nullptr;
        way.frame[i] = static_cast<std::uint8_t>(std::strtoul(digits.c_str(), &end, 16));
        if (*end != '\0') return false;
    }
    const std::uint16_t length = in_network_order(udp_length);
    std::memcpy(&way.frame[udp + 4], &length, 2);
    std::copy(tag.begin(), tag.end(), &way.frame[tag_at]);
    return true;
}

bool start(std::uint16_t port) {
    rte_mempool* pool = rte_pktmbuf_pool_create(("receive" + std::to_string(port)).c_str(), 8191, 256, 0, 2176, SOCKET_ID_ANY);
    const rte_eth_conf configuration{};
    return pool != nullptr && rte_eth_dev_configure(port, 1, 1, &configuration) == 0 &&
           rte_eth_tx_queue_setup(port, 0, 1024, 0, nullptr) == 0 &&
           rte_eth_rx_queue_setup(port, 0, 2048, 0, nullptr, pool) == 0 && rte_eth_dev_start(port) == 0 &&
           rte_eth_promiscuous_enable(port) == 0;
}

void send(Way& way, rte_mempool* pool, std::uint64_t flows) {
    std::array<rte_mbuf*, burst> out;
    if (rte_pktmbuf_alloc_bulk(pool, out.data(), burst) != 0) return;
    const std::uint64_t now = rte_rdtsc();
    for (rte_mbuf* one : out) {
        auto* at = rte_pktmbuf_mtod(one, std::uint8_t*);
        one->data_len = frame_size;
        one->pkt_len = frame_size;
        std::memcpy(at, way.frame.data(), frame_size);
        const std::uint64_t number = way.sent++;
        const std::uint64_t random = (number % flows + 1) * 0x9e3779b97f4a7c15ULL;
        const auto ports = static_cast<std::uint32_t>(random >> 32) | 0x0004'0004;  // from 1024 on
        std::memcpy(at + udp, &ports, 4);
        std::memcpy(at + number_at, &number, 8);
        std::memcpy(at + stamp_at, &now, 8);
        auto checksum = static_cast<std::uint16_t>(~fold(datagram_sum(at)));
        if (checksum == 0) checksum = 0xffff;  // RFC 768: 0 means that there is none
        std::memcpy(at + udp + 6, &checksum, 2);
    }
    const std::uint16_t taken = rte_eth_tx_burst(way.from, 0, out.data(), burst);
    if (taken < burst) {
        way.refused += burst - taken;
        way.sent -= burst - taken;
        rte_pktmbuf_free_bulk(out.data() + taken, burst - taken);
    }
}

unsigned receive(Way& way) {
    std::array<rte_mbuf*, most_received> in;
    const unsigned n = rte_eth_rx_burst(way.to, 0, in.data(), most_received);
    for (unsigned i = 0; i < n; ++i) {
        const auto* at = rte_pktmbuf_mtod(in[i], const std::uint8_t*);
        if (in[i]->data_len != frame_size || std::memcmp(at + tag_at, tag.data(), tag.size()) != 0) continue;  // the kernel's own
        ++way.received;
        if (fold(datagram_sum(at)) != 0xffff) ++way.wrong;
    }
    rte_pktmbuf_free_bulk(in.data(), n);
    return n;
}
}  // namespace

int main(int argc, char** argv) {
    const int eal = rte_eal_init(argc, argv);
    std::array<Way, 2> all{Way{0, 1}, Way{1, 0}};
    std::vector<Way*> ways;
    bool right = eal >= 0 && argc - eal == 5 && rte_eth_dev_count_avail() == 2;
    for (int i = 0; right && i < 2; ++i) {
        const std::string_view headers = argv[eal + 3 + i];
        if (headers == "-") continue;
        right = read_headers(headers, all[static_cast<std::size_t>(i)]);
        ways.push_back(&all[static_cast<std::size_t>(i)]);
    }
    if (!right) {
        std::fprintf(stderr, "usage: plain-through EAL-OPTION... -- SECONDS FLOWS HEADERS|- HEADERS|-, with two ports\n");
        return 2;
    }
    const std::uint64_t flows = std::strtoull(argv[eal + 2], nullptr, 10);
    rte_mempool* pool = rte_pktmbuf_pool_create("send", 16383, 256, 0, 2176, SOCKET_ID_ANY);
    if (flows == 0 || pool == nullptr || !start(0) || !start(1)) {
        std::fprintf(stderr, "plain-through: the ports can't be started\n");
        return 1;
    }
    rte_delay_ms(300);  // until the links are up
    const std::uint64_t hz = rte_get_tsc_hz(), begin = rte_rdtsc();
    const std::uint64_t end = begin + static_cast<std::uint64_t>(std::strtod(argv[eal + 1], nullptr) * static_cast<double>(hz));
    std::uint64_t now = begin;
    for (; now < end; now = rte_rdtsc()) {
        for (Way* way : ways) send(*way, pool, flows);
        for (Way* way : ways) receive(*way);
    }
    const double took = static_cast<double>(now - begin) / static_cast<double>(hz);
    for (const std::uint64_t last = now + hz / 10; rte_rdtsc() < last;) {
        for (Way* way : ways) receive(*way);
    }
    std::uint64_t sent = 0, received = 0, wrong = 0, refused = 0;
    for (const Way* way : ways) sent += way->sent, received += way->received, wrong += way->wrong, refused += way->refused;
    std::printf("{\"seconds\": %.6f, \"sent\": %lu, \"received\": %lu, \"wrong\": %lu, \"refused\": %lu}\n", took, sent, received,
                wrong, refused);
    return 0;
}
