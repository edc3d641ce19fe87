#include "trial/receive/learner.h"

#include <gtest/gtest.h>

#include "frame/one_frame.h"
#include "frame/stateful_streams.h"
#include "trial/stateful_configurations.h"
#include "trial/streams.h"

namespace xlatperf::trial {
namespace {

using counter::Reason;
using frame::Bytes;

// A frame as it arrives, and what the StreamVerifier says of it: `match.source` points into the frame.
struct Arrived {
    Bytes frame;
    frame::Match match;
};

Arrived arrived(const frame::Stream& stream, std::uint64_t sequence, const wire::Address& source, std::uint16_t port) {
    Arrived found{frame::translated(stream, sequence, source, port), {}};
    const std::size_t size = found.frame.size();
    found.frame.resize(std::max(size, frame::Image::readable));
    EXPECT_TRUE(matches(frame::StreamVerifier(stream), found.frame.data(), size, found.match));
    return found;
}

class LearnerOf : public testing::TestWithParam<frame::Nat> {
  protected:
    frame::Nat nat = GetParam();
    frame::Stream stream = frame::make_stateful_stream({.nat = nat, .clients = 3, .pool_addresses = 2, .connections = 50});
    state::Table table{frame::right_family(nat), 50, state::WriteOrder::round_robin, 1};
    Learner learner{table, stream};

    Reason learn(std::uint64_t sequence, std::uint32_t of_pool, std::uint16_t port) {
        return learner.learn(arrived(stream, sequence, frame::pool_address(nat, of_pool), port).match);
    }
    void expect_known(std::uint64_t connection, std::uint32_t of_pool, std::uint16_t port) const {
        state::Mapping mapping;
        ASSERT_TRUE(table.read(connection, mapping));
        EXPECT_EQ(mapping.port, port);
        const auto entry = frame::make_entry(frame::pool_address(nat, of_pool));
        EXPECT_TRUE(std::equal(entry.bytes.begin(), entry.bytes.end(), mapping.address));
    }
    // Two frames of one connection.
    std::pair<std::uint64_t, std::uint64_t> pair() const {
        for (std::uint64_t later = 1;; ++later) {
            if (stream.foreground_flows(later).connection == stream.foreground_flows(0).connection) return {0, later};
        }
    }
};

TEST_P(LearnerOf, LearnsAndCompares) {  // R9693-3.1, -4.7-1
    const auto [one, later] = pair();
    const auto connection = stream.foreground_flows(one).connection;
    learner.prefetch(connection);
    EXPECT_EQ(learn(one, 0, 5000), Reason::expected);
    expect_known(connection, 0, 5000);
    EXPECT_EQ(table.learnt(), 1U);
    EXPECT_EQ(learn(later, 0, 5000), Reason::expected);
    EXPECT_EQ(learn(later, 0, 5001), Reason::mapping_changed);
    expect_known(connection, 0, 5001);
    EXPECT_EQ(learn(one, 1, 5001), Reason::mapping_changed);
    expect_known(connection, 1, 5001);
    EXPECT_EQ(learn(one, 1, 5001), Reason::expected) << "the new one is known now";
}

// A burst of frames of one connection and of others: what is known needs no look; behind what isn't, all do, as what is known of
// their connection may be another then.
TEST_P(LearnerOf, LooksFromTheFirstUnknownOn) {
    const auto [one, later] = pair();
    ASSERT_GT(later, 1U);
    std::vector<Arrived> frames;
    std::array<std::uint64_t, 6> connections{};
    std::array<const std::uint8_t*, 6> at{};
    const auto add = [&](std::uint64_t sequence, std::uint16_t port) {
        connections[frames.size()] = stream.foreground_flows(sequence).connection;
        frames.push_back(arrived(stream, sequence, frame::pool_address(nat, 0), port));
    };
    for (const std::uint64_t sequence : {one, std::uint64_t{1}, later}) add(sequence, 5000);
    for (const std::uint16_t port : {std::uint16_t{5001}, std::uint16_t{5000}, std::uint16_t{5000}}) add(one, port);
    for (std::size_t i = 0; i < frames.size(); ++i) at[i] = frames[i].frame.data();
    const auto left = [&](std::uint64_t which) { return learner.from_unknown(which, connections.data(), at.data()); };

    EXPECT_EQ(left(0b111), 0b111U) << "nothing is known";
    for (int i = 0; i < 3; ++i) EXPECT_EQ(learner.learn(frames[static_cast<std::size_t>(i)].match), Reason::expected);
    EXPECT_EQ(left(0b111), 0U);
    EXPECT_EQ(left(0b110111), 0U) << "the one with another port isn't asked about";
    EXPECT_EQ(left(0b111111), 0b111000U);
    EXPECT_EQ(learner.learn(frames[3].match), Reason::mapping_changed);
    EXPECT_EQ(learner.learn(frames[4].match), Reason::mapping_changed) << "back again";
    EXPECT_EQ(learner.learn(frames[5].match), Reason::expected);
    EXPECT_EQ(left(0b111111), 0b111000U);
    EXPECT_EQ(left(0), 0U);
}

TEST_P(LearnerOf, RefusesWhatIsOutsideThePool) {
    for (const auto& [of_pool, port] : {std::pair{2U, 5000}, {0U, 1023}}) {
        EXPECT_EQ(learn(7, of_pool, static_cast<std::uint16_t>(port)), Reason::outside_pool);
        EXPECT_EQ(table.learnt(), 0U) << "nothing is learnt from it";
    }
    EXPECT_EQ(learn(7, 1, 1024), Reason::expected);
    EXPECT_EQ(learn(7, 2, 1024), Reason::outside_pool);
    expect_known(stream.foreground_flows(7).connection, 1, 1024);
}

INSTANTIATE_TEST_SUITE_P(Nats, LearnerOf, testing::ValuesIn(frame::all_nats),
                         [](const auto& nat) { return frame::name(nat.param); });

// Nobody translates in loopback: the client is remembered as the pool's first address with its own port.
TEST(Learner, Loopback) {
    for (const auto nat : all_nats) {
        auto configuration = stateful(nat, 3, 2, flow::Opening::pseudorandom);
        configuration.loopback = true;
        const auto stream = make_stream(configuration, of_phase(flow::Phase::establish, 200), {}, flow::Direction::forward);
        const auto family = configuration.technology->pool()->family();
        state::Table table(family, 200, state::WriteOrder::pseudorandom, 1);
        Learner learner(table, stream);
        for (std::uint64_t sequence = 0; sequence < 200; ++sequence) {
            frame::Match match{};
            match.sequence = sequence;
            match.connection = stream.foreground_flows(sequence).connection;
            match.source_port = stream.foreground_flows(sequence).source_port;
            ASSERT_EQ(learner.learn(match), Reason::expected);
            ASSERT_EQ(learner.learn(match), Reason::expected);
        }
        EXPECT_TRUE(table.complete());
        const auto first = frame::make_entry(configuration.technology->pool()->first);
        for (std::uint64_t c = 0; c < 200; ++c) {
            state::Mapping mapping;
            ASSERT_TRUE(table.read(c, mapping));
            ASSERT_EQ(mapping.port, stream.foreground_flows(c).source_port);
            ASSERT_TRUE(std::equal(first.bytes.begin(), first.bytes.end(), mapping.address));
        }
    }
}

}  // namespace
}  // namespace xlatperf::trial
