#include <gtest/gtest.h>

#include "port/port.h"

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

}  // namespace
}  // namespace xlatperf::port
