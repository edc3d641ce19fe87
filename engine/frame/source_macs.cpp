#include "frame/source_macs.h"

#include <algorithm>

#include "flow/random.h"
#include "wire/headers.h"

namespace xlatperf::frame {

wire::Mac SourceMacs::operator()(wire::Bits128 source) const {
    const auto high = static_cast<std::uint64_t>(source >> 64), low = static_cast<std::uint64_t>(source);
    const std::uint64_t random = flow::mix(flow::mix(flow::mix(seed_) ^ high) ^ low);
    const auto byte = [&](unsigned i) { return static_cast<std::uint8_t>(random >> 8 * i); };
    return {static_cast<std::uint8_t>(byte(0) & 0xfc),
            static_cast<std::uint8_t>(interface_ >> 8),
            static_cast<std::uint8_t>(interface_),
            byte(1),
            byte(2),
            byte(3)};
}

void SourceMacs::write(std::uint8_t* frame) const {
    const std::uint8_t* const packet = frame + wire::ethernet::size;
    const bool v4 = packet[0] >> 4 == 4;
    const wire::Mac mac = (*this)(v4 ? wire::Bits128{wire::Ipv4Address::load(packet + wire::ipv4::source).value}
                                     : wire::Ipv6Address::load(packet + wire::ipv6::source).value);
    std::copy(mac.begin(), mac.end(), frame + wire::ethernet::source);
}

}  // namespace xlatperf::frame
