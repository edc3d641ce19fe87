// A tunnel encapsulation limit in the DUT's outer header (RFC 2473 §4.1.1, §5.1): recognised, and right if all else is.
#include "frame/encapsulation_limit.h"

#include <gtest/gtest.h>

#include "frame/classifier.h"
#include "trial/map_frames.h"

namespace xlatperf::trial {
namespace {

const Bytes by_pad_n = {4, 0, 4, 1, 4, 1, 1, 0}, by_pad1 = {4, 0, 4, 1, 0, 0, 0, 0};

// The frame with a destination options header behind the outer header.
Bytes with_options(Bytes frame, const Bytes& options) {
    frame.insert(frame.begin() + static_cast<std::ptrdiff_t>(inner), options.begin(), options.end());
    frame[ip + wire::ipv6::next_header] = wire::protocol::destination_options;
    const std::uint16_t payload = wire::load16(&frame[ip + wire::ipv6::payload_length]);
    wire::store16(&frame[ip + wire::ipv6::payload_length], static_cast<std::uint16_t>(payload + options.size()));
    return frame;
}

struct Seen {
    std::string_view reason;
    bool limit;
    bool operator==(const Seen&) const = default;
};

Seen seen(const frame::Stream& stream, const Bytes& frame) {
    const frame::Finding finding = frame::Classifier(stream).classify(frame.data(), frame.size());
    return {finding.reason ? counter::name(*finding.reason) : counter::name(*finding.stray),
            finding.remarks.has(counter::Remark::encapsulation_limit)};
}

TEST(EncapsulationLimit, IsTakenOut) {
    const auto configuration = map("map-e", "br");
    const auto stream = stream_of(configuration, flow::Direction::reverse);
    const Bytes right = arriving(stream, 7);
    for (const Bytes& options : {by_pad_n, by_pad1}) {
        const Bytes frame = with_options(right, options);
        EXPECT_EQ(frame::without_encapsulation_limit(frame.data(), frame.size()), right);
    }
    EXPECT_FALSE(frame::without_encapsulation_limit(right.data(), right.size()));
}

TEST(EncapsulationLimit, OtherOptionsAreNot) {
    const auto stream = stream_of(map("map-e", "br"), flow::Direction::reverse);
    const Bytes right = arriving(stream, 7);
    const std::vector<Bytes> others = {{17, 0, 4, 1, 4, 1, 1, 0}, {4, 1, 4, 1, 4, 1, 1, 0}, {4, 0, 5, 1, 4, 1, 1, 0},
                                       {4, 0, 4, 2, 4, 1, 1, 0},  {4, 0, 4, 1, 4, 5, 1, 0}, {4, 0, 4, 1, 4, 0, 0, 1}};
    for (const Bytes& options : others) {
        const Bytes frame = with_options(right, options);
        EXPECT_FALSE(frame::without_encapsulation_limit(frame.data(), frame.size()));
    }
    const Bytes frame = with_options(right, by_pad_n);
    for (std::size_t size = 0; size < inner + by_pad_n.size(); ++size) {
        EXPECT_FALSE(frame::without_encapsulation_limit(frame.data(), size));
    }
}

TEST(EncapsulationLimit, OfARightFrameIsARemark) {
    for (const auto& [role, direction] : {std::pair{"br", flow::Direction::reverse}, std::pair{"ce", flow::Direction::forward}}) {
        const auto configuration = map("map-e", role);
        const auto stream = stream_of(configuration, direction);
        const Bytes right = arriving(stream, 7);
        EXPECT_EQ(seen(stream, right), (Seen{"expected", false}));
        EXPECT_EQ(seen(stream, with_options(right, by_pad_n)), (Seen{"expected", true}));
        Bytes wrong = with_options(right, by_pad_n);
        wrong[ip + wire::ipv6::hop_limit] ^= 1;
        EXPECT_EQ(seen(stream, wrong), (Seen{"hop_limit", false}));
        wrong = with_options(right, by_pad_n);
        wrong[inner + by_pad_n.size() + wire::ipv4::source] ^= 1;
        EXPECT_EQ(seen(stream, wrong), (Seen{"wrong_address", false}));
        EXPECT_EQ(seen(stream, with_options(with_options(right, by_pad_n), {60, 0, 4, 1, 4, 1, 1, 0})),
                  (Seen{"wrong_length", false}));
    }
}

TEST(EncapsulationLimit, WhatElseIsThereHasItsName) {
    const auto stream = stream_of(map("map-e", "br"), flow::Direction::reverse);
    const auto text = [&](const Bytes& frame) { return frame::Classifier(stream).classify(frame.data(), frame.size()).text; };
    const Bytes other = with_options(arriving(stream, 7), {4, 0, 5, 1, 4, 1, 1, 0});
    EXPECT_NE(text(other).find(", with a destination options header of the tunnel, expected"), std::string::npos) << text(other);
    Bytes padded = arriving(stream, 7);
    padded.resize(padded.size() + 2);
    EXPECT_NE(text(padded).find(", with 2 bytes of padding behind the packet, expected"), std::string::npos) << text(padded);
    const std::uint16_t payload = wire::load16(&padded[ip + wire::ipv6::payload_length]);
    wire::store16(&padded[ip + wire::ipv6::payload_length], static_cast<std::uint16_t>(payload + 2));
    EXPECT_NE(text(padded).find(", with 2 bytes of padding behind the packet in the tunnel, expected"), std::string::npos);
}

TEST(EncapsulationLimit, BelongsToTunnels) {
    const auto stream = stream_of(map("map-t", "br"), flow::Direction::reverse);
    EXPECT_EQ(seen(stream, with_options(arriving(stream, 7), {17, 0, 4, 1, 4, 1, 1, 0})), (Seen{"wrong_length", false}));
}

}  // namespace
}  // namespace xlatperf::trial
