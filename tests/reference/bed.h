// A gateway between two Testers that send it frames.
#pragma once

#include <gtest/gtest.h>

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
    /// What leaves when the packet arrives, without its Ethernet header; empty: nothing.
    Octets through(Side side, const Octets& packet) {
        recorder.sent.clear();
        const std::uint16_t type = packet[0] >> 4 == 4 ? 0x0800 : 0x86dd;
        side == Side::left ? from_left(type, packet) : from_right(type, packet);
        if (recorder.sent.size() != 1) return {};
        EXPECT_EQ(recorder.sent[0].side, other(side));
        const Octets& frame = recorder.sent[0].octets;
        const Octets macs = side == Side::left ? hex("141414141414 040404040404") : hex("121212121212 020202020202");
        EXPECT_EQ(Octets(frame.begin(), frame.begin() + 12), macs);
        EXPECT_EQ(get16(frame, 12), frame[14] >> 4 == 4 ? 0x0800 : 0x86dd);
        return Octets(frame.begin() + 14, frame.end());
    }
    std::uint64_t refused(Direction d, Fate fate) const { return gateway.counters(d).fates[static_cast<std::size_t>(fate)]; }
};

}  // namespace xlatperf::reference::test
