// Frames of MAP-E and MAP-T to test with.
#pragma once

#include <gtest/gtest.h>

#include "frame/classifier.h"
#include "frame/one_frame.h"
#include "rfc1071.h"
#include "technology/read_technology.h"
#include "trial/configurations.h"
#include "trial/streams.h"
#include "wire/byte_order.h"

namespace xlatperf::trial {

using Bytes = std::vector<std::uint8_t>;
inline constexpr std::size_t ip = wire::ethernet::size, inner = ip + wire::ipv6::size;
inline const std::string example = R"("ipv6": "2001:db8::/40", "ipv4": "192.0.2.0/24", "ea_bits": 16, "psid_offset": 6)";

inline Configuration map(const std::string& name, const std::string& role, const std::string& domain = example) {
    auto configuration = without_technology();
    const std::string beyond = name == "map-e" ? R"("br": "2001:db8:ffff::1")" : R"("dmr": "2001:db8:ffff::/64")";
    configuration.technology = technology::read_technology(R"({"name": ")" + name + R"(", "role": ")" + role +
                                                           R"(", "domains": [{)" + domain + ", " + beyond + "}]}");
    return configuration;
}
/// What a frame of the stream would be counted as.
inline std::optional<counter::Reason> reason_of(const frame::Stream& stream, Bytes frame) {
    const std::size_t size = frame.size();
    frame.resize(std::max(size, frame::Image::readable));
    return frame::Classifier(stream).classify(frame.data(), size).reason;
}
inline frame::Stream stream_of(const Configuration& configuration, flow::Direction direction, std::size_t size = 64,
                               const std::vector<frame::Change>& changes = {}) {
    Description description;
    description.number = 5;
    description.frame_sizes = {size};
    description.frame_size_of = FrameSizeOf::ipv4;
    description.rates = {{1000, 1}};
    description.changes = changes;
    LinkLayer links;
    for (std::size_t i = 0; i < 2; ++i) {
        links.tester[i] = {2, 0, 0, 0, 0, static_cast<std::uint8_t>(0x10 + i)};
        links.gateway_ipv4[i] = links.gateway_ipv6[i] = {2, 0, 0, 0, 0, static_cast<std::uint8_t>(0x20 + i)};
    }
    return make_stream(configuration, description, links, direction);
}
inline Bytes bytes_of(const frame::Image& image, const flow::Flow& flow, std::uint64_t sequence) {
    Bytes bytes(std::max(image.size(), frame::Image::readable));
    image.write(bytes.data(), flow, image.ends(flow), sequence, 77);
    bytes.resize(image.size());
    return bytes;
}
inline Bytes leaving(const frame::Stream& stream, std::uint64_t i) {
    return bytes_of(stream.sent_image(stream.mix(i)), stream.flows(stream.mix(i))(i), i);
}
inline Bytes arriving(const frame::Stream& stream, std::uint64_t i) {
    return bytes_of(stream.expected_image(stream.mix(i)), stream.flows(stream.mix(i))(i), i);
}
inline Bytes packet(const Bytes& frame, std::size_t from) {
    return {frame.begin() + static_cast<std::ptrdiff_t>(from), frame.end()};
}
inline wire::Ipv4Address ipv4_at(const Bytes& frame, std::size_t at) { return wire::Ipv4Address::load(&frame[at]); }
inline wire::Ipv6Address ipv6_at(const Bytes& frame, std::size_t at) { return wire::Ipv6Address::load(&frame[at]); }

// Of an IPv4 header at `at`, and UDP behind it.
inline void expect_right_checksums(const Bytes& frame, std::size_t at) {
    const Bytes whole = packet(frame, at);
    if (whole[0] >> 4 == 4) {
        EXPECT_EQ(rfc1071::sum({whole.begin(), whole.begin() + wire::ipv4::size}), 0xffff);
    }
    const std::size_t udp = whole[0] >> 4 == 4 ? wire::ipv4::size : wire::ipv6::size;
    EXPECT_EQ(wire::load16(&whole[udp + wire::udp::checksum]), rfc1071::udp_checksum(whole));
}

}  // namespace xlatperf::trial
