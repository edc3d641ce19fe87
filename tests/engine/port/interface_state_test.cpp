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
    for (const auto* name : {"xlatperf-none", "a-name-that-is-longer-than-those-of-interfaces"}) {
        const InterfaceState none = read_interface_state(name);
        EXPECT_TRUE(none.known) << name;
        EXPECT_FALSE(none.there) << name;
    }
}

TEST(InterfaceState, InWords) {
    const InterfaceState works{true, true, true, true, 7, 3};
    EXPECT_EQ(why_down(works, "t1", 7), "");
    EXPECT_EQ(why_down(works, "t1", 0), "") << "it had no number when the port was opened";
    EXPECT_EQ(why_down({}, "t1", 7), "") << "nobody knows";
    EXPECT_EQ(why_down({true, false, false, false, 0, 0}, "t1", 7), "interface t1 is no longer there");
    EXPECT_EQ(why_down({true, true, true, true, 8, 1}, "t1", 7),
              "interface t1 was removed and made anew, and the port is still that of the old one");
    EXPECT_EQ(why_down({true, true, false, false, 7, 4}, "t1", 7), "interface t1 is down");
    EXPECT_EQ(why_down({true, true, true, false, 7, 4}, "t1", 7),
              "interface t1 has no carrier: its other end is down, or the cable is out");
}

}  // namespace
}  // namespace xlatperf::port
