#include "port/interface_state.h"

#include <gtest/gtest.h>

namespace xlatperf::port {
namespace {

TEST(InterfaceState, OfThisHost) {
    const InterfaceState loopback = read_interface_state("lo");
    if (!loopback.known) GTEST_SKIP() << "this kernel doesn't tell";
    EXPECT_TRUE(loopback.there);
    EXPECT_EQ(loopback.index, 1) << "in each namespace";
    EXPECT_EQ(loopback.up, loopback.carrier);
    EXPECT_GT(loopback.mtu, 0U);
    EXPECT_EQ(loopback.xdp_program, 0U);
    for (const auto* name : {"xlatperf-none", "a-name-that-is-longer-than-those-of-interfaces"}) {
        const InterfaceState none = read_interface_state(name);
        EXPECT_TRUE(none.known) << name;
        EXPECT_FALSE(none.there) << name;
    }
}

TEST(InterfaceState, InWords) {
    const InterfaceState opened{true, true, true, true, 7, 3, 1500, 0};
    EXPECT_EQ(why_down(opened, "t1", opened), "");
    EXPECT_EQ(why_down(opened, "t1", {}), "") << "nobody knew when the port was opened";
    EXPECT_EQ(why_down({}, "t1", opened), "") << "nobody knows";
    const auto changed = [&opened](auto InterfaceState::*what, auto value) {
        InterfaceState now = opened;
        now.*what = value;
        return why_down(now, "t1", opened);
    };
    EXPECT_EQ(changed(&InterfaceState::there, false), "interface t1 is no longer there");
    EXPECT_EQ(changed(&InterfaceState::index, 8),
              "interface t1 was removed and made anew, and the port is still that of the old one");
    EXPECT_EQ(changed(&InterfaceState::up, false), "interface t1 is down");
    EXPECT_EQ(changed(&InterfaceState::carrier, false),
              "interface t1 has no carrier: its other end is down, or the cable is out");
    EXPECT_EQ(changed(&InterfaceState::changes, 4U), "") << "LinkWatch counts them";
    EXPECT_EQ(changed(&InterfaceState::mtu, 1499U), "interface t1 has an MTU of 1499, and had 1500 when the port was opened");
    EXPECT_EQ(changed(&InterfaceState::mtu, 9000U), "");
    EXPECT_EQ(changed(&InterfaceState::xdp_program, 5U),
              "interface t1 has got another XDP program, which takes frames from the Tester");
    InterfaceState af_xdp = opened;
    af_xdp.xdp_program = 5;
    EXPECT_EQ(why_down(opened, "t1", af_xdp), "interface t1 has lost the XDP program that hands the Tester its frames");
}

}  // namespace
}  // namespace xlatperf::port
