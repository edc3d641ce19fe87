// What hop limit and TTL a frame came with whose hop limit or TTL is wrong: what hops are learnt from.
#include <gtest/gtest.h>

#include "frame/classifier.h"
#include "trial/map_frames.h"

namespace xlatperf::trial {
namespace {

std::optional<frame::HopLimits> hop_limits(const frame::Stream& stream, const Bytes& frame) {
    const frame::Finding finding = frame::Classifier(stream).classify(frame.data(), frame.size());
    EXPECT_EQ(finding.hop_limits.has_value(), finding.reason == counter::Reason::hop_limit);
    return finding.hop_limits;
}

TEST(HopLimits, OfATunnelAndOfWhatIsInIt) {  // R2473-3.1
    const auto stream = stream_of(map("map-e", "br"), flow::Direction::reverse);
    const Bytes right = arriving(stream, 7);
    EXPECT_FALSE(hop_limits(stream, right));
    Bytes frame = right;
    frame[ip + wire::ipv6::hop_limit] = 63;
    EXPECT_EQ(hop_limits(stream, frame)->outer, 63);
    EXPECT_EQ(hop_limits(stream, frame)->inner, 9);
    frame = right;
    frame[inner + wire::ipv4::ttl] = 10;
    EXPECT_EQ(hop_limits(stream, frame)->outer, 64);
    EXPECT_EQ(hop_limits(stream, frame)->inner, 10);
    frame[inner + wire::ipv4::source] ^= 1;
    EXPECT_FALSE(hop_limits(stream, frame)) << "the wrong address is the reason";
}

TEST(HopLimits, OutsideOfATunnel) {
    for (const char* name : {"map-e", "map-t"}) {
        const auto stream = stream_of(map(name, "br"), flow::Direction::forward);
        Bytes frame = arriving(stream, 7);
        frame[ip + wire::ipv4::ttl] = 3;
        const auto found = hop_limits(stream, frame);
        EXPECT_EQ(found->inner, 3) << name;
        EXPECT_FALSE(found->outer) << name;
    }
}

}  // namespace
}  // namespace xlatperf::trial
