// A gateway between two Testers that send it frames.
#pragma once

#include "gateway/gateway.h"
#include "gateway/neighbor_messages.h"
#include "packets.h"

namespace xlatperf::reference::test {

inline const Octets left_mac(6, 0x02), right_mac(6, 0x04), tester_left(6, 0x12), tester_right(6, 0x14);
inline wire::Mac mac(const Octets& octets) {
    wire::Mac m{};
    std::copy(octets.begin(), octets.end(), m.begin());
    return m;
}

struct Bed {
    HeapPool pool;
    Recorder recorder{pool};
    Gateway gateway;
    std::uint64_t now = 1;
    explicit Bed(const GatewaySettings& s) : gateway(s, pool, recorder) {
        gateway.set_mac(Side::left, mac(left_mac));
        gateway.set_mac(Side::right, mac(right_mac));
    }
    void from_left(std::uint16_t type, const Octets& packet) {
        gateway.receive(Side::left, pool.with(ethernet(type, packet, left_mac, tester_left)), now);
    }
    void from_right(std::uint16_t type, const Octets& packet) {
        gateway.receive(Side::right, pool.with(ethernet(type, packet, right_mac, tester_right)), now);
    }
    /// The Tester asks for the gateway's addresses, and is learnt thereby.
    void introduce() {
        Octets frame(arp_frame_size);
        write_arp(frame.data(), {true, mac(tester_right), *wire::parse_ipv4("198.18.255.2"), *wire::parse_ipv4("198.18.255.1")},
                  {});
        gateway.receive(Side::right, pool.with(frame), now);
        for (const bool left : {true, false}) {
            Octets ns(neighbor_frame_size);
            write_solicitation(ns.data(), mac(left ? tester_left : tester_right),
                               *wire::parse_ipv6(left ? "2001:2:0:7fff::2" : "2001:2:0:ffff::2"),
                               *wire::parse_ipv6(left ? "2001:2:0:7fff::1" : "2001:2:0:ffff::1"));
            gateway.receive(left ? Side::left : Side::right, pool.with(ns), now);
        }
    }
    std::uint64_t refused(Direction d, Fate fate) const { return gateway.counters(d).fates[static_cast<std::size_t>(fate)]; }
};

}  // namespace xlatperf::reference::test
