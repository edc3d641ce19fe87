#include <gtest/gtest.h>

#include <random>

#include "flow/enumeration.h"
#include "wire/checksum.h"

namespace xlatperf::flow {
namespace {

const PortRange all_sources(Order::pseudorandom, 1024, 65535), all_destinations(Order::pseudorandom, 1, 49151),
    every_port(Order::pseudorandom, 0, 65535), one_port(Order::fixed, 5000, 6000), rising(Order::increasing, 1, 100);

// R4814-4.2.1: all at once or one by one, a frame has the same flow.
void expect_the_same(const Enumeration& flows, const std::uint64_t* sequences, unsigned n) {
    const auto drawing = flows.drawing();
    ASSERT_TRUE(drawing);
    FlowBurst found;
    draw(*drawing, sequences, n, found);
    for (unsigned i = 0; i < n; ++i) {
        const Flow flow = flows(sequences[i]);
        const std::uint32_t ports =
            wire::network16(flow.source_port) | static_cast<std::uint32_t>(wire::network16(flow.destination_port)) << 16;
        ASSERT_EQ(found.ports[i], ports) << sequences[i];
        if (flows.one_address_pair()) continue;
        ASSERT_EQ(found.source_network[i], flow.source_network) << sequences[i];
        ASSERT_EQ(found.destination_network[i], flow.destination_network) << sequences[i];
    }
}

TEST(FlowBurst, DrawsWhatEnumerationDraws) {
    std::mt19937_64 random(4814);
    for (const auto& [sources, destinations] :
         {std::pair(all_sources, all_destinations), {every_port, one_port}, {one_port, every_port}, {one_port, one_port}}) {
        for (const auto& [from, to] : {std::pair(1U, 1U), {1U, 2U}, {3U, 1U}, {256U, 256U}}) {
            const Enumeration flows(random(), Direction::forward, from, to, sources, destinations);
            for (unsigned n = 1; n <= most_in_burst; ++n) {
                alignas(64) std::array<std::uint64_t, most_in_burst> sequences{};
                for (unsigned i = 0; i < n; ++i) sequences[i] = random() >> (16 + random() % 48);
                expect_the_same(flows, sequences.data(), n);
                if (HasFatalFailure()) return;
            }
        }
    }
}

TEST(FlowBurst, NotWhatIsInOrderOrBelongsToSomebody) {
    EXPECT_FALSE(Enumeration(1, Direction::forward, 1, 1, rising, all_destinations).drawing());
    EXPECT_FALSE(Enumeration(1, Direction::forward, 1, 1, all_sources, rising).drawing());
    const ConnectionFlows connections{Connections({}, 10, 1), ConnectionOrder(Phase::establish, ReadOrder::pseudorandom, 10, 1),
                                      false};
    EXPECT_FALSE(Enumeration(connections).drawing());
}

}  // namespace
}  // namespace xlatperf::flow
