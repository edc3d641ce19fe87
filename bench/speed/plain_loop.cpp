// What one core can do, without a Tester around it: the yardstick of `make bench`. Sends 84-byte IPv6/UDP frames with a sequence
// number, a time stamp, pseudorandom ports that follow from the number, and the right UDP checksum. `loop` also receives them,
// computes the ports again, verifies the checksum over the whole datagram and counts the delay. No schedule, no lost or repeated
// frames, one kind of frame.
//
//   plain-loop -l 1 --no-pci --in-memory -m 512 --vdev net_null0,no-rx=1 -- send FRAMES
//   plain-loop -l 1 --no-pci --in-memory -m 512 --vdev net_ring0 -- loop FRAMES
#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "eal/ticks.h"

namespace {
constexpr std::size_t frame_size = 80, udp = 54, sequence_at = 64, stamp_at = 72;  // bytes, without FCS
constexpr unsigned burst = 32, most_received = 64;
constexpr std::uint16_t udp_length = frame_size - udp;

std::uint64_t mix(std::uint64_t x) {  // SplitMix64
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}
std::uint16_t fold(std::uint64_t sum) {
    sum = (sum & 0xffffffff) + (sum >> 32);
    sum = (sum & 0xffffffff) + (sum >> 32);
    sum = (sum & 0xffff) + (sum >> 16);
    sum = (sum & 0xffff) + (sum >> 16);
    return static_cast<std::uint16_t>(sum);
}
std::uint64_t halves(std::uint64_t value) { return (value & 0xffffffff) + (value >> 32); }
std::uint64_t sum_of(const std::uint8_t* at, std::size_t size) {
    std::uint64_t sum = 0, word = 0;
    for (; size >= 8; size -= 8, at += 8) {
        std::memcpy(&word, at, 8);
        sum += halves(word);
    }
    std::uint16_t half = 0;
    for (; size >= 2; size -= 2, at += 2) {
        std::memcpy(&half, at, 2);
        sum += half;
    }
    return sum;
}
// RFC 4814 §4.5, in network order, the source in the low half.
std::uint32_t ports(std::uint64_t sequence) {
    const std::uint64_t random = mix(sequence);
    const auto source = static_cast<std::uint16_t>(1024 + (((random & 0xffffffff) * 64512) >> 32));
    const auto destination = static_cast<std::uint16_t>(1 + (((random >> 32) * 49151) >> 32));
    return __builtin_bswap16(source) | static_cast<std::uint32_t>(__builtin_bswap16(destination)) << 16;
}

struct Counts {
    std::uint64_t sent = 0, received = 0, wrong = 0;
};

std::array<std::uint8_t, frame_size> make_template() {
    std::array<std::uint8_t, frame_size> frame{};
    frame[12] = 0x86;
    frame[13] = 0xdd;
    frame[14] = 0x60;
    frame[19] = frame[udp + 5] = udp_length;
    frame[20] = 17;
    frame[21] = 64;
    for (std::size_t i = 22; i < udp; ++i) frame[i] = static_cast<std::uint8_t>(i * 7);  // addresses
    frame[62] = 0x58;                                                                    // the trial's tag
    frame[63] = 0x4c;
    return frame;
}

const std::uint64_t pseudo_header = std::uint64_t{__builtin_bswap16(17)} + __builtin_bswap16(udp_length);

void send(std::uint64_t base, std::array<rte_mbuf*, burst>& out, std::uint64_t first) {
    const std::uint64_t now = rte_rdtsc();
    for (unsigned i = 0; i < burst; ++i) {
        const std::uint64_t sequence = first + i;
        auto* at = rte_pktmbuf_mtod(out[i], std::uint8_t*);
        out[i]->data_len = frame_size;
        out[i]->pkt_len = frame_size;
        const std::uint32_t both = ports(sequence);
        const auto checksum = static_cast<std::uint16_t>(~fold(base + halves(both) + halves(sequence) + halves(now)));
        std::memcpy(at + udp, &both, 4);
        std::memcpy(at + udp + 6, &checksum, 2);
        std::memcpy(at + sequence_at, &sequence, 8);
        std::memcpy(at + stamp_at, &now, 8);
    }
    for (unsigned done = 0; done < burst;)
        done += rte_eth_tx_burst(0, 0, out.data() + done, static_cast<std::uint16_t>(burst - done));
}

void receive(std::vector<std::uint32_t>& delays, Counts& counts) {
    std::array<rte_mbuf*, most_received> in;
    unsigned n = 0;
    do {
        n = rte_eth_rx_burst(0, 0, in.data(), most_received);
        const std::uint64_t arrival = xlatperf::eal::ticks_behind_loads();  // as in the Tester
        for (unsigned i = 0; i < n; ++i) {
            const auto* at = rte_pktmbuf_mtod(in[i], const std::uint8_t*);
            std::uint64_t sequence = 0, stamp = 0;
            std::uint32_t both = 0;
            std::memcpy(&sequence, at + sequence_at, 8);
            std::memcpy(&stamp, at + stamp_at, 8);
            std::memcpy(&both, at + udp, 4);
            const bool right = both == ports(sequence) && fold(pseudo_header + sum_of(at + 22, frame_size - 22)) == 0xffff;
            counts.wrong += right ? 0 : 1;
            const std::uint64_t delay = (arrival - stamp) >> 4;
            ++delays[delay < delays.size() ? delay : delays.size() - 1];
        }
        counts.received += n;
        rte_pktmbuf_free_bulk(in.data(), n);
    } while (n == most_received);
}
}  // namespace

