// Frames as the Classifier sees them, and where their fields are.
#pragma once

#include <gtest/gtest.h>

#include "frame/classifier.h"
#include "frame/streams.h"

namespace xlatperf::frame {

inline Finding classified(const Stream& stream, const Bytes& frame) {
    Bytes exact(frame);
    exact.shrink_to_fit();
    const Finding finding = Classifier(stream).classify(exact.data(), exact.size());
    EXPECT_NE(finding.reason.has_value(), finding.stray.has_value()) << "exactly one";
    EXPECT_EQ(finding.text.find('\n'), std::string::npos) << finding.text;
    return finding;
}

inline std::string verdict(const Finding& finding) {
    return std::string(finding.reason ? name(*finding.reason) : name(*finding.stray));
}
inline std::string verdict(const Stream& stream, const Bytes& frame) { return verdict(classified(stream, frame)); }

inline std::uint8_t* ip(Bytes& frame) { return &frame[wire::ethernet::size]; }
inline std::uint8_t* udp(Bytes& frame) { return &frame[udp_offset(frame)]; }
inline std::uint8_t* data(Bytes& frame) { return &frame[data_offset(frame)]; }
inline void increment(std::uint8_t& byte) { ++byte; }

inline std::uint8_t& last_octet_of_source(Bytes& frame) {
    return ip(frame)[is_ipv4(frame) ? wire::ipv4::source + 3 : wire::ipv6::source + 15];
}
inline std::uint8_t& last_octet_of_destination(Bytes& frame) {
    return ip(frame)[is_ipv4(frame) ? wire::ipv4::destination + 3 : wire::ipv6::destination + 15];
}
inline std::uint8_t& hops(Bytes& frame) { return ip(frame)[is_ipv4(frame) ? wire::ipv4::ttl : wire::ipv6::hop_limit]; }
inline void change_traffic_class(Bytes& frame) {
    if (is_ipv4(frame)) {
        ip(frame)[wire::ipv4::tos] = 0;
    } else {
        wire::store32(ip(frame), wire::load32(ip(frame)) & 0xf00fffff);
    }
}

}  // namespace xlatperf::frame
