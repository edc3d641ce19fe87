#include "trial/receive/flow_order.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace xlatperf::trial {

TEST(FlowOrder, OnlyWithinAFlow) {  // R7915-4
    FlowOrder order;
    order.make_room();
    const auto name = [](std::uint16_t port) { return FlowOrder::name({.source_port = port}, 0); };
    EXPECT_FALSE(order.overtaken(name(1), 0));
    EXPECT_FALSE(order.overtaken(name(2), 7));
    EXPECT_FALSE(order.overtaken(name(1), 5));
    EXPECT_TRUE(order.overtaken(name(1), 4));
    EXPECT_TRUE(order.overtaken(name(1), 3));
    EXPECT_FALSE(order.overtaken(name(2), 8));
    EXPECT_FALSE(order.overtaken(name(3), 6)) << "two of another flow are later";
}

TEST(FlowOrder, WhatMakesAFlow) {
    const flow::Flow one{1, 2, 3, 4, 5, 6};
    std::map<std::uint64_t, int> names;
    for (const auto& flow : {one, flow::Flow{0, 2, 3, 4, 5, 6}, flow::Flow{1, 0, 3, 4, 5, 6}, flow::Flow{2, 1, 3, 4, 5, 6},
                             flow::Flow{1, 2, 4, 3, 5, 6}, flow::Flow{1, 2, 3, 4, 0, 6}, flow::Flow{1, 2, 3, 4, 5, 0}})
        ++names[FlowOrder::name(flow, 0)];
    ++names[FlowOrder::name(one, 1)];
    EXPECT_EQ(names.size(), 8U);
    EXPECT_EQ(FlowOrder::name(one, 1), FlowOrder::name(flow::Flow{one}, 1));
}

TEST(FlowOrder, AsARememberedMaximumOfEachFlow) {
    std::mt19937_64 random(4);
    for (int trial = 0; trial < 20; ++trial) {
        FlowOrder order;
        order.make_room();
        std::map<std::uint16_t, std::uint64_t> highest;
        const auto flows = static_cast<std::uint16_t>(1 + random() % 50);
        for (std::uint64_t number = 0; number < 2000; ++number) {
            const std::uint64_t shuffled = number + random() % 20;
            const auto port = static_cast<std::uint16_t>(shuffled % flows);
            const auto known = highest.find(port);
            const bool behind = known != highest.end() && shuffled < known->second;
            ASSERT_EQ(order.overtaken(FlowOrder::name({.destination_port = port}, 0), shuffled), behind);
            if (!behind) highest[port] = shuffled;
        }
    }
}

}  // namespace xlatperf::trial
