#include "port/receive_ring.h"

#include <gtest/gtest.h>

namespace xlatperf::port {
namespace {

TEST(ReceiveRing, OfEachKindOfPort) {
    EXPECT_EQ(receive_ring("net_memif0,role=client,socket=/a,rsize=14", "net_memif", 2048), 16384U);
    EXPECT_EQ(receive_ring("net_memif0,id=1", "net_memif", 2048), 1024U);
    EXPECT_EQ(receive_ring("net_memif0,role=server,rsize=14", "net_memif", 2048), 1024U) << "the client's counts";
    EXPECT_EQ(receive_ring("net_memif0,rsize=99", "net_memif", 2048), 16384U);
    EXPECT_EQ(receive_ring("net_memif0,rsize=x", "net_memif", 2048), 1024U);
    EXPECT_EQ(receive_ring("net_af_packet0,iface=t0,framecnt=4096,qdisc_bypass=1", "net_af_packet", 2048), 4096U);
    EXPECT_EQ(receive_ring("net_af_packet0,iface=t0", "net_af_packet", 2048), 512U);
    EXPECT_EQ(receive_ring("net_af_xdp0,iface=t0", "net_af_xdp", 2048), 2048U);
    EXPECT_EQ(receive_ring("net_tap0,iface=t0", "net_tap", 2048), 500U);
    EXPECT_EQ(receive_ring("net_ring0", "net_ring", 2048), 0U) << "a full one holds its sender back";
    EXPECT_EQ(receive_ring("0000:01:00.0", "net_ice", 4096), 4096U);
}

}  // namespace
}  // namespace xlatperf::port
