// Whatever arrives, nothing crashes and everything gets exactly one reason. Run under AddressSanitizer: frames are exactly as
// long as they say.
#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "frame/classifier.h"
#include "frame/one_frame.h"
#include "frame/text.h"

namespace xlatperf::frame {
namespace {

void look_at(const Stream& stream, const StreamVerifier& verifier, const Bytes& frame) {
    const auto exact = std::make_unique<std::uint8_t[]>(frame.size());
    std::copy(frame.begin(), frame.end(), exact.get());
    const Finding finding = Classifier(stream).classify(exact.get(), frame.size());
    ASSERT_NE(finding.reason.has_value(), finding.stray.has_value());
    ASSERT_TRUE(!finding.sequence || *finding.sequence < stream.frames);
    ASSERT_EQ(finding.icmp_error.has_value(), finding.stray == Stray::icmp_error);
    ASSERT_FALSE(describe_frame(exact.get(), frame.size()).empty());
    ASSERT_EQ(matches(verifier, frame),
              finding.reason == Reason::expected && !finding.remarks.has(counter::Remark::udp_checksum_zero))
        << "StreamVerifier and Classifier agree: " << finding.text;
}

class Garbage : public testing::TestWithParam<Kind> {
  protected:
    Stream stream = make_stream({.kind = GetParam(), .ipv6_size = 100, .networks = 3, .take = 1, .of = 2});
    StreamVerifier verifier{stream};
    std::mt19937_64 random{static_cast<std::uint64_t>(GetParam()) + 1};
};

TEST_P(Garbage, OfEveryLength) {
    for (std::size_t size = 0; size <= 128; ++size) {
        for (int i = 0; i < 100; ++i) {
            Bytes frame(size);
            for (auto& byte : frame) byte = static_cast<std::uint8_t>(random());
            if (size >= 16 && i % 4 != 0) {  // so that it gets further than the EtherType
                const bool v4 = i % 2 == 0;
                wire::store16(&frame[12], v4 ? wire::ethernet::ipv4 : wire::ethernet::ipv6);
                frame[14] = v4 ? 0x45 : 0x60;
                if (i % 3 == 0 && size >= 24)
                    frame[v4 ? 23 : 20] = i % 5 == 0 ? 44 : i % 5 == 1 ? 17 : i % 5 == 2 ? 0 : i % 5 == 3 ? 58 : 1;
                if (v4 && size >= 18) wire::store16(&frame[16], static_cast<std::uint16_t>(random() % (size + 4)));
                if (!v4 && size >= 20) wire::store16(&frame[18], static_cast<std::uint16_t>(random() % (size + 4)));
            }
            look_at(stream, verifier, frame);
            if (HasFatalFailure()) return;
        }
    }
}

TEST_P(Garbage, RightFramesWithAFewBytesChanged) {
    for (int i = 0; i < 20000; ++i) {
        auto frame = received(stream, random() % stream.frames);
        for (auto changes = random() % 4; changes > 0; --changes)
            frame[random() % frame.size()] = static_cast<std::uint8_t>(random());
        if (random() % 8 == 0) frame.resize(random() % (frame.size() + 20));
        if (random() % 4 == 0 && frame.size() >= 34 && is_ipv4(frame)) repair_ip_checksum(frame);
        look_at(stream, verifier, frame);
        if (HasFatalFailure()) return;
    }
}

INSTANTIATE_TEST_SUITE_P(Kinds, Garbage, testing::ValuesIn(all_kinds), [](const auto& kind) { return name(kind.param); });

}  // namespace
}  // namespace xlatperf::frame
