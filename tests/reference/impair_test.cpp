// Each impairment's exact counts and positions, and the arithmetic of capacity and delay.
#include <gtest/gtest.h>

#include "impair/alter.h"
#include "impair/impairments.h"
#include "packets.h"

namespace xlatperf::reference {
namespace {

using namespace test;

/// Offers packets whose UDP source port is their number (1, 2 ...) and reads the numbers of those that leave.
struct Line {
    HeapPool pool;
    Recorder recorder{pool};
    Impairments impairments{pool, recorder, 1000};
    std::uint64_t now = 1'000'000'000;
    unsigned next = 1;

    explicit Line(const Plan& plan) { impairments.set(plan); }
    ~Line() { EXPECT_EQ(pool.wrongly_freed, 0u); }

    static Octets frame(unsigned number, bool v6 = false) {
        const Octets body = udp(18, static_cast<std::uint16_t>(number));
        const Octets packet = v6 ? with_checksum(ipv6("2001:2::2", "2001:2:0:1000::2", 17, body), 17, 6)
                                 : with_checksum(ipv4("198.18.0.2", "198.19.0.2", 17, body), 17, 6);
        return ethernet(v6 ? 0x86dd : 0x0800, packet, Octets(6, 2), Octets(6, 4));
    }
    void offer(bool v6 = false) {
        recorder.now = now;
        impairments.poll(now);
        impairments.offer(Side::right, pool.with(frame(next++, v6)), {}, now);
    }
    void offer(unsigned count, std::uint64_t gap_ns) {
        for (unsigned i = 0; i < count; ++i, now += gap_ns) offer();
    }
    void poll_until(std::uint64_t end, std::uint64_t step = 1000) {
        for (; now < end; now += step) {
            recorder.now = now;
            impairments.poll(now);
        }
    }
    std::vector<unsigned> numbers() const {
        std::vector<unsigned> found;
        for (const auto& sent : recorder.sent) found.push_back(get16(sent.octets, 14 + (sent.octets[14] >> 4 == 4 ? 20 : 40)));
        return found;
    }
    const ImpairmentCounters& counters() const { return impairments.counters(); }
};

using Numbers = std::vector<unsigned>;

TEST(Impair, NothingPassesAll) {
    Line line({});
    line.offer(1000, 1);
    EXPECT_EQ(line.recorder.sent.size(), 1000u);
    EXPECT_EQ(line.counters().test_packets, 1000u);
    EXPECT_EQ(line.counters().last_arrival_ns - line.counters().first_arrival_ns, 999u);
    EXPECT_EQ(line.counters().passed, 1000u);
    EXPECT_EQ(line.recorder.sent[7].octets, Line::frame(8));
    EXPECT_EQ(line.pool.live(), 0u);
}

TEST(Impair, DropEveryAndPositions) {
    Plan plan;
    plan.drop = {4, {1, 2, 8}};
    Line line(plan);
    line.offer(12, 1);
    EXPECT_EQ(line.numbers(), (Numbers{3, 5, 6, 7, 9, 10, 11}));
    EXPECT_EQ(line.counters().dropped, 5u);
    using Range = std::pair<std::uint64_t, std::uint64_t>;
    EXPECT_EQ(line.counters().dropped_positions.all(), (std::vector<Range>{{1, 2}, {4, 4}, {8, 8}, {12, 12}}));
    EXPECT_EQ(line.pool.live(), 0u);
    line.impairments.reset();
    line.offer(4, 1);
    EXPECT_EQ(line.counters().dropped, 3u);  // 1, 2 and 4 again
}

TEST(Impair, OtherPacketsPassAndAreNotNumbered) {
    Plan plan;
    plan.drop = {1, {}};
    Line line(plan);
    const Octets tcp = ethernet(0x0800, ipv4("198.18.0.2", "198.19.0.2", 6, Octets(20)), Octets(6, 2), Octets(6, 4));
    line.impairments.offer(Side::right, line.pool.with(tcp), {}, line.now);
    EXPECT_EQ(line.recorder.sent.size(), 1u);
    EXPECT_EQ(line.counters().test_packets, 0u);
}

TEST(Impair, Duplicate) {
    Plan plan;
    plan.duplicate = {3, {}};
    Line line(plan);
    line.offer(7, 1);
    EXPECT_EQ(line.numbers(), (Numbers{1, 2, 3, 3, 4, 5, 6, 6, 7}));
    EXPECT_EQ(line.recorder.sent[2].octets, line.recorder.sent[3].octets);
    EXPECT_EQ(line.counters().duplicated, 2u);
}

TEST(Impair, ReorderByD) {
    Plan plan;
    plan.reorder = Reorder{{5, {}}, 2, 1'000'000};
    Line line(plan);
    line.offer(11, 100);
    EXPECT_EQ(line.numbers(), (Numbers{1, 2, 3, 4, 6, 7, 5, 8, 9, 11}));
    line.poll_until(line.now + 2'000'000);
    EXPECT_EQ(line.numbers().back(), 10u);  // flushed: nothing is lost
    EXPECT_EQ(line.counters().reordered, 1u);
    EXPECT_EQ(line.counters().flushed, 1u);
    EXPECT_EQ(line.pool.live(), 0u);
}

TEST(Impair, ReorderWithDelay) {
    Plan plan;
    plan.reorder = Reorder{{3, {}}, 1, 1'000'000};
    plan.delay_ns = 50'000;
    Line line(plan);
    line.offer(7, 10'000);
    line.poll_until(line.now + 200'000);
    EXPECT_EQ(line.numbers(), (Numbers{1, 2, 4, 3, 5, 7, 6}));
}

TEST(Impair, FixedDelayIsExact) {
    Plan plan;
    plan.delay_ns = 50'000;
    Line line(plan);
    const std::uint64_t start = line.now;
    line.offer();
    line.recorder.now = start + 49'999;
    line.impairments.poll(start + 49'999);
    EXPECT_TRUE(line.recorder.sent.empty());
    EXPECT_EQ(line.impairments.next_due(), start + 50'000);
    line.impairments.poll(start + 50'000);
    EXPECT_EQ(line.recorder.sent.size(), 1u);
    EXPECT_EQ(line.impairments.next_due(), DelayLine::never);
}

TEST(Impair, DelaysByPatternDoNotHoldUpOthers) {
    Plan plan;
    plan.delay_ns = 10'000;
    plan.delays = {{{4, {}}, 100'000}, {{8, {}}, 300'000}};
    Line line(plan);
    const std::uint64_t start = line.now;
    line.offer(16, 20'000);
    line.poll_until(start + 1'000'000);
    ASSERT_EQ(line.recorder.sent.size(), 16u);
    const Numbers numbers = line.numbers();
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const std::uint64_t n = numbers[i];
        const std::uint64_t delay = n % 8 == 0 ? 300'000u : n % 4 == 0 ? 100'000u : 10'000u;
        const std::uint64_t due = start + (n - 1) * 20'000 + delay;
        EXPECT_GE(line.recorder.sent[i].at_ns, due);
        EXPECT_LE(line.recorder.sent[i].at_ns, due + 20'000);  // the test polls so seldom
    }
    EXPECT_EQ(line.counters().delayed, 16u);
}

TEST(Impair, HeldFramesLeaveWhenThePlanChanges) {
    Plan plan;
    plan.delay_ns = 1'000'000'000;
    Line line(plan);
    line.offer(5, 1);
    EXPECT_EQ(line.impairments.held(), 5u);
    line.impairments.set({});
    EXPECT_EQ(line.numbers(), (Numbers{1, 2, 3, 4, 5}));
}

TEST(Impair, HeldFramesAreBounded) {
    Plan plan;
    plan.delay_ns = 1'000'000'000;
    Line line(plan);
    line.offer(1100, 1);
    EXPECT_EQ(line.counters().overflow, 100u);
    EXPECT_EQ(line.impairments.held(), 1000u);
}

TEST(Impair, StallDrops) {
    Plan plan;
    plan.stall = Stall{10, 1'000'000, 0};
    Line line(plan);
    line.offer(100, 100'000);
    EXPECT_EQ(line.counters().stall_dropped, 10u);  // 10 to 19 arrive within 1 ms
    EXPECT_EQ(line.counters().dropped_positions.all().at(0), (std::pair<std::uint64_t, std::uint64_t>{10, 19}));
    EXPECT_EQ(line.recorder.sent.size(), 90u);
}

TEST(Impair, StallBuffers) {
    Plan plan;
    plan.stall = Stall{10, 1'000'000, 6};
    Line line(plan);
    line.offer(30, 100'000);
    line.poll_until(line.now + 10'000);
    EXPECT_EQ(line.counters().stall_buffered, 6u);
    EXPECT_EQ(line.counters().stall_dropped, 4u);
    EXPECT_EQ(line.recorder.sent.size(), 26u);
    EXPECT_EQ(line.numbers()[15 - 1], 15u);
    EXPECT_EQ(line.numbers()[15], 20u);
}

TEST(Impair, DroppedPacketsStillCountForTheOtherSteps) {
    Plan plan;
    plan.drop = {2, {}};
    plan.duplicate = {3, {}};
    Line line(plan);
    line.offer(12, 1);
    EXPECT_EQ(line.numbers(), (Numbers{1, 3, 3, 5, 7, 9, 9, 11}));
}

TEST(Impair, Untranslated) {
    Plan plan;
    plan.untranslated = {2, {}};
    Line line(plan);
    for (unsigned n = 1; n <= 4; ++n)
        line.impairments.offer(Side::right, line.pool.with(Line::frame(n)), line.pool.with(Line::frame(n, true)), line.now);
    ASSERT_EQ(line.recorder.sent.size(), 4u);
    EXPECT_EQ(line.recorder.sent[0].octets, Line::frame(1));
    EXPECT_EQ(line.recorder.sent[1].octets, Line::frame(2, true));
    EXPECT_EQ(line.counters().untranslated, 2u);
    EXPECT_EQ(line.pool.live(), 0u);
    line.impairments.offer(Side::right, line.pool.with(Line::frame(5)), {}, line.now);
    line.impairments.offer(Side::right, line.pool.with(Line::frame(6)), {}, line.now);
    EXPECT_EQ(line.counters().not_applicable, 1u);
}

/// The offsets (from the Ethernet header) of the bytes that differ.
std::vector<std::size_t> differences(const Octets& a, const Octets& b) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i] != b[i]) found.push_back(i);
    return found;
}

TEST(Impair, CorruptChangesWhatItSays) {
    using Offsets = std::vector<std::size_t>;
    struct Row {
        Alteration what;
        Offsets v4, v6;
    };
    for (const Row& row : {Row{Alteration::payload, {59}, {79}},
                           {Alteration::address, {25, 33}, {53}},
                           {Alteration::source_address, {25, 29}, {37}},
                           {Alteration::port, {37}, {57}},
                           {Alteration::udp_checksum, {41}, {61}},
                           {Alteration::ip_checksum, {25}, {}},
                           {Alteration::traffic_class, {15, 25}, {15}},
                           {Alteration::hop_limit, {22, 24}, {21}}}) {
        const std::string name(alteration_names[static_cast<std::size_t>(row.what)]);
        for (const bool v6 : {false, true}) {
            const Octets before = Line::frame(7, v6);
            Octets after = before;
            EXPECT_EQ(alter(after, row.what), !(v6 && row.v6.empty())) << name;
            EXPECT_EQ(differences(before, after), v6 ? row.v6 : row.v4) << name;
            if (!v6) {
                EXPECT_EQ(ones_sum(after, 14, 34) == 0xffff, row.what != Alteration::ip_checksum) << name;
            }
            const Octets ip(after.begin() + 14, after.end());
            const bool udp_right =
                row.what == Alteration::traffic_class || row.what == Alteration::hop_limit || row.what == Alteration::ip_checksum;
            EXPECT_EQ(transport_sum(ip, 17) == 0xffff, udp_right) << name;
        }
    }
}

TEST(Impair, CorruptNeverMakesTheUdpChecksumZero) {
    Octets frame = Line::frame(1);
    put16(frame, 40, 1);
    ASSERT_TRUE(alter(frame, Alteration::udp_checksum));
    EXPECT_EQ(get16(frame, 40), 3);
}

TEST(Impair, CorruptCounts) {
    Plan plan;
    plan.corrupt = {{Alteration::payload, {10, {}}}, {Alteration::ip_checksum, {0, {3}}}, {Alteration::hop_limit, {0, {3, 4}}}};
    Line line(plan);
    line.offer(100, 1);
    EXPECT_EQ(line.counters().corrupted[static_cast<std::size_t>(Alteration::payload)], 10u);
    EXPECT_EQ(line.counters().corrupted[static_cast<std::size_t>(Alteration::ip_checksum)], 1u);
    EXPECT_EQ(line.counters().corrupted[static_cast<std::size_t>(Alteration::hop_limit)], 2u);
    EXPECT_EQ(line.recorder.sent[3].octets[22], 11);  // TTL 10 of the frame, one more
}

TEST(Capacity, ServesAtTheRate) {
    Capacity capacity(1e6, 4);
    EXPECT_EQ(capacity.serve(1000), 1000u);
    EXPECT_EQ(capacity.serve(1000), 2000u);
    EXPECT_EQ(capacity.serve(1000), 3000u);
    EXPECT_EQ(capacity.serve(1000), 4000u);
    EXPECT_EQ(capacity.serve(1000), 5000u);
    EXPECT_FALSE(capacity.serve(1000));  // four wait: those of 2000 to 5000
    EXPECT_FALSE(capacity.serve(1999));
    EXPECT_EQ(capacity.serve(2000), 6000u);
    EXPECT_EQ(capacity.serve(10'000), 10'000u);
    EXPECT_EQ(capacity.serve(10'500), 11'000u);
}

TEST(Capacity, WithoutBufferNothingWaits) {
    Capacity capacity(1e6, 0);
    EXPECT_EQ(capacity.serve(0), 0u);
    EXPECT_FALSE(capacity.serve(999));
    EXPECT_EQ(capacity.serve(1000), 1000u);
}

TEST(Capacity, DoesNotDriftInAnHour) {
    Capacity capacity(3e6, 1000);  // 333.3 ns
    std::uint64_t last = 0;
    std::uint64_t offered = 0;
    for (std::uint64_t n = 0; n < 6'000'000; ++n) {  // two seconds' worth, all there from the start
        offered = n / 3 * 1000 + n % 3 * 333;
        last = *capacity.serve(offered);
    }
    EXPECT_NEAR(static_cast<double>(last), 5'999'999 / 3e6 * 1e9, 2.0);
}

TEST(Capacity, ExactShareOfAnOverload) {
    Plan plan;
    plan.capacity = CapacityPlan{100'000, 100};
    Line line(plan);
    line.offer(20'000, 5'000);  // 200 kfps for 0.1 s
    line.poll_until(line.now + 2'000'000);
    // 0.1 s at 100 kfps are 10000 services, and what waits at the end is served later.
    EXPECT_EQ(line.recorder.sent.size() + line.counters().capacity_dropped, 20'000u);
    EXPECT_NEAR(static_cast<double>(line.recorder.sent.size()), 10'100, 1);
    EXPECT_EQ(line.pool.live(), 0u);
}

TEST(Selector, CountsWithoutDivision) {
    Selector selector({3, {1, 4, 9}});
    Numbers taken;
    for (unsigned n = 1; n <= 10; ++n)
        if (selector.next()) taken.push_back(n);
    EXPECT_EQ(taken, (Numbers{1, 3, 4, 6, 9}));
}

}  // namespace
}  // namespace xlatperf::reference