int main(int argc, char** argv) {
    const int eal = rte_eal_init(argc, argv);
    if (eal < 0 || argc - eal != 3) {
        std::fprintf(stderr, "usage: plain-loop EAL-OPTION... -- send|loop FRAMES\n");
        return 2;
    }
    const bool loop = std::string_view(argv[eal + 1]) == "loop";
    const std::uint64_t total = std::strtoull(argv[eal + 2], nullptr, 10);

    rte_mempool* pool = rte_pktmbuf_pool_create("frames", 8191, 256, 0, 2176, SOCKET_ID_ANY);
    const rte_eth_conf configuration{};
    if (pool == nullptr || rte_eth_dev_configure(0, 1, 1, &configuration) != 0 ||
        rte_eth_tx_queue_setup(0, 0, 1024, 0, nullptr) != 0 || rte_eth_rx_queue_setup(0, 0, 1024, 0, nullptr, pool) != 0 ||
        rte_eth_dev_start(0) != 0) {
        std::fprintf(stderr, "plain-loop: the port can't be started\n");
        return 1;
    }
    const auto frame = make_template();
    std::vector<rte_mbuf*> all(8000);
    if (rte_pktmbuf_alloc_bulk(pool, all.data(), static_cast<unsigned>(all.size())) != 0) return 1;
    for (rte_mbuf* one : all) std::memcpy(rte_pktmbuf_mtod(one, void*), frame.data(), frame.size());
    rte_pktmbuf_free_bulk(all.data(), static_cast<unsigned>(all.size()));

    const std::uint64_t base = sum_of(frame.data() + 22, frame.size() - 22) + pseudo_header;
    std::vector<std::uint32_t> delays(1U << 16);
    std::array<rte_mbuf*, burst> out;
    Counts counts;
    const std::uint64_t start = rte_rdtsc();
    while (counts.sent < total) {
        if (rte_pktmbuf_alloc_bulk(pool, out.data(), burst) != 0) continue;
        send(base, out, counts.sent);
        counts.sent += burst;
        if (loop) receive(delays, counts);
    }
    const std::uint64_t ticks = rte_rdtsc() - start;
    std::printf("{\"cycles_per_frame\": %.3f, \"sent\": %lu, \"received\": %lu, \"wrong\": %lu}\n",
                static_cast<double>(ticks) / static_cast<double>(counts.sent), counts.sent, counts.received, counts.wrong);
    return 0;
}
