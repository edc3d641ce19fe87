#include "frame/another_subscriber.h"

#include <algorithm>

namespace xlatperf::frame {

std::vector<std::uint8_t> of_another_subscriber(const Stream& stream, std::uint64_t sequence) {
    constexpr std::uint32_t most = 4096;
    constexpr auto of = flow::Class::foreground;
    const Image& image = stream.sent_image(of, sequence);
    const flow::Subscribers* subscribers = image.subscribers();
    if (subscribers == nullptr) return {};
    const auto written = [&](const flow::Flow& flow) {
        std::vector<std::uint8_t> bytes(std::max(image.size(), Image::readable));
        image.write(bytes.data(), flow, stream.sent_ends(of, flow), sequence, 0);
        return bytes;
    };
    const flow::Flow own = stream.flows(of)(sequence);
    const auto own_address = subscribers->ipv6(flow::Subscriber::of(own.subscriber), 0);
    const auto own_frame = written(own);
    flow::Flow other = own;
    for (std::uint32_t i = 0; i < std::min(subscribers->count(), most); ++i) {
        const flow::Subscriber who = (*subscribers)(i);
        if (subscribers->ipv6(who, 0) == own_address) continue;
        other.subscriber = who.packed();
        auto frame = written(other);
        if (stream.alteration.differs(own_frame.data(), frame.data())) return frame;
    }
    return {};
}

}  // namespace xlatperf::frame
