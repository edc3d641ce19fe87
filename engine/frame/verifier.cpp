#include "frame/verifier.h"

#include <algorithm>

namespace xlatperf::frame {

Verifier::Verifier(const Stream& stream) : stream_(stream) {
    single_class_ = stream.mix.only_foreground() || stream.mix.only_background();
    first_class_ = static_cast<std::size_t>(stream.mix.only_background() ? Class::background : Class::foreground);
    for (std::size_t i = 0; i < flow::classes; ++i) {
        if (stream.expected[i]) compare_[i] = compare(stream, static_cast<Class>(i));
    }
    same_probe_ = single_class_ || compare_[0].probe == compare_[1].probe;
}

Verifier::Compare Verifier::compare(const Stream& stream, Class of) {
    const Image& image = stream.expected_image(of);
    Compare c;
    c.probe = image.probe();
    c.size = image.size();
    c.ipv4 = image.family() == wire::Family::ipv4;
    std::array<std::uint8_t, 8 * words> pattern{}, mask{};
    std::copy_n(image.bytes(), std::min(image.probe(), pattern.size()), pattern.begin());
    std::fill_n(mask.begin(), std::min(image.probe(), mask.size()), std::uint8_t{0xff});
    const auto ignore = [&](std::size_t at, std::size_t bytes) {
        std::fill_n(mask.begin() + static_cast<std::ptrdiff_t>(at), bytes, std::uint8_t{0});
    };
    if (!stream.loopback) ignore(wire::ethernet::source, 6);
    ignore(image.udp(), 4);  // ports and checksum are compared with those of the flow
    ignore(image.udp() + wire::udp::checksum, 2);
    if (!image.one_address_pair()) ignore(image.source_offset(), 2 * image.address_size());
    if (c.ipv4) {
        ignore(wire::ethernet::size + wire::ipv4::checksum, 2);
        if (stream.translated && of == Class::foreground) {
            ignore(wire::ethernet::size + wire::ipv4::identification, 2);
            mask[wire::ethernet::size + wire::ipv4::flags_offset] = static_cast<std::uint8_t>(~0x40);
        }
    }
    std::memcpy(c.pattern.data(), pattern.data(), pattern.size());
    std::memcpy(c.mask.data(), mask.data(), mask.size());
    return c;
}

}  // namespace xlatperf::frame
