#include "port/interface_counters.h"

#include <gtest/gtest.h>

#include <sstream>

namespace xlatperf::port {
namespace {

constexpr const char* table =
    "Inter-|   Receive                                                |  Transmit\n"
    " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed\n"
    "    lo:     100       1    0    0    0     0          0         0      100       1    0    0    0     0       0          0\n"
    "    t0: 1000000   10000    0    7    0     0          0         0   256496    2828    0 43092    0     0       0          "
    "0\n"
    "  t0:1:       0       0    0    1    0     0          0         0        0       0    0    2    0     0       0          0\n"
    "    t1: 1 2 3\n";

TEST(InterfaceCounters, WhatTheKernelDropped) {
    std::istringstream in(table);
    const auto found = read_interface_counters(in, "t0");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->received, 10000U);
    EXPECT_EQ(found->received_dropped, 7U);
    EXPECT_EQ(found->sent, 2828U);
    EXPECT_EQ(found->sent_dropped, 43092U);
}

TEST(InterfaceCounters, OfNothing) {
    for (const auto* name : {"t", "0", "t1", "eth0", ""}) {
        std::istringstream in(table);
        EXPECT_FALSE(read_interface_counters(in, name)) << name;
    }
    EXPECT_FALSE(read_interface_counters(""));
    EXPECT_TRUE(read_interface_counters("lo"));
}

TEST(InterfaceCounters, OfWhichInterface) {
    EXPECT_EQ(interface_of("net_af_packet0,iface=t0,framecnt=4096", "net_af_packet"), "t0");
    EXPECT_EQ(interface_of("net_af_xdp0,iface=t1", "net_af_xdp"), "t1");
    EXPECT_EQ(interface_of("net_tap0,iface=xp0", "net_tap"), "xp0");
    EXPECT_EQ(interface_of("net_pcap0,iface=t0", "net_pcap"), "");
    EXPECT_EQ(interface_of("0000:01:00.0", "net_ice"), "");
    EXPECT_FALSE(is_software_link("lo"));
    EXPECT_FALSE(is_software_link(""));
}

}  // namespace
}  // namespace xlatperf::port
