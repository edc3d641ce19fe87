#include "port/port_name.h"

#include <gtest/gtest.h>

namespace xlatperf::port {
namespace {

TEST(PortName, PciAddresses) {
    for (const char* name : {"0000:01:00.0", "01:00.1", "10000:e1:00.7", "0000:AF:1f.0"})
        EXPECT_TRUE(is_pci_address(name)) << name;
    for (const char* name :
         {"", "net_ring0", "0000:01:00", "0000:01:00.8", "01:00.0 ", "g1:00.0", "net_af_packet0,iface=01:00.0"}) {
        EXPECT_FALSE(is_pci_address(name)) << name;
    }
}

TEST(PortName, Rings) {
    EXPECT_TRUE(is_ring("net_ring0"));
    EXPECT_TRUE(is_ring("net_ring_left"));
    EXPECT_FALSE(is_ring("net_null0"));
    EXPECT_FALSE(is_ring("xnet_ring0"));
}

TEST(PortName, Arguments) {
    const std::string name = "net_af_packet0,iface=t0,framecnt=4096,qdisc_bypass=";
    EXPECT_EQ(argument(name, "iface"), "t0");
    EXPECT_EQ(argument(name, "framecnt"), "4096");
    EXPECT_EQ(argument(name, "qdisc_bypass"), "");
    for (const char* key : {"face", "framesz", "net_af_packet0", ""}) EXPECT_FALSE(argument(name, key)) << key;
    EXPECT_TRUE(is_memif_server("net_memif0,id=1,role=server"));
    EXPECT_TRUE(is_memif_server("net_memif0,role=master"));
    for (const char* other : {"net_memif0,role=client", "net_memif0", "net_tap0,role=server"})
        EXPECT_FALSE(is_memif_server(other));
}

}  // namespace
}  // namespace xlatperf::port
