// Both sides on one DPDK port, here one that gets back what it sends.
#include "port/stick.h"

#include <gtest/gtest.h>
#include <rte_mempool.h>

#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "eal/start.h"
#include "port/eal.h"
#include "port/frame_ring.h"
#include "port/port.h"
#include "port/service.h"
#include "wire/vlan.h"

namespace xlatperf::port {
namespace {

constexpr std::uint16_t left_vlan = 100, right_vlan = 4094;

void use_vlan(Port& port, std::uint16_t vlan) { port.use_tag({wire::VlanTag{vlan, 0}, wire::VlanRequired{vlan, {}}}); }

/// A frame whose last byte is `number`.
void send(const Port& port, unsigned number, std::optional<std::uint16_t> vlan) {
    FrameBytes frame(64);
    wire::store16(&frame[12], 0x0800);
    frame.back() = static_cast<std::uint8_t>(number);
    if (vlan) {
        const auto tag = wire::tag_bytes({*vlan, 0});
        frame.insert(frame.begin() + 12, tag.begin(), tag.end());
    }
    rte_mbuf* buffer = nullptr;
    ASSERT_TRUE(allocate_burst(port.pool(0, 0), &buffer, 1));
    std::memcpy(rte_pktmbuf_append(buffer, static_cast<std::uint16_t>(frame.size())), frame.data(), frame.size());
    ASSERT_EQ(port.transmit(0, &buffer, 1), 1);
}

/// The numbers of what a side gets.
std::vector<unsigned> received(const Port& port, std::uint16_t most = 32) {
    std::vector<rte_mbuf*> frames(most);
    frames.resize(port.receive(0, frames.data(), most));
    std::vector<unsigned> numbers;
    for (const rte_mbuf* frame : frames)
        numbers.push_back(rte_pktmbuf_mtod(frame, const std::uint8_t*)[rte_pktmbuf_data_len(frame) - 1]);
    free_burst(frames.data(), static_cast<unsigned>(frames.size()));
    return numbers;
}

std::uint64_t drops(Port& port) { return port.take_counters().counts[counter::Port::receive_drops]; }

/// DPDK is started once in the life of a process.
class SharedPort : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        start_eal({.cores = {0}, .memory_mb = 128, .hugepages = eal::Hugepages::never, .pci_addresses = {}});
        left = std::make_unique<Port>("net_ring0", create_own_loopback(1), 1, 1522);
        right = std::make_unique<Port>(*left, 1522);
        use_vlan(*left, left_vlan);
        use_vlan(*right, right_vlan);
        left->use_side_of([](const std::uint8_t* at, std::size_t size) { return at[size - 1] & 1U; });
    }
    static void TearDownTestSuite() {
        send(*left, 0, right_vlan);
        EXPECT_TRUE(received(*left).empty());
        right.reset();  // while a frame waits for it
        left.reset();
        eal::stop();
    }

    inline static std::unique_ptr<Port> left, right;
};

TEST_F(SharedPort, EachSideGetsItsOwnInOrder) {
    for (unsigned i = 0; i < 9; ++i) send(*left, i, i % 3 == 0 ? left_vlan : right_vlan);
    EXPECT_EQ(received(*left, 2), (std::vector<unsigned>{0, 3}));
    send(*right, 10, right_vlan);
    EXPECT_EQ(received(*right), (std::vector<unsigned>{1, 2, 4, 5, 7, 8, 10})) << "what waited comes first";
    EXPECT_EQ(received(*left), (std::vector<unsigned>{6}));
    EXPECT_TRUE(received(*left).empty());
    EXPECT_TRUE(received(*right).empty());
}

TEST_F(SharedPort, InNeitherVlan) {
    for (unsigned i = 0; i < 4; ++i) send(*left, i, i < 2 ? std::optional<std::uint16_t>(7) : std::nullopt);
    EXPECT_EQ(received(*left), (std::vector<unsigned>{0, 2}));
    EXPECT_EQ(received(*right), (std::vector<unsigned>{1, 3}));
}

TEST_F(SharedPort, OneSideWithoutTag) {
    right->use_tag({});
    for (unsigned i = 0; i < 4; ++i) send(*left, i, i < 2 ? std::optional(left_vlan) : std::nullopt);
    EXPECT_EQ(received(*left), (std::vector<unsigned>{0, 1}));
    EXPECT_EQ(received(*right), (std::vector<unsigned>{2, 3}));
    use_vlan(*right, right_vlan);
}

TEST_F(SharedPort, ASideThatIsAwayDoesNotHoldUpTheOther) {
    drops(*left);
    drops(*right);
    constexpr unsigned sent = 3000, kept = 2047;  // what a ring of 2048 has room for
    std::size_t came = 0;
    for (unsigned i = 0; i < sent; ++i) {
        send(*left, i, i % 3 == 0 ? left_vlan : right_vlan);
        came += received(*left).size();
    }
    for (unsigned i = 0; i < sent; ++i) {
        send(*right, i, right_vlan);
        EXPECT_TRUE(received(*left).empty());
    }
    EXPECT_EQ(came, sent / 3);
    EXPECT_EQ(drops(*left), 0U);
    EXPECT_EQ(drops(*right), sent * 2 / 3 + sent - kept) << "the Tester's own loss";
    came = 0;
    while (const auto n = received(*right).size()) came += n;
    EXPECT_EQ(came, kept);
    EXPECT_EQ(drops(*right), 0U);
}

TEST_F(SharedPort, NoBufferIsLost) {
    const rte_mempool* const pool = left->pool(0, 0);
    EXPECT_EQ(rte_mempool_in_use_count(pool), 0U);
    for (unsigned i = 0; i < 9; ++i) send(*left, i, right_vlan);
    EXPECT_TRUE(received(*left).empty());
    EXPECT_EQ(rte_mempool_in_use_count(pool), 9U) << "they wait";
    EXPECT_EQ(received(*right).size(), 9U);
    EXPECT_EQ(rte_mempool_in_use_count(pool), 0U);
}

}  // namespace
}  // namespace xlatperf::port
